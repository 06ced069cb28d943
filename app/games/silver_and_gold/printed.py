"""What is printed on the maps and expeditions, as plain data for whoever draws them."""

from __future__ import annotations

from app.games.contract import Json
from app.games.silver_and_gold.maps import COLOURS, EXPEDITIONS, MAPS, PATTERNS, Cells, TreasureMap
from app.games.silver_and_gold.placements import orientations


def _cells(cells: Cells) -> list[list[int]]:
    return [list(cell) for cell in cells]


def _map(it: TreasureMap) -> dict[str, Json]:
    seal = it.seal
    return {
        "colour": it.colour,
        "points": it.points,
        "seal": None if seal is None else {"colour": seal.colour, "points": seal.points},
        "rows": list(it.rows),
    }


PRINTED: dict[str, Json] = {
    "colours": list(COLOURS),
    "maps": {str(number): _map(it) for number, it in MAPS.items()},
    "expeditions": {
        name: {
            "cells": _cells(pattern),
            "orientations": [_cells(cells) for cells in orientations(pattern)],
        }
        for name, pattern in zip(EXPEDITIONS, PATTERNS, strict=True)
    },
}
"""`maps` by number and `expeditions` by name; `orientations` are all turned and mirrored forms."""
