"""What is secret in Silver & Gold, and what it looks like on the wire.

Maps (`map 12`), marked squares (`12: 0,1`), and expeditions by their form (`tee4`, `line3`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random

from app.games.contract import Json
from app.games.silver_and_gold.maps import EXPEDITIONS, MAPS, Cell, cells_of
from app.games.silver_and_gold.state import State
from tests.secrets.reading import HOUSE_NUMBERS, texts

SEATS = 3
OPTIONS = {"open_expeditions": False, "first": 0}
OPEN = frozenset({"round_over"})
TRIES = (
    {"kind": "keep", "maps": [3, 44]},
    {"kind": "mark", "map": 14, "cells": [[0, 1]]},
    {"kind": "extra", "map": 30, "cell": [0, 2]},
    {"kind": "take_map", "map": 31},
)
_ON_A_PAGE = re.compile(
    r'(?:data-piece="m|data-map="|href="#m|name="maps?" value="|<option value=")(\d+)[" ]'
)
_ISLAND = re.compile(r'<svg class="island".*?</svg>', re.DOTALL)
_MARKED = re.compile(r'<path class="sg-(?:marked|fresh)" d="([^"]*)"')
_SQUARE = re.compile(r"M(\d+) (\d+)h")
_SIZE = 44
"""The width of a square in the drawing of a map."""
_NO_MAPS = HOUSE_NUMBERS | {
    *("round", "turn", "start", "starts", "left", "deck", "palm", "trophies", "trophy"),
    *("coins", "rows", "row", "palms", "extras", "taking", "cells", "cell", "marked"),
}
"""Keys whose numbers are no maps. A new key is one until it stands here."""


def in_text(text: str) -> set[str]:
    """Returns the maps on a piece of a page, and the squares that are drawn as marked."""
    found = {f"map {number}" for number in _ON_A_PAGE.findall(text)}
    for island in _ISLAND.findall(text):
        number = int(_ON_A_PAGE.findall(island)[0])
        for path in _MARKED.findall(island):
            corners = _SQUARE.findall(path)
            found |= _marks(number, ((int(y) // _SIZE, int(x) // _SIZE) for x, y in corners))
    return found


def in_json(data: Json) -> set[str]:
    """Returns the maps, marks and expeditions in JSON data; what is legal is no mark yet."""
    found = {f"map {number}" for number in _numbers(data)}
    for text in texts(data):
        found |= {_form(text)} if text in EXPEDITIONS else in_text(text)
    return found.union(*_marked(data))


def known(state: State, viewer: int | None) -> set[str]:
    """Returns what lies open now, and what the viewer was dealt or has marked."""
    maps = {number for number in state.display if number is not None}
    found: set[str] = set()
    for seat, player in enumerate(state.players):
        pending = state.pending[seat] if seat == viewer else None
        for place, held in enumerate(player.maps):
            if held is not None:
                maps.add(held.map)
                marked = held.marked | (pending.marked[place] if pending else 0)
                found |= _marks(held.map, cells_of(marked))
        maps |= set(player.completed)
        for number in player.completed:
            found |= _marks(number, cells_of(MAPS[number].squares))
    if state.stage == "keep" and viewer is not None:
        maps |= set(state.dealt[viewer])
    if state.stage in {"mark", "score"}:
        found.add(_form(EXPEDITIONS[state.expedition]))
    return found | {f"map {number}" for number in maps}


def choose(random: Random, stage: str, legal: list[Json]) -> list[Json]:
    """Returns any move, patterns of several squares rather than single ones."""
    several = [move for move in legal if len(move.get("cells", ())) > 1]
    return [random.choice(several or legal)]


def _form(expedition: str) -> str:
    """Returns the form of an expedition; two of them exist twice."""
    return expedition.partition("_")[0]


def _marks(number: int, cells: Iterable[Cell]) -> set[str]:
    return {f"{number}: {row},{column}" for row, column in cells}


def _numbers(data: Json) -> Iterator[int]:
    if type(data) is int:
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in _NO_MAPS:
                yield from _numbers(value)
    elif isinstance(data, list):
        for value in data:
            yield from _numbers(value)


def _marked(data: Json) -> Iterator[set[str]]:
    if isinstance(data, list):
        for value in data:
            yield from _marked(value)
    if not isinstance(data, dict):
        return
    if type(data.get("map")) is int:
        for key in ("marked", "cells"):
            yield _marks(data["map"], (tuple(cell) for cell in data.get(key, ())))
        yield _marks(data["map"], [tuple(data["cell"])] if "cell" in data else [])
    if isinstance(data.get("cells"), dict):
        for number, cells in data["cells"].items():
            yield _marks(int(number), (tuple(cell) for cell in cells))
    for key, value in data.items():
        if key != "legal":
            yield from _marked(value)
