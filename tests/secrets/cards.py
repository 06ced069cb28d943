"""The cards that somebody is told of, in JSON and in HTML, whatever they are wrapped in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from app.games.contract import Json
from app.games.lost_cities.cards import COLOURS

_CODE = re.compile(r"(?<![A-Za-z0-9])[YBWGRP](?:10|[2-9]|\$)(?![A-Za-z0-9])")
_WORDS = re.compile(r"\b(yellow|blue|white|green|red|purple) (10|[2-9]|investment)\b")
_LETTER = dict(zip(("yellow", "blue", "white", "green", "red", "purple"), COLOURS, strict=True))
_FACES = re.compile(r'<svg class="vh faces".*?</svg>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_PIECE = re.compile(r'data-piece="([^"]*)"')


def without_faces(page: str) -> str:
    """Returns a page without the drawings of all cards there are, which every page has."""
    return _FACES.sub("", page)


def in_text(text: str) -> set[str]:
    """Returns the cards that a text names: `R7`, `red 7`, `#R7`, "red investment" and so on."""
    found = set(_CODE.findall(text))
    for colour, value in _WORDS.findall(" ".join(_TAG.sub("", text).split())):
        found.add(_LETTER[colour] + value.replace("investment", "$"))
    return found


def in_json(data: Json) -> set[str]:
    """Returns the cards that JSON data names, as keys or values, alone or inside a text."""
    return {card for text in _texts(data) for card in in_text(text)}


def pieces(html: str) -> Counter[str]:
    """Returns the cards that lie about in HTML, with how many of each."""
    return Counter(_PIECE.findall(html))


def numbers_in_order(data: Json) -> Iterator[list[int]]:
    """Returns all lists of numbers in JSON data: a deck could hide as places or ranks."""
    if isinstance(data, dict):
        for value in data.values():
            yield from numbers_in_order(value)
    elif isinstance(data, list):
        if data and all(type(each) is int for each in data):
            yield data
        for value in data:
            yield from numbers_in_order(value)


def _texts(data: Json) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from (key, *_texts(value))
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _texts(value)
