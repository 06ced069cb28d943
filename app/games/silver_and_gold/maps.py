"""The components: treasure maps and expeditions, read from the tables beside this file.

A cell is (row, column) from the top left of a grid of four by four. Sets of cells are numbers with
bit `4 * row + column` for each cell: masks.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

COLOURS = ("grey", "green", "orange", "purple")
"""In the order in which completed maps decide between equal totals."""

SIDE = 4
"""Rows and columns that a grid has at most."""

Cell = tuple[int, int]
Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Seal:
    """Points for each completed map of a colour."""

    colour: str
    points: int


@dataclass(frozen=True, slots=True)
class TreasureMap:
    """A map: `rows` as printed (`.` no square, `o` plain, `x` cross, `c` coin, `p` palm).

    `squares` and, among them, `crosses`, `coins` and `palms` are masks.
    """

    colour: str
    points: int
    seal: Seal | None
    rows: tuple[str, ...]
    squares: int
    crosses: int
    coins: int
    palms: int


def mask_of(cells: Iterable[Cell]) -> int:
    """Returns the mask of cells that lie in the grid."""
    mask = 0
    for row, column in cells:
        mask |= 1 << SIDE * row + column
    return mask


_CELLS = tuple((1 << at, divmod(at, SIDE)) for at in range(SIDE * SIDE))
"""The bit of a mask for each cell of the grid. All masks share these cells."""


@lru_cache(maxsize=1 << 13)
def cells_of(mask: int) -> Cells:
    """Returns the cells of a mask, by row and then by column."""
    return tuple([cell for bit, cell in _CELLS if mask & bit])


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _map(row: dict[str, str]) -> TreasureMap:
    rows = tuple(row["grid"].split("/"))
    of = {
        symbol: mask_of(
            (r, c) for r, line in enumerate(rows) for c, it in enumerate(line) if it == symbol
        )
        for symbol in "oxcp"
    }
    return TreasureMap(
        colour=row["color"],
        points=int(row["points"]),
        seal=Seal(row["seal_color"], int(row["seal_points"])) if row["seal_color"] else None,
        rows=rows,
        squares=of["o"] | of["x"] | of["c"] | of["p"],
        crosses=of["x"],
        coins=of["c"],
        palms=of["p"],
    )


MAPS = {int(row["id"]): _map(row) for row in csv.DictReader(_text("maps.csv").splitlines())}
"""The 47 maps by their numbers, from 1."""

_EXPEDITIONS = json.loads(_text("expeditions.json"))

EXPEDITIONS: tuple[str, ...] = tuple(card["name"] for card in _EXPEDITIONS)
"""The names of the eight expeditions. Elsewhere in the rules one is its place in this row."""

PATTERNS: tuple[Cells, ...] = tuple(
    tuple((row, column) for row, column in card["cells"]) for card in _EXPEDITIONS
)
"""The cells of each expedition as printed."""
