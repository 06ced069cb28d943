"""The key of the house: who knows it opens rooms, and the browser need not be told twice."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.web.house import house_of
from app.web.proxies import outer
from app.web.security import COOKIE_SECONDS

KEY_COOKIE: Final = "motherlode_key"
_PURPOSE: Final = b"this browser was told the key of the house"


def knows_key(request: HTTPConnection, given: str | None = None) -> bool:
    """Tells whether a visitor may open rooms: none is wanted, or it is given, or was before."""
    wanted = house_of(request).settings.house_key
    if wanted is None:
        return True
    key = wanted.get_secret_value()
    said = (given or "").encode("utf-8", "replace")
    kept = request.cookies.get(KEY_COOKIE, "").encode("utf-8", "replace")
    return hmac.compare_digest(said, key.encode()) or hmac.compare_digest(kept, _mark(key))


def remember_key(request: HTTPConnection, response: Response) -> None:
    """Has the browser of someone who knew the key show that for a year, until it is changed."""
    house = house_of(request)
    wanted = house.settings.house_key
    if wanted is not None:
        response.set_cookie(
            KEY_COOKIE,
            _mark(wanted.get_secret_value()).decode(),
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
            secure=outer(request.scope, house.public).scheme == "https",
        )


def _mark(key: str) -> bytes:
    """Returns what the cookie holds: it follows from the key, and does not give it away."""
    return hmac.new(key.encode(), _PURPOSE, hashlib.sha256).hexdigest().encode()
