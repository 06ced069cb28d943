"""What expeditions score, by the listed cases and against a formula of another shape."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.lost_cities.scoring import expedition_score
from tests.games.lost_cities.positions import GAME, after, position, wire

RULES = Path(__file__).parents[3] / "docs" / "rules" / "lost_cities.en.md"

CASES = [
    ("", 0),
    ("$ $ 5 9 10", 12),
    ("$", -40),
    ("$ $", -60),
    ("$ $ $", -80),
    ("10", -10),
    ("2", -18),
    ("2 3 4 5 6", 0),
    ("$ 2 3 4 5 6 7 8", 50),
    ("2 3 4 5 6 7 8 9 10", 54),
    ("$ $ $ 2 3 4 5 6", 20),
    ("$ $ $ 5 6 7 8 9", 80),
    ("2 3 4 5 6 7 8 9", 44),
    ("$ $ $ 2 3 4 5 6 7 8 9 10", 156),
    ("2 3 4 5 6 7 8", 15),
    ("$ $ $ 2 3 4 5", -24),
    ("$ $ $ 7 8 9 10", 56),
]


@pytest.mark.parametrize(("expedition", "points"), CASES)
def test_cases(expedition: str, points: int) -> None:
    assert expedition_score(tuple("R" + value for value in expedition.split())) == points


@pytest.mark.parametrize(("expedition", "points"), [case for case in CASES if case[0]])
def test_the_cases_on_the_sheet_both_players_see(expedition: str, points: int) -> None:
    """The running score on the table and the sum on the end sheet are the same number."""
    mine = " ".join("G" + value for value in expedition.split())
    state = position("R7", mine=mine, deck="B2")
    assert GAME.view(state, 1)["scores"] == [{"G": points}, {}]
    over = after(state, "discard R7", "draw deck")
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert outcome.totals == (points, 0)
    assert outcome.scores[0] == {"Y": 0, "B": 0, "W": 0, "G": points, "R": 0}
    assert GAME.view(over, None)["totals"] == [points, 0]


def by_hand(investments: int, numbers: frozenset[int]) -> int:
    """Counts coin by coin: each stake (the expedition's own and each investment) pays alone."""
    if not investments and not numbers:
        return 0
    stakes = [sum(numbers) - 20 for _ in range(investments + 1)]
    long_enough = investments + len(numbers) > 7
    return sum(stakes, 20 if long_enough else 0)


@given(st.integers(0, 3), st.frozensets(st.integers(2, 10)))
def test_against_another_formula(investments: int, numbers: frozenset[int]) -> None:
    expedition = ("W$",) * investments + tuple(f"W{value}" for value in sorted(numbers))
    assert expedition_score(expedition) == by_hand(investments, numbers)


def test_expeditions_add_up() -> None:
    state = position(mine="Y10 B$ B2 R2 R3 R4 R5 R6 R7 R8 R9", theirs="W10")
    view = GAME.view(state, None)
    assert view["scores"] == [{"Y": -10, "B": -36, "R": 44}, {"W": -10}]
    assert view["totals"] == [-2, -10]


PREVIEWS = [
    # given (own expedition) -> move -> points before and after
    ("", "play R7", {"before": 0, "after": -13}),
    ("R$", "play R7", {"before": -40, "after": -26}),
    ("R2 R3 R4 R5 R6 R7 R8", "play R9", {"before": 15, "after": 44}),
    ("R$", "discard R7", {}),
    ("R$", "draw deck", {}),
]


@pytest.mark.parametrize(("mine", "move", "points"), PREVIEWS)
def test_a_play_can_be_priced_from_ones_own_view(
    mine: str, move: str, points: dict[str, int]
) -> None:
    view = GAME.view(position(mine=mine), 0)
    assert GAME.preview(view, wire(move)) == points


def test_the_example_on_the_rules_page_is_right() -> None:
    page = RULES.read_text("utf-8")
    rows = re.findall(r"^\| ([$\d ]+) \|.*\*\*(-?\d+)\*\* \|$", page, re.MULTILINE)
    assert len(rows) == 5
    for expedition, points in rows:
        assert expedition_score(tuple("R" + value for value in expedition.split())) == int(points)
    assert f"has {sum(int(points) for _, points in rows)} points" in page
