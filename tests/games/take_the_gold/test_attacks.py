"""The four attacks and what each answer makes of them."""

from __future__ import annotations

from collections import Counter

import pytest

from app.games.take_the_gold.state import Attack, Settled
from tests.games.take_the_gold.positions import (
    after,
    chance,
    kinds,
    legal,
    position,
    refusal,
    refused,
    stage,
    step,
    told,
)

HAND = "pirate officer two_officers coin kraken captain"
ATTACKS = ("pirate", "two_pirates", "kraken", "captain")

OUTCOMES = [
    # attack, hand of the target, answer -> cards stolen, cards left, draws for an empty hand
    ("pirate", HAND, "nothing", 1, 5, 0),
    ("pirate", HAND, "officer", 0, 5, 0),
    ("pirate", HAND, "two_officers", 0, 5, 0),
    ("pirate", "kraken", "nothing", 1, 2, 1),
    ("pirate", "officer", "officer", 0, 2, 1),
    ("two_pirates", HAND, "nothing", 2, 4, 0),
    ("two_pirates", HAND, "officer", 1, 4, 0),
    ("two_pirates", HAND, "two_officers", 0, 5, 0),
    ("two_pirates", "kraken", "nothing", 1, 2, 1),
    ("two_pirates", "coin kraken", "nothing", 2, 2, 1),
    ("two_pirates", "officer", "officer", 1, 1, 1),
    ("two_pirates", "officer coin", "officer", 1, 2, 1),
    ("two_pirates", "two_officers", "two_officers", 0, 2, 1),
    ("captain", HAND, "nothing", 2, 4, 0),
    ("captain", HAND, "coin", 0, 5, 0),
    ("captain", "kraken", "nothing", 1, 2, 1),
    ("captain", "coin", "coin", 0, 2, 1),
    ("captain", "coin coin", "coin", 0, 1, 0),
    ("kraken", HAND, "captain", 0, 5, 0),
    ("kraken", HAND, "nothing", 0, 2, 1),
    ("kraken", "captain", "captain", 0, 2, 1),
]


@pytest.mark.parametrize(("card", "hand", "answer", "stolen", "left", "draws"), OUTCOMES)
def test_what_comes_of_an_attack(
    card: str, hand: str, answer: str, stolen: int, left: int, draws: int
) -> None:
    before = position(f"{card} pirate", "pirate", hand)
    attacked = after(before, f"{card}>2")
    for k in range(20):
        move = step(attacked, f"with {answer}", by=chance(k))
        state = move.state
        paid = answer == "coin"
        assert len(state.hands[0]) == 1 + stolen + paid
        assert len(state.hands[2]) == left
        assert kinds(move).count("drew empty") == draws
        with_card = None if answer == "nothing" else answer
        lost = after(before).hands[2] if card == "kraken" and not with_card else ()
        assert state.last == Settled(card, 0, 2, with_card, stolen, lost)
        assert state.table is None
        assert stage(state) == "play 1"
        lying = Counter([card, *([answer] if with_card and not paid else [])])
        if card == "kraken" and not with_card:
            lying = Counter(lost)
        assert Counter(state.discards) == lying


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_lies_on_the_table_while_the_target_is_asked(attack: str) -> None:
    move = step(position(f"{attack} coin", HAND, "coin"), f"{attack}>1")
    assert move.state.table == Attack(attack, 0, 1)
    assert move.state.hands[0] == ("coin",)
    assert move.state.discards == ()
    assert stage(move.state) == "respond 1"
    assert told(move) == [{"kind": "attacked", "seat": 0, "target": 1, "card": attack}]


LEGAL = [
    # attack, hand -> answers
    ("pirate", HAND, ["officer", "two_officers"]),
    ("two_pirates", HAND, ["officer", "two_officers"]),
    ("kraken", HAND, ["captain"]),
    ("captain", HAND, ["coin"]),
    *((attack, "pirate kraken", []) for attack in ("pirate", "two_pirates", "kraken", "captain")),
    ("kraken", "officer two_officers coin", []),
    ("captain", "officer captain two_officers", []),
    ("pirate", "captain coin", []),
]


@pytest.mark.parametrize(("attack", "hand", "answers"), LEGAL)
def test_the_target_may_answer_with_what_it_holds_or_with_nothing(
    attack: str, hand: str, answers: list[str]
) -> None:
    state = after(position(f"{attack} coin", hand), f"{attack}>1")
    assert legal(state) == [*(f"with {card}" for card in answers), "with nothing"]


