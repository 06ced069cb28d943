"""The moves. Their spelling on the wire is read in `spelling`."""

from __future__ import annotations

from app.games.contract import Json
from app.games.silver_and_gold.maps import Cell, Cells
from app.games.value import value


@value
class Keep:
    """Keeps some of the maps dealt, in ascending order: two, if it is to be legal."""

    maps: tuple[int, ...]

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "keep", "maps": [12, 40]}`."""
        return {"kind": "keep", "maps": list(self.maps)}


@value
class Mark:
    """Marks cells of one map, by row and then by column: a pattern or a single one."""

    map: int
    cells: Cells

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "mark", "map": 12, "cells": [[0, 0], [1, 0]]}`."""
        return {"kind": "mark", "map": self.map, "cells": [list(cell) for cell in self.cells]}


@value
class Extra:
    """Marks one more cell, for a cross."""

    map: int
    cell: Cell

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "extra", "map": 40, "cell": [2, 0]}`."""
        return {"kind": "extra", "map": self.map, "cell": list(self.cell)}


@value
class TakeMap:
    """Takes a new map from the display, or with None the top one of the deck."""

    map: int | None

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "take_map", "map": 33}`, with "deck" for the top of the deck."""
        return {"kind": "take_map", "map": "deck" if self.map is None else self.map}


Move = Keep | Mark | Extra | TakeMap
