"""The result: points by source, seals, ties."""

from __future__ import annotations

import pytest

from app.games.contract import Outcome
from app.games.silver_and_gold.state import Player
from tests.games.silver_and_gold.positions import GAME, has, position

GREY = (40, 42, 43, 44)  # no seal among them
GREEN = (28, 29, 30)
ORANGE = (16, 17, 18)
PURPLE = (4, 5, 6)


def result(*players: Player) -> Outcome:
    state = position(*players, round=4, turn=7, stage="over")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "rounds"
    return outcome


def test_the_example_of_the_rules() -> None:
    outcome = result(
        has(completed=(27, 38, 4, 16, 20, 41), coins=9, rows=(6, 2), palms=(4, 4)), has()
    )
    assert outcome.scores[0] == {
        "coins": 9,
        "trophies": 8,
        "palms": 8,
        "maps": 64,
        "seals": 1 * 2 + 2 * 2,
    }
    assert outcome.totals == (95, 0)


def test_a_seal_counts_its_own_map_only_if_that_has_its_colour() -> None:
    """Map 39 is grey with a seal for green maps, 27 green with one for grey maps."""
    assert result(has(completed=(39,)), has()).scores[0]["seals"] == 0
    assert result(has(completed=(39, 27)), has()).scores[0]["seals"] == 1 + 1


def test_every_seal_counts() -> None:
    """37 and 13 have seals of 2 for purple maps, 25 as well."""
    completed = (37, 13, 25, 4, 5)
    assert result(has(completed=completed), has()).scores[0]["seals"] == 3 * 2 * 2


def test_unfinished_maps_count_nothing_but_what_was_gained_on_them_does() -> None:
    outcome = result(has(1, 2, coins=5, rows=(6,), palms=(2,)), has(3))
    assert outcome.totals == (13, 0)


def test_the_running_points_of_the_view_are_those_of_the_end() -> None:
    players = (has(1, coins=9, rows=(6, 2), palms=(4,), completed=(27, 38)), has(2))
    outcome = result(*players)
    view = GAME.view(position(*players), None)
    for seat in range(2):
        points = dict(view["players"][seat]["points"])
        assert points.pop("total") == outcome.totals[seat]
        assert points == outcome.scores[seat]


def test_there_is_no_result_before_the_end() -> None:
    assert GAME.outcome(position(has(1), has(2))) is None


def test_most_points_win() -> None:
    outcome = result(has(coins=3), has(coins=9, rows=(6, 5)), has(coins=4, rows=(4,)))
    assert outcome.ranking == (3, 1, 2)
    assert outcome.tie_break is None


@pytest.mark.parametrize(
    ("winner", "loser", "colour"),
    [
        ((GREY[0],), (GREEN[0],), "grey"),
        ((*GREY[:2],), (GREY[2], PURPLE[0]), "grey"),
        ((GREEN[0],), (ORANGE[0],), "green"),
        ((GREY[0], GREEN[0]), (GREY[1], PURPLE[0]), "green"),
        ((ORANGE[0],), (PURPLE[0],), "orange"),
        ((GREY[0], GREEN[0], ORANGE[0]), (GREY[1], GREEN[1], PURPLE[0]), "orange"),
        ((PURPLE[0],), (), "purple"),
        ((GREY[0], PURPLE[0]), (GREY[1],), "purple"),
    ],
)
def test_ties(winner: tuple[int, ...], loser: tuple[int, ...], colour: str) -> None:
    total = 30
    if colour == "purple":
        total = 14 + 8 * len(loser)
        second = has(completed=loser, coins=8, rows=(6,))
    else:
        second = has(completed=loser, palms=(total - _maps(loser),))
    first = has(completed=winner, palms=(total - _maps(winner),))
    for players, ranking in (((first, second), (1, 2)), ((second, first), (2, 1))):
        outcome = result(*players)
        assert outcome.totals == (total, total)
        assert outcome.ranking == ranking
        assert outcome.tie_break == colour


def _maps(completed: tuple[int, ...]) -> int:
    scores = result(has(completed=completed), has()).scores[0]
    return scores["maps"] + scores["seals"]


def test_equal_in_everything_shares_the_place() -> None:
    first = has(completed=(GREY[0], ORANGE[0]), coins=3)
    second = has(completed=(GREY[1], ORANGE[1]), coins=3)
    outcome = result(first, second, has(coins=1))
    assert outcome.ranking == (1, 1, 3)
    assert outcome.tie_break is None


def test_the_tie_break_named_is_that_of_the_best_place() -> None:
    outcome = result(
        has(completed=(GREEN[0],), palms=(10,)),
        has(completed=(ORANGE[0],), palms=(8,)),
        has(completed=(GREY[0],)),
        has(palms=(8,)),
    )
    assert outcome.ranking == (1, 2, 3, 4)
    assert outcome.tie_break == "green"


def test_a_tie_broken_further_down_is_named_too() -> None:
    outcome = result(has(palms=(30,)), has(completed=(GREY[0],)), has(palms=(8,)))
    assert outcome.ranking == (1, 2, 3)
    assert outcome.tie_break == "grey"
