"""Strongbox: the awkward things that it is there for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.games.chance import Chance
from app.games.contract import IllegalMove
from tests.conformance.driver import Position, advance, barrier, default_options, start
from tests.tiny.games import TORTURE
from tests.tiny.torture.moves import Bid, Hide, Move, Peek, Raid, Respond, Shift
from tests.tiny.torture.rules import Strongbox
from tests.tiny.torture.state import EVERYBODY, State

GAME = Strongbox()


def opened() -> Position:
    """A game for two in which seat 0 begins: boxes 2 2 2 and 1 2 3, bids 3 and 0."""
    position = start(TORTURE, 2, default_options(TORTURE), b"strongbox")
    moves: list[tuple[int, Move]] = [
        (1, Hide((1, 2, 3))),
        (0, Hide((2, 2, 2))),
        (1, Bid(0)),
        (0, Bid(3)),
    ]
    for seat, move in moves:
        position = advance(position, seat, move)
    return position


def with_tokens(position: Position, *tokens: str) -> Position:
    return replace(position, state=replace(position.state, tokens=tokens))


def test_everybody_hides_at_once_and_in_any_way_that_adds_up() -> None:
    position = start(TORTURE, 3, default_options(TORTURE), b"strongbox")
    assert GAME.actors(position.state) == (0, 1, 2)
    position = advance(position, 1, Hide((0, 5, 1)))
    assert GAME.actors(position.state) == (0, 2)
    with pytest.raises(IllegalMove) as refused:
        advance(position, 0, Hide((2, 2, 3)))
    assert refused.value.facts == {"expected": 6, "got": 7}
    with pytest.raises(IllegalMove, match="wrong_sum"):
        advance(position, 0, Hide((-1, 4, 3)))


def test_bids_are_secret_until_all_have_bid() -> None:
    position = start(TORTURE, 2, default_options(TORTURE), b"strongbox")
    for seat in (0, 1):
        position = advance(position, seat, Hide((2, 2, 2)))
    position = advance(position, 1, Bid(2))
    assert GAME.view(position.state, 0)["bids"] == [None, None]
    assert GAME.view(position.state, 0)["ready"] == [False, True]
    assert not barrier_of(position)
    position = advance(position, 0, Bid(3))
    assert GAME.view(position.state, None)["bids"] == [3, 2]
    assert barrier_of(position)


def barrier_of(position: Position) -> bool:
    assert position.before is not None
    return barrier(position.before, position)


def test_a_raid_asks_its_target_even_one_without_a_shield() -> None:
    position = advance(with_tokens(opened(), "blank", "blank"), 0, Raid(1, 2))
    assert GAME.actors(position.state) == (1,)
    assert position.barrier
    prompt = GAME.prompt(position.state, 1)
    assert prompt is not None
    assert prompt.legal == (Respond(shield=False),)
    with pytest.raises(IllegalMove, match="no_shield"):
        advance(position, 1, Respond(shield=True))


def test_a_shield_stops_a_raid_once() -> None:
    position = advance(with_tokens(opened(), "blank", "shield"), 0, Raid(1, 2))
    position = advance(position, 1, Respond(shield=True))
    assert position.state.tokens == ("blank", "used")
    assert position.state.loot == (0, 0)
    assert position.state.turn == 1


def test_a_raid_takes_the_box_or_misses_by_chance() -> None:
    raided = advance(with_tokens(opened(), "blank", "blank"), 0, Raid(1, 2)).state
    loots = set()
    for k in range(30):
        chance = Chance(b"die", k)
        after = GAME.apply(raided, 1, Respond(shield=False), chance).state
        assert chance.used
        assert after.wealth(0) + after.wealth(1) == 12
        loots.add(after.loot)
        if after.loot == (3, 0):
            assert (EVERYBODY, 1, 2) in after.known
    assert loots == {(0, 0), (3, 0)}


def test_peeking_tells_the_mover_alone_and_shifting_makes_it_stale() -> None:
    position = advance(opened(), 0, Peek(1, 2))
    assert GAME.view(position.state, 0)["boxes"][1] == [None, None, 3]
    assert GAME.view(position.state, None)["boxes"][1] == [None, None, None]
    assert barrier_of(position)
    position = advance(position, 1, Shift(2, 0))
    assert GAME.view(position.state, 0)["boxes"][1] == [None, None, None]
    assert not barrier_of(position)


def test_one_shift_a_turn() -> None:
    position = advance(opened(), 0, Shift(0, 1))
    assert GAME.actors(position.state) == (0,)
    with pytest.raises(IllegalMove, match="not_now"):
        advance(position, 0, Shift(1, 0))


def state(boxes: tuple[tuple[int, ...], ...], **more: object) -> State:
    seats = len(boxes)
    plain = State(2, 3, boxes, (0,) * seats, ("blank",) * seats, (), (0,) * seats, left=4)
    return replace(plain, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("end", "reason", "ranking", "tie_break"),
    [
        (state(((6, 4, 0), (1, 1, 0))), "rich", (1, 2), None),
        (state(((0, 0, 0), (3, 3, 3), (3, 3, 3))), "ruined", (3, 1, 1), None),
        (
            state(((3, 3, 3), (0, 0, 0), (3, 3, 3)), tokens=("used", "blank", "blank")),
            "ruined",
            (2, 3, 1),
            "token",
        ),
        (state(((2, 2, 2), (2, 2, 2)), left=0), "last_round", (1, 1), None),
        (
            state(((2, 2, 2), (2, 2, 2)), left=0, tokens=("blank", "used")),
            "last_round",
            (1, 2),
            "token",
        ),
    ],
)
def test_three_ways_to_end(
    end: State, reason: str, ranking: tuple[int, ...], tie_break: str | None
) -> None:
    outcome = GAME.outcome(end)
    assert outcome is not None
    assert (outcome.reason, outcome.ranking, outcome.tie_break) == (reason, ranking, tie_break)
