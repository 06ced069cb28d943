"""The end after twenty lifts, what counts then, and who wins."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from app.games.contract import Outcome
from app.games.gold_hunting.state import Player
from tests.games.gold_hunting.positions import GAME, after, has, hunt, legal, position, refusal

GONE = "- - - -"


def ended(mine: Player, theirs: Player) -> Outcome:
    """The result when seat 0 lifts the very last bar, called wrong, with no pile at risk."""
    last = replace(theirs, mountains=((), (), (), (1,)))
    digger = replace(mine, mountains=((), (), (), ()))
    state = position(digger, last, bust_min=99)
    result = GAME.outcome(after(state, "dig 3 as 3"))
    assert result is not None
    return result


def test_every_turn_lifts_one_bar_and_the_game_ends_after_twenty() -> None:
    state = hunt()
    for number in range(20):
        assert GAME.outcome(state) is None
        assert GAME.view(state, None)["left"] == [10 - number // 2, 10 - (number + 1) // 2]
        state = after(state, legal(state)[0])
    assert GAME.actors(state) == ()
    assert GAME.outcome(state) is not None
    view = GAME.view(state, None)
    assert (view["stage"], view["turn"], view["left"]) == ("over", None, [0, 0])
    assert view["heights"] == [[0, 0, 0, 0], [0, 0, 0, 0]]


def test_after_the_end_nothing_can_be_played() -> None:
    state = after(position(has("2", mountains_=GONE), has(token=2, mountains_="1 - - -")), "rush 0")
    for move in ("dig 0 as 1", "rush 0", "safe", "build 21 321 123 12"):
        for seat in (0, 1):
            assert refusal(state, move, seat) == "game_over"
    assert GAME.prompt(state, 0) is None
    assert GAME.prompt(state, 1) is None


def test_after_the_end_the_tokens_are_shown() -> None:
    state = position(has("2", "3", token=3, mountains_=GONE), has(token=1, mountains_="1 - - -"))
    hidden = GAME.view(state, None)
    assert [token["number"] for token in hidden["tokens"]] == [None, None]
    assert hidden["third"] is None
    shown = GAME.view(after(state, "dig 0 as 1"), None)
    assert [token["number"] for token in shown["tokens"]] == [3, 1]
    assert shown["third"] == 2


def rushed(pile: str = "", *, right: bool = True) -> Player:
    return has(pile, token=2, use="rush", right=right)


POINTS = [
    # player -> pile, safe, rush
    (has("123"), (6, 0, 0)),
    (has("", "23"), (0, 2, 0)),
    (has("", "1"), (0, 0, 0)),
    (has("13", "223"), (4, 3, 0)),
    (rushed("12"), (3, 0, 2)),
    (rushed(""), (0, 0, 2)),
    (rushed("12", right=False), (3, 0, 0)),
    (has(""), (0, 0, 0)),
]


@pytest.mark.parametrize(("mine", "by_source"), POINTS)
def test_what_counts(mine: Player, by_source: tuple[int, int, int]) -> None:
    result = ended(mine, has(token=3))
    assert tuple(result.scores[0]) == ("pile", "safe", "rush")
    assert tuple(result.scores[0].values()) == by_source
    assert result.totals == (sum(by_source), 0)


WINNERS = [
    # seat 0, seat 1 -> ranking, tie-break
    (has("1233"), has("123", token=2), (1, 2), None),
    (has("12"), has("13", token=2), (2, 1), None),
    (has("233111"), has("3222", "12", token=2), (1, 2), None),
    # 11 to 11: two bars of three against one
    (has("33221"), has("322211", token=2), (1, 2), "threes"),
    (has("322211"), has("33221", token=2), (2, 1), "threes"),
    # bars in the safe count as whole bars: 4 + 2 points, threes 0 to 2
    (has("222"), has("3", "33", token=2), (2, 1), "threes"),
    # as many threes, more twos
    (has("322"), has("3211", token=2), (1, 2), "twos"),
    (has("211"), has("22", token=2), (2, 1), "twos"),
    (has("11", "22"), has("22", token=2), (1, 1), None),
    (has("112", "22"), has("222", token=2), (1, 1), None),
    (has("2", "22"), has("211", token=2), (1, 2), "twos"),
    # equal both
    (has("3221"), has("3221", token=2), (1, 1), None),
    (has(""), has("", token=2), (1, 1), None),
    (has("11"), rushed(""), (1, 1), None),
    (has("2"), rushed(""), (1, 2), "twos"),
]
Ranking = tuple[Literal[1, 2], Literal[1, 2]]


@pytest.mark.parametrize(("mine", "theirs", "ranking", "tie_break"), WINNERS)
def test_who_wins(mine: Player, theirs: Player, ranking: Ranking, tie_break: str | None) -> None:
    result = ended(mine, theirs)
    assert (result.ranking, result.tie_break, result.reason) == (ranking, tie_break, "all_dug")


def test_a_tie_break_is_named_only_between_equal_points() -> None:
    result = ended(has("33"), has("2", token=2))
    assert result.totals == (6, 2)
    assert result.tie_break is None
