"""Pattern x turn x mirror x place on every map, against a count that shares nothing with the rules.

Here a pattern fits if some way of laying its cells, turned and mirrored by hand, covers exactly
the squares asked for. All sets of squares of the pattern's size are tried on every fresh map.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from app.games.contract import IllegalMove
from app.games.silver_and_gold.moves import Move
from app.games.silver_and_gold.state import State
from tests.games.silver_and_gold.positions import GAME, chance, has, held, legal, mark, position

DATA = Path(__file__).parents[3] / "app" / "games" / "silver_and_gold"
GRIDS = {
    int(row["id"]): tuple(row["grid"].split("/"))
    for row in csv.DictReader((DATA / "maps.csv").read_text(encoding="utf-8").splitlines())
}
CARDS = {
    card["name"]: [tuple(cell) for cell in card["cells"]]
    for card in json.loads((DATA / "expeditions.json").read_text(encoding="utf-8"))
}

TURNS: list[Callable[[int, int], tuple[int, int]]] = [
    lambda r, c: (r, c),
    lambda r, c: (c, -r),
    lambda r, c: (-r, -c),
    lambda r, c: (-c, r),
    lambda r, c: (r, -c),
    lambda r, c: (-c, -r),
    lambda r, c: (-r, c),
    lambda r, c: (c, r),
]
"""The four turns, and the four turns of the mirrored pattern."""

Shape = frozenset[tuple[int, int]]


@cache
def laid(name: str, grid: tuple[str, ...]) -> set[Shape]:
    """Returns the sets of squares that a pattern can cover, by trying every lay of it."""
    found = set()
    for turned in TURNS:
        cells = [turned(r, c) for r, c in CARDS[name]]
        for down in range(-4, 8):
            for right in range(-4, 8):
                lay = [(r + down, c + right) for r, c in cells]
                inside = all(0 <= r < len(grid) and 0 <= c < len(grid[0]) for r, c in lay)
                if inside and all(grid[r][c] != "." for r, c in lay):
                    found.add(frozenset(lay))
    return found


@pytest.mark.parametrize("name", CARDS)
def test_a_pattern_is_legal_exactly_where_it_fits(name: str) -> None:
    for number, grid in GRIDS.items():
        other = 1 if number != 1 else 2
        state = position(has(number), has(other), expedition=name)
        moves = [move for move in legal(state, 0) if len(move["cells"]) > 1]
        listed = [frozenset((r, c) for r, c in move["cells"]) for move in moves]
        assert len(set(listed)) == len(listed)
        assert set(listed) == laid(name, grid)


@pytest.mark.parametrize("name", CARDS)
def test_any_other_cells_are_refused(name: str) -> None:
    size = len(CARDS[name])
    accepted = refused = 0
    for number, grid in GRIDS.items():
        other = 1 if number != 1 else 2
        state = position(has(number), has(other), expedition=name)
        fits = laid(name, grid)
        # Gaps count among the cells tried, and so does a row below and a column beside the map.
        cells = [(r, c) for r in range(len(grid) + 1) for c in range(len(grid[0]) + 1)]
        if size == 4:
            # All sets of four of 25 cells are too many on 47 maps: those that lie close together.
            sets = [it for it in combinations(cells, size) if _close(it)]
        else:
            sets = list(combinations(cells, size))
        for chosen in sets:
            code = refusal(state, GAME.parse(mark(number, *chosen)))
            if frozenset(chosen) in fits:
                assert code is None
                accepted += 1
            else:
                assert code in {"off_the_map", "on_a_gap", "not_the_pattern"}
                refused += 1
    assert accepted == sum(len(laid(name, grid)) for grid in GRIDS.values())
    assert refused > accepted


def refusal(state: State, move: Move) -> str | None:
    """Returns why a move is refused. Far quicker than `pytest.raises`, for all these moves."""
    try:
        GAME.apply(state, 0, move, chance())
    except IllegalMove as illegal:
        return illegal.code
    return None


def _close(cells: tuple[tuple[int, int], ...]) -> bool:
    rows, columns = [r for r, _ in cells], [c for _, c in cells]
    return max(rows) - min(rows) <= 2 >= max(columns) - min(columns)


@pytest.mark.parametrize("name", CARDS)
def test_marked_squares_are_as_good_as_gaps(name: str) -> None:
    """On every map with some squares marked, the pattern fits where it would on the grid left."""
    for number, grid in GRIDS.items():
        cells = [(r, c) for r, row in enumerate(grid) for c, it in enumerate(row) if it != "."]
        gone = cells[number % 3 :: 3]
        left = tuple(
            "".join("." if (r, c) in gone else it for c, it in enumerate(row))
            for r, row in enumerate(grid)
        )
        other = 1 if number != 1 else 2
        state = position(has(held(number, gone)), has(other), expedition=name)
        moves = [move for move in legal(state, 0) if len(move["cells"]) > 1]
        assert {frozenset((r, c) for r, c in move["cells"]) for move in moves} == laid(name, left)
