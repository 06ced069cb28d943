"""Reserving: the card, the gold, and what a refusal leaves as it was."""

from __future__ import annotations

import pytest

from app.games.contract import Malformed
from tests.games.splendor.positions import (
    GAME,
    after,
    back,
    blind,
    buy,
    card,
    has,
    legal,
    position,
    refusal,
    refused,
    reserve,
    stage,
    step,
    take,
    tokens,
)

ONE_RED = card("green", red=3)
TOP = card("blue", black=3)
BIG = card("blue", white=7)


def test_a_card_of_the_market_is_reserved_with_one_gold() -> None:
    state = position(has(), market={1: [ONE_RED]}, decks={1: [TOP, 3]})
    later = after(state, reserve(ONE_RED))
    assert [(it.card, it.blind) for it in later.players[0].reserved] == [(ONE_RED, False)]
    assert later.players[0].tokens == tokens(gold=1)
    assert later.bank[5] == 4
    assert later.market[0] == (TOP, *state.market[0][1:])
    assert later.decks[0] == (3,)
    assert later.turn == 1


def test_the_gap_is_filled_from_the_deck_of_its_level_in_its_place() -> None:
    state = position(has(), market={3: [80, BIG, 81, 82]}, decks={3: [70]})
    move = step(state, reserve(BIG))
    assert move.state.market == (*state.market[:2], (80, 70, 81, 82))
    assert [event.seen_by(None) for event in move.events] == [
        {"kind": "reserved", "seat": 0, "level": 3, "blind": False, "gold": 1, "card": BIG},
        {"kind": "revealed", "level": 3, "place": 1, "card": 70},
    ]
    assert move.barrier


def test_an_empty_deck_leaves_a_gap() -> None:
    state = position(has(), market={3: [80, BIG, 81, 82]}, decks={3: []})
    move = step(state, reserve(BIG))
    assert move.state.market[2] == (80, None, 81, 82)
    assert [event.kind for event in move.events] == ["reserved"]
    assert not move.barrier
    assert reserve(BIG) not in legal(move.state)
    assert GAME.view(move.state, 0)["market"]["3"] == [80, None, 81, 82]


def test_the_top_of_a_deck_is_reserved_unseen() -> None:
    state = position(has(), decks={2: [50, 51]})
    move = step(state, blind(2))
    assert [(it.card, it.blind) for it in move.state.players[0].reserved] == [(50, True)]
    assert move.state.decks[1] == (51,)
    assert move.state.market == state.market
    assert move.state.players[0].tokens == tokens(gold=1)


@pytest.mark.parametrize("move", [reserve(ONE_RED), blind(3)])
def test_without_gold_in_the_bank_a_card_can_still_be_reserved(move: dict[str, object]) -> None:
    state = position(has(), has(tokens(gold=5)), market={1: [ONE_RED]})
    later = step(state, move)
    assert later.state.players[0].tokens == tokens()
    assert len(later.state.players[0].reserved) == 1
    assert later.events[0].facts["gold"] == 0


def test_with_ten_tokens_the_gold_is_taken_all_the_same_and_one_returned() -> None:
    state = position(has(tokens(white=4, blue=4, green=2)), market={1: [ONE_RED]})
    later = after(state, reserve(ONE_RED))
    assert later.players[0].tokens == tokens(white=4, blue=4, green=2, gold=1)
    assert stage(later) == "return"
    assert refusal(later, back(gold=1)) == "ok"
    assert after(later, back(gold=1)).bank[5] == 5


def test_three_reserved_cards_are_the_most_and_only_buying_frees_a_place() -> None:
    state = position(
        has(tokens(red=3), reserved=[ONE_RED, 80], blind=[81]), market={1: [TOP]}, turn=0
    )
    assert refused(state, reserve(TOP)) == ("reserve_full", {"most": 3})
    assert refusal(state, blind(1)) == "reserve_full"
    assert legal(state, "reserve") == []
    bought = after(state, buy(ONE_RED), take("white", "blue", "black"))
    assert refusal(bought, reserve(TOP)) == "ok"
    taken = after(state, take("white", "blue", "black"), take("white", "blue", "black"))
    assert refusal(taken, reserve(TOP)) == "reserve_full"


def test_refused_reserves_change_nothing_and_hand_over_no_gold() -> None:
    """Own, unknown or fourth card, empty deck, not my turn: three times each, no gold moves."""
    full = position(has(reserved=[80, 81, 82]), market={1: [TOP]})
    free = position(has(), market={1: [TOP]}, decks={1: [], 2: [50]})
    bought = position(has(cards=[3]), has(reserved=[4], blind=[5]), market={1: [TOP]})
    mine = position(has(reserved=[80], blind=[81]), market={1: [TOP]})
    cases = [
        (mine, reserve(80), None, "reserved_already"),
        (mine, reserve(81), None, "reserved_already"),
        (full, reserve(80), None, "reserved_already"),
        (full, reserve(TOP), None, "reserve_full"),
        (full, blind(2), None, "reserve_full"),
        (free, blind(1), None, "deck_empty"),
        (free, reserve(50), None, "card_not_there"),
        (bought, reserve(3), None, "card_not_there"),
        (bought, reserve(4), None, "card_not_there"),
        (bought, reserve(5), None, "card_not_there"),
        (free, reserve(TOP), 1, "not_your_turn"),
        (free, blind(2), 1, "not_your_turn"),
    ]
    for state, move, seat, code in cases:
        before = GAME.dump(state)
        for _ in range(3):
            assert refusal(state, move, seat) == code
        assert GAME.dump(state) == before


@pytest.mark.parametrize("number", [-1, 90, 1000, 10**400])
def test_a_card_that_does_not_exist_is_no_move(number: int) -> None:
    for move in (reserve(number), buy(number)):
        with pytest.raises(Malformed):
            GAME.parse(move)
    with pytest.raises(Malformed):
        GAME.parse(blind(number))


def test_a_refusal_tells_nothing_of_where_a_hidden_card_is() -> None:
    """In a deck, reserved unseen by another, or bought: the same answer."""
    state = position(has(), has(blind=[5]), decks={1: [6, 7]})
    for number in (5, 6, 7):
        assert refused(state, reserve(number)) == ("card_not_there", {"card": number})
        assert refused(state, buy(number)) == ("card_not_there", {"card": number})


def test_reserves_are_listed_by_level_and_place_then_decks() -> None:
    state = position(has(), market={1: [0, None, 1, 2]}, decks={1: [], 2: [50], 3: [80]})
    listed = legal(state, "reserve")
    assert listed[:3] == [reserve(0), reserve(1), reserve(2)]
    assert listed[-2:] == [blind(2), blind(3)]
    assert len(listed) == 11 + 2
