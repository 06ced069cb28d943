"""What the page says about a move before it is made."""

from __future__ import annotations

import pytest

from app.games.splendor.state import State
from tests.games.splendor.positions import (
    GAME,
    PASS,
    Move,
    back,
    blind,
    bonus_cards,
    card,
    choose,
    has,
    legal,
    noble,
    position,
    reserve,
    step,
    take,
    tokens,
)

RED3 = card("green", red=3)


def preview(state: State, move: Move) -> dict[str, object]:
    return dict(GAME.preview(GAME.view(state, state.turn), move))


def test_a_buy_shows_price_payment_and_points() -> None:
    seven = card("white", black=7)
    state = position(
        has(tokens(black=4, gold=2), cards=bonus_cards(black=2)), has(), has(), market={3: [seven]}
    )
    moves = [move for move in legal(state, "buy") if move["card"] == seven]
    assert preview(state, moves[0]) == {
        "price": {"black": 5},
        "paid": {"black": 4, "gold": 1},
        "points": 4,
        "nobles": [],
    }
    assert preview(state, moves[1])["paid"] == {"black": 3, "gold": 2}


def test_a_buy_shows_the_nobles_that_would_come() -> None:
    green_blue = noble(blue=4, green=4)
    others = [n for n in bonus_cards(green=4) if n != RED3][:3]
    owned = (*bonus_cards(blue=4, red=3), *others)
    state = position(
        has(cards=owned), market={1: [RED3]}, nobles=[green_blue, noble(red=4, black=4)]
    )
    move = {"kind": "buy", "card": RED3, "gold": {}}
    assert preview(state, move) == {"price": {}, "paid": {}, "points": 0, "nobles": [green_blue]}


@pytest.mark.parametrize(
    ("move", "gold", "surplus"),
    [
        (take("white", "green", "red"), 0, 2),
        (take("green", "green"), 0, 1),
        (reserve(0), 1, 0),
        (blind(3), 1, 0),
    ],
)
def test_a_take_or_reserve_shows_the_gold_and_what_must_be_returned(
    move: Move, gold: int, surplus: int
) -> None:
    state = position(has(tokens(white=3, blue=3, gold=3)), has(), has(), market={1: [0]})
    assert preview(state, move) == {"gold": gold, "return": surplus}
    later = step(state, move).state
    assert max(0, sum(later.players[0].tokens) - 10) == surplus


def test_without_gold_in_the_bank_a_reserve_brings_none() -> None:
    state = position(has(), has(tokens(gold=5)), market={1: [0]})
    assert preview(state, reserve(0)) == {"gold": 0, "return": 0}


def test_any_card_has_a_price_and_what_is_missing_of_it() -> None:
    seven = card("white", black=7)
    state = position(
        has(tokens(black=1, gold=2), cards=bonus_cards(black=2)), has(), market={3: [seven]}
    )
    assert preview(state, {"kind": "buy", "card": seven}) == {
        "price": {"black": 5},
        "lack": {"black": 4},
        "missing": 2,
    }


def test_any_noble_says_what_it_still_needs() -> None:
    four_four = noble(blue=4, green=4)
    state = position(has(cards=bonus_cards(blue=3, green=4)), has(), nobles=[four_four])
    assert preview(state, choose(four_four)) == {"needs": {"blue": 1}}


def test_other_moves_say_nothing() -> None:
    for move in (PASS, back(red=1)):
        assert preview(position(has()), move) == {}


def test_own_reserved_cards_are_previewed_too() -> None:
    state = position(has(tokens(red=3), blind=[RED3]))
    move = {"kind": "buy", "card": RED3, "gold": {}}
    assert move in legal(state)
    assert preview(state, move)["price"] == {"red": 3}
