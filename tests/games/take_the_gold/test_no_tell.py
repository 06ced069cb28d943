"""The answer is asked of every target in the same way, whatever is in the hand."""

from __future__ import annotations

import pytest

from app.games.chance import Chance
from app.games.take_the_gold.state import State
from app.play.barrier import is_barrier
from tests.games.take_the_gold.positions import (
    GAME,
    actor,
    after,
    position,
    stage,
    step,
    told,
)

ATTACKS = ("pirate", "two_pirates", "kraken", "captain")
HANDS = ("officer captain", "coin two_officers", "pirate pirate", "kraken two_pirates", "coin coin")


def attacked(attack: str, hand: str) -> State:
    return position(f"{attack} officer", hand, "pirate coin", draw="pirate officer")


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("hand", HANDS)
def test_every_target_is_asked(attack: str, hand: str) -> None:
    state = after(attacked(attack, hand), f"{attack}>1")
    assert stage(state) == "respond 1"
    prompt = GAME.prompt(state, 1)
    assert prompt is not None
    assert prompt.stage == "respond"
    assert prompt.legal[-1].wire() == {"kind": "respond", "with": None}
    assert not prompt.open


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("viewer", [0, 2, None])
def test_the_others_see_the_same_whatever_the_target_holds(attack: str, viewer: int | None) -> None:
    seen = set()
    for hand in HANDS:
        move = step(attacked(attack, hand), f"{attack}>1")
        seen.add(str((GAME.view(move.state, viewer), GAME.actors(move.state), told(move, viewer))))
    assert len(seen) == 1


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("hand", HANDS)
def test_asking_uses_no_chance_and_cannot_be_taken_back(attack: str, hand: str) -> None:
    before, chance = attacked(attack, hand), Chance(b"attack", 1)
    move = step(before, f"{attack}>1", by=chance)
    assert not chance.used
    assert move.barrier


@pytest.mark.parametrize("attack", ["pirate", "two_pirates", "captain"])
def test_not_answering_uses_chance_whatever_the_target_holds(attack: str) -> None:
    for hand in ("coin", "pirate", "officer", "coin pirate", "officer coin captain"):
        state, chance = after(attacked(attack, hand), f"{attack}>1"), Chance(b"answer", 1)
        step(state, "with nothing", by=chance)
        assert chance.used, hand


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("answer", ["nothing", "officer"])
def test_an_answer_cannot_be_taken_back(seats: int, answer: str) -> None:
    hands = ["pirate coin", "officer pirate", "coin coin"][:seats]
    state, chance = after(position(*hands), "pirate>1"), Chance(b"answer", 1)
    move = step(state, f"with {answer}", by=chance)
    assert is_barrier(
        1,
        move,
        drew=chance.used,
        before={1: "respond"},
        after={actor(move.state): move.state.stage},
    )


def test_only_a_pass_before_a_discard_can_be_taken_back() -> None:
    state = position("officer officer coin coin captain kraken", "coin")
    move = step(state, "pass")
    assert stage(move.state) == "discard 0"
    assert not is_barrier(0, move, drew=False, before={0: "play"}, after={0: "discard"})
    assert GAME.taken_back(state, 0, [GAME.parse({"kind": "pass"})]) == state
