"""Every place of every pattern on every map, as tables made once."""

from __future__ import annotations

from app.games.silver_and_gold.maps import MAPS, PATTERNS, SIDE, Cells, cells_of, mask_of
from app.games.silver_and_gold.moves import Extra, Mark

Placements = tuple[tuple[int, Mark], ...]
"""Masks with the moves that mark them."""


def orientations(pattern: Cells) -> tuple[Cells, ...]:
    """Returns the different turned and mirrored forms of a pattern, each at the top left."""
    found = set()
    cells = pattern
    for turn in range(8):
        cells = tuple((column, -row) for row, column in cells)
        if turn == 4:
            cells = tuple((row, -column) for row, column in cells)
        top = min(row for row, _ in cells)
        left = min(column for _, column in cells)
        found.add(tuple(sorted((row - top, column - left) for row, column in cells)))
    return tuple(sorted(found))


def _placements(number: int, pattern: Cells) -> Placements:
    squares = MAPS[number].squares
    found = []
    for cells in orientations(pattern):
        for down in range(SIDE - max(row for row, _ in cells)):
            for right in range(SIDE - max(column for _, column in cells)):
                mask = mask_of((row + down, column + right) for row, column in cells)
                if mask & squares == mask:
                    found.append(Mark(number, cells_of(mask)))
    found.sort(key=lambda mark: mark.cells)
    return tuple((mask_of(mark.cells), mark) for mark in found)


PLACEMENTS = {
    number: tuple(_placements(number, pattern) for pattern in PATTERNS) for number in MAPS
}
"""By map and expedition: every place where the pattern fits on the fresh map, by its cells."""

FITTING = {
    number: tuple(frozenset(mask for mask, _ in placements) for placements in by_expedition)
    for number, by_expedition in PLACEMENTS.items()
}
"""By map and expedition: the masks of these places."""

SINGLES: dict[int, Placements] = {
    number: tuple((mask_of((cell,)), Mark(number, (cell,))) for cell in cells_of(it.squares))
    for number, it in MAPS.items()
}
"""By map: each square alone."""

EXTRAS: dict[int, tuple[tuple[int, Extra], ...]] = {
    number: tuple((mask, Extra(number, mark.cells[0])) for mask, mark in singles)
    for number, singles in SINGLES.items()
}
"""By map: each square as an extra."""
