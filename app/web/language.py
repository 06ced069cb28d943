"""The language in which a visitor reads: a cookie of their choice, else the browser's."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection

from app.web.house import house_of

LANGUAGE_COOKIE: Final = "language"


def language_of(connection: HTTPConnection) -> str:
    """Returns the language of the one who asks, always one that we have."""
    texts = house_of(connection).renderer.texts
    return texts.choose(
        connection.cookies.get(LANGUAGE_COOKIE), connection.headers.get("accept-language")
    )
