"""Taking tokens: what goes together, strict and loose."""

from __future__ import annotations

import pytest

from app.games.splendor.gems import COLOURS
from app.games.splendor.state import State
from tests.games.splendor.positions import (
    after,
    has,
    kinds,
    legal,
    new_game,
    position,
    refusal,
    refused,
    step,
    take,
    tokens,
)


def bank(left: dict[str, int], *, loose: bool = False) -> State:
    """Three seats, of which 1 and 2 hold what is missing from 5 of each colour in the bank."""
    gone = [5 - left.get(colour, 0) for colour in COLOURS]
    return position(has(), has((*gone, 0)), has(), loose=loose)


W, B, G, R, K = COLOURS
FULL = dict.fromkeys(COLOURS, 5)

CASES = [
    # bank -> take -> strict, loose
    (FULL, (W, B, R), "ok", "ok"),
    (FULL, (W, B), "take_how_many", "ok"),
    (FULL, (W,), "take_how_many", "ok"),
    (FULL, (), "take_how_many", "take_how_many"),
    (FULL, (W, B, G, R), "take_how_many", "take_how_many"),
    (FULL, (G, G), "ok", "ok"),
    ({R: 4}, (R, R), "ok", "ok"),
    ({R: 3}, (R, R), "pair_needs_four", "pair_needs_four"),
    ({R: 2}, (R, R), "pair_needs_four", "pair_needs_four"),
    ({R: 1}, (R, R), "pair_needs_four", "pair_needs_four"),
    (FULL, (G, G, R), "pair_stands_alone", "pair_stands_alone"),
    (FULL, (G, G, G), "pair_stands_alone", "pair_stands_alone"),
    (FULL, (G, G, R, R), "pair_stands_alone", "pair_stands_alone"),
    (FULL, ("gold",), "gold_not_taken", "gold_not_taken"),
    (FULL, ("gold", "gold"), "gold_not_taken", "gold_not_taken"),
    (FULL, (W, B, "gold"), "gold_not_taken", "gold_not_taken"),
    ({W: 1, B: 1}, (W, B, "gold"), "gold_not_taken", "gold_not_taken"),
    ({W: 1, B: 1, G: 1}, (W, B, G), "ok", "ok"),
    ({W: 1, B: 1, G: 1}, (W, B), "take_how_many", "ok"),
    ({W: 1, B: 1, G: 1}, (W, B, R), "colour_empty", "colour_empty"),
    ({W: 1, B: 1}, (W, B), "ok", "ok"),
    ({W: 1, B: 1}, (W,), "take_how_many", "ok"),
    ({W: 5, B: 1}, (W, W), "ok", "ok"),
    ({W: 5, B: 1}, (W,), "take_how_many", "ok"),
    ({W: 1}, (W,), "ok", "ok"),
    ({W: 5}, (W,), "ok", "ok"),
    ({W: 1}, (), "take_how_many", "take_how_many"),
    ({}, (), "take_how_many", "take_how_many"),
    ({}, (W,), "colour_empty", "colour_empty"),
]


@pytest.mark.parametrize(("left", "gems", "strict", "loose"), CASES)
def test_what_may_be_taken(
    left: dict[str, int], gems: tuple[str, ...], strict: str, loose: str
) -> None:
    assert refusal(bank(left), take(*gems)) == strict
    assert refusal(bank(left, loose=True), take(*gems)) == loose


def test_two_players_start_with_four_of_a_colour_so_one_pair_may_be_taken() -> None:
    state = after(new_game(2), take(R, R))
    assert state.bank[3] == 2
    assert refusal(state, take(R, R)) == "pair_needs_four"
    assert refusal(after(new_game(2), take(W, B, R)), take(R, R)) == "pair_needs_four"


def test_tokens_go_from_the_bank_to_the_player() -> None:
    state = after(new_game(2), take(R, W, B), take(G, G))
    assert state.players[0].tokens == tokens(white=1, blue=1, red=1)
    assert state.players[1].tokens == tokens(green=2)
    assert state.bank == (3, 3, 2, 3, 4, 5)
    assert state.turn == 0


def test_any_order_is_the_same_move() -> None:
    state = new_game(2)
    assert step(state, take(R, W, B)) == step(state, take(B, R, W))


def test_all_takes_are_listed_once_in_one_order() -> None:
    takes = legal(new_game(2), "take")
    assert len(takes) == 15
    assert takes[:3] == [take(W, B, G), take(W, B, R), take(W, B, K)]
    assert takes[10:] == [take(gem, gem) for gem in COLOURS]
    assert legal(bank({R: 4, G: 1}), "take") == [take(G, R), take(R, R)]
    assert legal(bank({R: 3}), "take") == [take(R)]
    assert legal(bank({}), "take") == []


def test_a_loose_take_lists_one_to_three() -> None:
    takes = legal(new_game(2, loose_take=True), "take")
    assert len(takes) == 10 + 10 + 5 + 5
    assert legal(bank({R: 3, G: 1}, loose=True), "take") == [take(G, R), take(G), take(R)]


def test_a_refusal_says_what_would_be_possible() -> None:
    left = [W, B]
    assert refused(bank({W: 1, B: 1}), take(W)) == (
        "take_how_many",
        {"least": 2, "most": 2, "left": left, "pairs": []},
    )
    assert refused(bank({W: 1, B: 1}, loose=True), take()) == (
        "take_how_many",
        {"least": 1, "most": 2, "left": left, "pairs": []},
    )
    assert refused(bank({W: 1, R: 4, B: 1}), take(W)) == (
        "take_how_many",
        {"least": 3, "most": 3, "left": [W, B, R], "pairs": [R]},
    )
    assert refused(bank({W: 1, B: 1}), take(W, R)) == (
        "colour_empty",
        {"colour": R, "left": left},
    )
    assert refused(bank({R: 3}), take(R, R)) == (
        "pair_needs_four",
        {"colour": R, "held": 3, "needed": 4},
    )


def test_a_take_is_told() -> None:
    (event,) = step(new_game(2), take(R, W, B)).events
    assert event.seen_by(1) == {"kind": "took", "seat": 0, "gems": [W, B, R]}
    assert kinds(new_game(2), take(R, R)) == ["took"]