WRONG = [
    # attack, answer -> why not, holding one of each card
    ("captain", "officer", "does_not_answer"),
    ("captain", "two_officers", "does_not_answer"),
    ("captain", "captain", "does_not_answer"),
    ("kraken", "officer", "does_not_answer"),
    ("kraken", "two_officers", "does_not_answer"),
    ("kraken", "coin", "does_not_answer"),
    ("pirate", "captain", "does_not_answer"),
    ("pirate", "coin", "does_not_answer"),
    ("two_pirates", "captain", "does_not_answer"),
    ("two_pirates", "coin", "does_not_answer"),
]


@pytest.mark.parametrize(("attack", "answer", "code"), WRONG)
def test_a_card_that_does_not_answer_the_attack_is_refused(
    attack: str, answer: str, code: str
) -> None:
    state = after(position(f"{attack} coin", HAND), f"{attack}>1")
    fits = [move.split()[1] for move in legal(state)[:-1]]
    assert refused(state, f"with {answer}") == (
        code,
        {"card": answer, "attack": attack, "fits": fits},
    )


def test_a_card_that_one_does_not_hold_is_no_answer() -> None:
    state = after(position("pirate coin", "coin"), "pirate>1")
    assert refused(state, "with officer") == ("not_in_hand", {"card": "officer"})
    paying = after(position("captain coin", "pirate"), "captain>1")
    assert refused(paying, "with coin") == ("not_in_hand", {"card": "coin"})


@pytest.mark.parametrize("seat", [0, 2])
@pytest.mark.parametrize("move", ["with officer", "with nothing", "pass", "pirate>1"])
def test_nobody_else_can_answer_or_play_meanwhile(seat: int, move: str) -> None:
    state = after(position("pirate officer pirate", HAND, HAND), "pirate>1")
    assert refused(state, move, seat) == ("wait_for_answer", {"target": 1})


@pytest.mark.parametrize("move", ["pass", "pirate>0", "discard coin"])
def test_the_target_must_answer_first(move: str) -> None:
    state = after(position("pirate officer", HAND), "pirate>1")
    assert refused(state, move) == ("answer_first", {"attack": "pirate", "attacker": 0})


def test_one_answer_card_at_most() -> None:
    """A second answer, with the other officer against the second pirate, comes too late."""
    state = after(position("two_pirates coin", "officer officer coin", "coin"), "two_pirates>1")
    settled = after(state, "with officer")
    assert refusal(settled, "with officer", seat=1) == "nothing_to_answer"
    assert refusal(settled, "with officer", seat=2) == "not_your_turn"


def test_two_pirates_take_two_from_one_player_without_a_choice() -> None:
    state = after(position("two_pirates coin", "officer", "coin captain"), "two_pirates>2")
    assert after(state, "with nothing").hands[0] == ("coin", "coin", "captain")


def test_a_stolen_card_is_any_of_the_hand_with_equal_chance() -> None:
    state = after(position("pirate officer", "coin coin kraken captain", "coin"), "pirate>1")
    taken = Counter[str]()
    for k in range(2000):
        hand = step(state, "with nothing", by=chance(k)).state.hands[0]
        taken.update(set(hand) - {"officer"})
    assert taken.keys() == {"coin", "kraken", "captain"}
    assert 900 < taken["coin"] < 1100
    assert 420 < taken["kraken"] < 580


def test_two_stolen_cards_are_any_two() -> None:
    state = after(position("captain officer", "coin", "pirate coin kraken"), "captain>2")
    pairs = Counter(step(state, "with nothing", by=chance(k)).state.hands[2] for k in range(1500))
    assert pairs.keys() == {("pirate",), ("coin",), ("kraken",)}
    assert min(pairs.values()) > 400


def test_a_paid_coin_moves_for_all_to_see() -> None:
    state = after(position("captain officer", "coin", "coin pirate"), "captain>2")
    move = step(state, "with coin")
    assert move.state.hands[0] == ("officer", "coin")
    assert move.state.hands[2] == ("pirate",)
    assert told(move)[0] == {
        "kind": "answered",
        "seat": 2,
        "attacker": 0,
        "attack": "captain",
        "with": "coin",
    }
    assert kinds(move) == ["answered", "drew turn"]


@pytest.mark.parametrize("hand", ["coin pirate", "officer pirate", "coin coin"])
def test_refusing_to_pay_looks_the_same_with_and_without_a_coin(hand: str) -> None:
    state = after(position("captain officer", hand, "coin"), "captain>1")
    move = step(state, "with nothing")
    assert told(move)[:2] == [
        {"kind": "answered", "seat": 1, "attacker": 0, "attack": "captain", "with": None},
        {"kind": "stole", "seat": 0, "target": 1, "count": 2, "attack": "captain"},
    ]
