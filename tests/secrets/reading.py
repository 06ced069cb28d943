"""Reading what was sent: texts, pages, pieces; the same for every game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from app.games.contract import Json

_FACES = re.compile(r'<svg class="vh faces".*?</svg>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
HOUSE_NUMBERS = frozenset(
    {
        *("v", "r", "n", "seq", "seat", "seats", "you", "viewer", "index", "watchers", "people"),
        *("prompt", "online", "actors", "waiting", "agreed", "options", "rules_version", "version"),
        *("games", "won", "lost", "drawn", "counted", "points", "their_points", "total", "place"),
        *("own", "yours", "now", "due", "clock"),
    }
)
"""Keys of the house's own answers whose numbers name no piece of any game."""

_PIECE = re.compile(r'data-piece="([^"]*)"')


def without_faces(page: str) -> str:
    """Returns a page without the drawings of all cards there are, which every page has."""
    return _FACES.sub("", page)


def plain(html: str) -> str:
    """Returns the words of a piece of a page, one space between each."""
    return " ".join(_TAG.sub("", html).split())


def pieces(html: str) -> Counter[str]:
    """Returns the pieces that lie about in HTML, with how many of each."""
    return Counter(_PIECE.findall(html))


def texts(data: Json) -> Iterator[str]:
    """Returns all texts in JSON data, keys too."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from (key, *texts(value))
    elif isinstance(data, list | tuple):
        for value in data:
            yield from texts(value)
