"""Digging: announce a size, lift the top bar of one of the other's mountains."""

from __future__ import annotations

from typing import Any

import pytest

from app.games.gold_hunting.state import State
from tests.games.gold_hunting.positions import (
    GAME,
    after,
    bars,
    has,
    hunt,
    legal,
    position,
    refused,
    step,
    told,
)

PILES = {0: "", 1: "1", 2: "2", 3: "12", 5: "23", 9: "1233"}


def facing(pile: int, lifted: int, bust_min: int = 3) -> State:
    """Seat 0 has a pile of so many nuggets; the top bar of the other's mountain 2 is `lifted`."""
    theirs = has(token=2, mountains_=f"21 3 1{lifted} 12")
    return position(has(PILES[pile]), theirs, bust_min=bust_min)


CASES = [
    # pile, announced, lifted -> pile, box
    (0, 3, 1, 0, "1"),
    (1, 2, 1, 1, "1"),
    (1, 1, 2, 1, "2"),
    (2, 3, 1, 2, "1"),
    (2, 1, 3, 2, "3"),
    (3, 2, 3, 3, "3"),
    (3, 3, 2, 2, "12"),
    (3, 3, 1, 1, "12"),
    (5, 3, 2, 2, "23"),
    (9, 1, 3, 3, "1233"),
    # right
    (0, 1, 1, 1, ""),
    (0, 3, 3, 3, ""),
    (2, 1, 1, 3, ""),
    (3, 1, 1, 4, ""),
    (5, 3, 3, 8, ""),
    (9, 2, 2, 11, ""),
]


@pytest.mark.parametrize(("pile", "announced", "lifted", "then", "box"), CASES)
def test_cases(pile: int, announced: int, lifted: int, then: int, box: str) -> None:
    state = after(facing(pile, lifted), f"dig 2 as {announced}")
    assert sum(state.players[0].pile) == then
    assert state.box == bars(box)


@pytest.mark.parametrize(
    ("pile", "announced", "lifted", "then", "box"),
    [
        (2, 3, 1, 1, "2"),
        (2, 3, 2, 2, "2"),
        (2, 1, 3, 2, "3"),
        (1, 2, 1, 1, "1"),
        (0, 3, 1, 0, "1"),
        (3, 3, 2, 2, "12"),
        (2, 1, 1, 3, ""),
    ],
)
def test_a_pile_may_be_at_risk_from_two_nuggets_on(
    pile: int, announced: int, lifted: int, then: int, box: str
) -> None:
    state = after(facing(pile, lifted, bust_min=2), f"dig 2 as {announced}")
    assert sum(state.players[0].pile) == then
    assert state.box == bars(box)


def test_a_dig_lifts_the_top_bar_of_the_mountain_and_ends_the_turn() -> None:
    state = after(hunt(mine="21 321 123 12", theirs="111 32 232 12"), "dig 1 as 2")
    assert [list(stack) for stack in state.players[1].mountains] == [
        [1, 1, 1],
        [3],
        [2, 3, 2],
        [1, 2],
    ]
    assert state.players[0].mountains == hunt().players[0].mountains
    assert state.players[0].pile == (2,)
    assert GAME.actors(state) == (1,)
    assert GAME.view(state, None)["heights"] == [[3, 6, 6, 3], [3, 3, 7, 3]]


def test_everybody_is_told_what_was_announced_and_lifted() -> None:
    right = step(facing(2, 3), "dig 2 as 3")
    dug = {"kind": "dug", "seat": 0, "mountain": 2, "announced": 3, "lifted": 3, "right": True}
    assert told(right) == [{**dug, "height": 1, "pile": 5}]
    wrong = step(facing(2, 1), "dig 2 as 3")
    assert told(wrong) == [{**dug, "lifted": 1, "right": False, "height": 1, "pile": 2}]
    assert not any(event.secrets for event in (*right.events, *wrong.events))


def test_everybody_is_told_of_a_pile_that_was_lost() -> None:
    lost = step(facing(5, 2), "dig 2 as 3")
    assert [event["kind"] for event in told(lost)] == ["dug", "lost_pile"]
    assert told(lost)[1] == {
        "kind": "lost_pile",
        "seat": 0,
        "bars": [2, 3],
        "nuggets": 5,
        "kept": 2,
    }


@pytest.mark.parametrize(
    ("pile", "announced", "lifted", "lost"),
    [(3, 3, 2, [1, 2]), (3, 2, 3, []), (0, 1, 1, []), (3, 3, 3, [])],
)
def test_the_view_shows_the_last_lift(pile: int, announced: int, lifted: int, lost: Any) -> None:
    state = after(facing(pile, lifted), f"dig 2 as {announced}")
    assert GAME.view(state, None)["last"] == {
        "seat": 0,
        "mountain": 2,
        "announced": announced,
        "lifted": lifted,
        "right": announced == lifted,
        "rush": False,
        "lost": lost,
    }


def test_a_single_bar_equal_to_the_pile_is_not_a_pile_lost() -> None:
    """A pile of one bar of 3, and another 3 called 2: the bar goes, the pile stays."""
    state = position(has("3"), has(token=2, mountains_="21 3 13 12"))
    missed = step(state, "dig 2 as 2")
    assert [event.kind for event in missed.events] == ["dug"]
    assert (missed.state.players[0].pile, missed.state.box) == ((3,), (3,))


def test_three_may_be_announced_on_a_mountain_of_one_nugget() -> None:
    state = position(has(), has(token=2, mountains_="1 - - -"))
    assert legal(state)[:3] == ["dig 0 as 1", "dig 0 as 2", "dig 0 as 3"]
    missed = after(state, "dig 0 as 3")
    assert (missed.players[0].pile, missed.box) == ((), (1,))


def test_a_mountain_that_is_gone_keeps_its_number_and_cannot_be_dug() -> None:
    state = position(has(), has(token=2, mountains_="- 3 - 12"))
    gone = {"mountain": 2, "legal": [1, 3]}
    assert refused(state, "dig 2 as 1") == ("mountain_gone", gone)
    assert refused(state, "rush 2") == ("mountain_gone", gone)
    assert GAME.view(state, 0)["heights"][1] == [0, 3, 0, 3]
    assert legal(state) == [
        *("dig 1 as 1", "dig 1 as 2", "dig 1 as 3"),
        *("dig 3 as 1", "dig 3 as 2", "dig 3 as 3"),
        *("rush 1", "rush 3"),
    ]


@pytest.mark.parametrize("move", ["dig 0 as 1", "rush 0", "safe"])
def test_only_the_seat_to_move_may_move(move: str) -> None:
    assert refused(hunt(), move, seat=1) == ("not_your_turn", {})
    assert GAME.prompt(hunt(), 1) is None


def test_the_turns_alternate() -> None:
    state = hunt()
    for number in range(8):
        assert GAME.actors(state) == (number % 2,)
        state = after(state, legal(state)[0])


def test_a_dig_uses_no_chance_and_cannot_be_taken_back() -> None:
    assert step(hunt(), "dig 0 as 1").barrier
