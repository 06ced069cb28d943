"""Moves from wire data and from the fields of a page's form."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from app.games.contract import Fields, Json, Malformed
from app.games.silver_and_gold.maps import MAPS, SIDE, Cell
from app.games.silver_and_gold.moves import Extra, Keep, Mark, Move, TakeMap

DECK = "deck"

MOST_KEPT = 4
"""The most maps a move may name; more than it may keep, so that `apply` says why."""

FAR = 10
"""Rows and columns may be named up to this one; `apply` says that they are off the map."""


def parse(data: Json) -> Move:
    """Reads wire data as a move. Raises `Malformed` for anything that is none of the spellings."""
    # Types are compared exactly: unhashable and odd values must never reach a look-up.
    if type(data) is not dict:
        raise Malformed("expected an object with a kind")
    kind = data.get("kind")
    reader = _READERS.get(kind) if type(kind) is str else None
    if reader is None:
        raise Malformed(f"expected a kind: {', '.join(_READERS)}")
    return reader(data)


def _keep(data: dict[str, Json]) -> Move:
    maps = data.get("maps")
    if len(data) != 2 or type(maps) is not list or len(maps) > MOST_KEPT:
        raise Malformed('expected "maps" to be a list of maps')
    if not all(_map(number) for number in maps) or len(set(maps)) != len(maps):
        raise Malformed("expected different maps, 1 to 47")
    return Keep(tuple(sorted(maps)))


def _mark(data: dict[str, Json]) -> Move:
    cells = data.get("cells")
    if len(data) != 3 or not _map(data.get("map")):
        raise Malformed('expected "map", 1 to 47, and "cells"')
    if type(cells) is not list or len(cells) > SIDE * SIDE:
        raise Malformed('expected "cells" to be a list of cells')
    read = sorted(_cell(cell) for cell in cells)
    if len(set(read)) != len(read):
        raise Malformed("expected different cells")
    return Mark(data["map"], tuple(read))


def _extra(data: dict[str, Json]) -> Move:
    if len(data) != 3 or not _map(data.get("map")):
        raise Malformed('expected "map", 1 to 47, and "cell"')
    return Extra(data["map"], _cell(data.get("cell")))


def _take_map(data: dict[str, Json]) -> Move:
    number = data.get("map")
    if len(data) == 2 and _map(number):
        return TakeMap(number)
    if len(data) == 2 and type(number) is str and number == DECK:
        return TakeMap(None)
    raise Malformed('expected "map", 1 to 47 or "deck"')


_READERS: dict[str, Callable[[dict[str, Json]], Move]] = {
    "keep": _keep,
    "mark": _mark,
    "extra": _extra,
    "take_map": _take_map,
}


def _map(value: Json) -> TypeGuard[int]:
    return type(value) is int and value in MAPS


def _cell(data: Json) -> Cell:
    if type(data) is not list or len(data) != 2:
        raise Malformed("expected a cell to be [row, column]")
    if not all(type(number) is int and 0 <= number < FAR for number in data):
        raise Malformed(f"expected row and column from 0 to {FAR - 1}")
    return data[0], data[1]


def from_form(fields: Fields) -> Json:
    """Returns the wire data of a form: `kind`, and what belongs to that kind.

    * `keep`: any number of `maps`, each one or more numbers with spaces between.
    * `mark`, `extra`: `place`, the map and its cells with spaces between, a cell as two digits.
    * `take_map`: `map`, a number or `deck`.

    Raises `Malformed` for other, missing or repeated fields; the rest is left to `parse`.
    """
    values = dict(fields)
    kind = values.pop("kind", None)
    if kind == "keep" and values.keys() <= {"maps"}:
        named = [value for name, value in fields if name == "maps"]
        if len(named) + 1 == len(fields):
            return {"kind": kind, "maps": [_whole(it) for value in named for it in value.split()]}
    if len(fields) != 2:
        raise Malformed("expected a kind, and the fields that belong to it")
    if kind in {"mark", "extra"} and "place" in values:
        number, cells = _place(values["place"])
        if kind == "mark":
            return {"kind": kind, "map": number, "cells": cells}
        if len(cells) == 1:
            return {"kind": kind, "map": number, "cell": cells[0]}
    if kind == "take_map" and "map" in values:
        text = values["map"]
        return {"kind": kind, "map": text if text == DECK else _whole(text)}
    raise Malformed("expected a kind of move and the fields that belong to it")


def _place(text: str) -> tuple[int, list[list[int]]]:
    number, *cells = text.split() or [""]
    if not all(len(cell) == 2 for cell in cells):
        raise Malformed("expected a map and cells of two digits")
    return _whole(number), [[_whole(cell[0]), _whole(cell[1])] for cell in cells]


def _whole(text: str) -> int:
    # Two digits are enough for every number in a move, and int() stays cheap.
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise Malformed("expected a whole number")
    return int(text)
