"""Buying: prices after bonuses, gold by choice, and never more than the price."""

from __future__ import annotations

import pytest

from tests.games.splendor.positions import (
    GAME,
    Move,
    after,
    bonus_cards,
    buy,
    card,
    has,
    legal,
    position,
    refusal,
    refused,
    step,
    tokens,
)

RED3 = card("green", red=3)
MIX = card("black", white=2, blue=2, red=1)
DEAR = card("green", white=5, blue=3, red=3, black=3)
BLACK7 = card("white", black=7)


def with_gold(number: int, **gold: int) -> Move:
    """A buy that spells the gold out, also where it is none."""
    return {"kind": "buy", "card": number, "gold": gold}


def test_the_tokens_go_to_the_bank_and_the_card_to_the_player() -> None:
    state = position(has(tokens(red=4, blue=1)), market={1: [RED3]}, decks={1: [3, 4]})
    later = after(state, buy(RED3))
    assert later.players[0].cards == (RED3,)
    assert later.players[0].tokens == tokens(red=1, blue=1)
    assert later.bank == (4, 3, 4, 3, 4, 5)
    assert later.market[0][0] == 3
    assert later.decks[0] == (4,)
    assert later.turn == 1


def test_a_reserved_card_is_bought_from_the_hand() -> None:
    state = position(has(tokens(red=3), reserved=[RED3], blind=[80]), market={1: [3, 4, 5, 6]})
    later = after(state, buy(RED3))
    assert later.market == state.market
    assert later.decks == state.decks
    assert [it.card for it in later.players[0].reserved] == [80]


def test_another_players_reserved_card_cannot_be_bought() -> None:
    state = position(has(tokens(red=3)), has(reserved=[RED3]))
    assert refused(state, buy(RED3)) == ("card_not_there", {"card": RED3})


def test_each_bonus_takes_one_off_and_never_below_zero() -> None:
    owned = bonus_cards(red=1, white=4)
    state = position(has(tokens(red=2), cards=owned), market={1: [RED3]})
    later = after(state, buy(RED3))
    assert later.players[0].tokens == tokens()
    assert later.bank == (4, 4, 4, 4, 4, 5)


def test_a_cost_covered_by_bonuses_is_free() -> None:
    state = position(has(cards=bonus_cards(red=3)), market={1: [RED3]})
    assert legal(state, "buy") == [with_gold(RED3)]
    later = after(state, buy(RED3))
    assert later.bank == state.bank
    assert step(state, buy(RED3)).events[0].facts["paid"] == {}


def test_one_token_short_cannot_be_paid() -> None:
    state = position(has(tokens(red=2, blue=4)), market={1: [RED3]})
    facts = {"card": RED3, "price": {"red": 3}, "missing": {"red": 1}}
    assert refused(state, buy(RED3)) == ("cannot_pay", facts)
    assert refused(state, with_gold(RED3, red=1)) == ("cannot_pay", facts)
    assert refused(state, with_gold(RED3)) == ("cannot_pay", facts)
    assert legal(state, "buy") == []


PAYMENTS = [
    # (tokens held, gold spelled out) for a price of three red -> result
    ({"red": 2, "gold": 1}, {"red": 1}, "ok"),
    ({"gold": 3}, {"red": 3}, "ok"),
    ({"red": 3, "gold": 3}, {}, "ok"),
    ({"red": 3, "gold": 3}, {"red": 1}, "ok"),
    ({"red": 3, "gold": 3}, {"red": 3}, "ok"),
    ({"red": 3, "gold": 4}, {"red": 4}, "gold_not_owed"),
    ({"red": 3, "gold": 3}, {"blue": 1}, "gold_not_owed"),
    ({"red": 3, "gold": 3}, {"red": 2, "white": 1}, "gold_not_owed"),
    ({"red": 3, "gold": 1}, {"red": 2}, "not_enough_gold"),
    ({"red": 3}, {"red": 1}, "not_enough_gold"),
    ({"red": 2, "gold": 2}, {}, "not_enough_tokens"),
    ({"red": 1, "gold": 2}, {"red": 1}, "not_enough_tokens"),
    ({"red": 2}, {}, "cannot_pay"),
]


@pytest.mark.parametrize(("held", "gold", "result"), PAYMENTS)
def test_gold_pays_for_any_token_by_choice(
    held: dict[str, int], gold: dict[str, int], result: str
) -> None:
    state = position(has(), has(), has(tokens(**held)), market={1: [RED3]}, turn=2)
    move = with_gold(RED3, **gold)
    assert refusal(state, move) == result
    assert (move in legal(state)) == (result == "ok")


def test_gold_may_be_spent_while_the_colour_is_still_in_hand() -> None:
    state = position(has(tokens(red=3, gold=2)), market={1: [RED3]})
    later = after(state, buy(RED3, red=2))
    assert later.players[0].tokens == tokens(red=2)
    assert later.bank == (4, 4, 4, 2, 4, 5)
    kept = after(state, buy(RED3))
    assert kept.players[0].tokens == tokens(gold=2)


def test_gold_is_not_owed_for_what_a_bonus_covers() -> None:
    state = position(has(tokens(red=3, gold=3), cards=bonus_cards(red=1)), market={1: [RED3]})
    facts = {"card": RED3, "colour": "red", "owed": 2}
    assert refused(state, buy(RED3, red=3)) == ("gold_not_owed", facts)
    assert refusal(state, buy(RED3, red=2)) == "ok"


def test_gold_left_out_means_as_little_as_possible() -> None:
    state = position(has(tokens(white=1, blue=2, red=1, gold=3)), market={1: [MIX]})
    assert step(state, buy(MIX)) == step(state, buy(MIX, white=1))
    assert GAME.settled(state, 0, GAME.parse(buy(MIX))) == GAME.parse(buy(MIX, white=1))
    enough = position(has(tokens(white=2, blue=2, red=1, gold=3)), market={1: [MIX]})
    assert step(enough, buy(MIX)) == step(enough, with_gold(MIX))
    assert GAME.settled(enough, 0, GAME.parse(buy(MIX))) == GAME.parse(with_gold(MIX))


def test_only_a_payment_that_was_left_out_is_filled_in() -> None:
    state = position(has(tokens(red=2)), market={1: [RED3]})
    for move in (buy(RED3), with_gold(RED3), buy(RED3, red=1), {"kind": "pass"}):
        assert GAME.settled(state, 0, GAME.parse(move)) == GAME.parse(move)


def test_every_different_payment_is_listed_once_least_gold_first() -> None:
    state = position(has(tokens(white=1, blue=2, red=1, gold=3)), market={1: [MIX, 3, 4, 5]})
    listed = [move for move in legal(state, "buy") if move["card"] == MIX]
    assert [move["gold"] for move in listed] == [
        {"white": 1},
        {"white": 1, "red": 1},
        {"white": 1, "blue": 1},
        {"white": 2},
        {"white": 1, "blue": 1, "red": 1},
        {"white": 1, "blue": 2},
        {"white": 2, "red": 1},
        {"white": 2, "blue": 1},
    ]


def test_without_a_choice_there_is_one_payment() -> None:
    exact = position(has(tokens(white=1, blue=2, red=1, gold=1)), market={1: [MIX]})
    assert [m for m in legal(exact, "buy") if m["card"] == MIX] == [buy(MIX, white=1)]


def test_the_most_choices_there_can_be_are_still_listed() -> None:
    """Five gold for a card of four colours: every share of it, and each only once."""
    held = tokens(white=4, blue=1, gold=5)
    state = position(
        has(held, cards=bonus_cards(red=3, black=3)), has(), has(), has(), market={3: [DEAR]}
    )
    golds = [tuple(sorted(m["gold"].items())) for m in legal(state, "buy") if m["card"] == DEAR]
    assert len(set(golds)) == len(golds)
    # One for white and two for blue are owed in gold; two more may go to four white, one blue.
    assert sorted(sum(n for _, n in gold) for gold in golds) == [3, 4, 4, 5, 5]


def test_buys_are_listed_by_level_and_place_then_the_own_reserve() -> None:
    state = position(
        has(cards=bonus_cards(red=3, black=3), reserved=[0]),
        market={1: [RED3, card("blue", black=3), 33, 34]},
    )
    assert [move["card"] for move in legal(state, "buy")] == [RED3, card("blue", black=3)]
    rich = position(has(tokens(green=1), cards=bonus_cards(red=3, black=3), reserved=[0]))
    assert legal(rich, "buy")[-1] == with_gold(0)


def test_reserved_cards_and_tokens_give_no_bonus() -> None:
    state = position(has(tokens(red=2), reserved=bonus_cards(red=3)), market={1: [RED3]})
    assert refusal(state, buy(RED3)) == "cannot_pay"


def test_a_bought_card_is_told_with_what_others_want_to_know() -> None:
    state = position(has(tokens(black=4, gold=3)), has(), has(), market={3: [BLACK7]})
    bought, revealed = step(state, buy(BLACK7)).events
    assert (
        bought.seen_by(None)
        == bought.seen_by(1)
        == {
            "kind": "bought",
            "seat": 0,
            "card": BLACK7,
            "level": 3,
            "bonus": "white",
            "points": 4,
            "paid": {"black": 4, "gold": 3},
            "reserved": False,
        }
    )
    assert (revealed.kind, revealed.facts["place"]) == ("revealed", 0)
