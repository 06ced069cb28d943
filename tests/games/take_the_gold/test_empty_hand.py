"""An empty hand draws two at once, after each whole change, and in which order all happens."""

from __future__ import annotations

import pytest

from app.games.take_the_gold.state import Attack
from tests.games.take_the_gold.positions import (
    after,
    chance,
    kinds,
    position,
    stage,
    step,
)


def test_the_last_card_stolen_makes_its_owner_draw_two() -> None:
    state = after(position("pirate coin", "pirate", "captain", draw="coin kraken"), "pirate>2")
    move = step(state, "with nothing")
    assert move.state.hands[0] == ("coin", "captain")
    assert move.state.hands[2] == ("coin", "kraken")
    assert kinds(move) == ["answered", "stole", "drew empty", "drew turn"]


def test_two_cards_stolen_together_are_one_change() -> None:
    """The hand of two is empty after both, not after the first: it draws once, two cards."""
    state = after(
        position("two_pirates pirate", "pirate", "captain coin", draw="kraken kraken"),
        "two_pirates>2",
    )
    move = step(state, "with nothing")
    assert move.state.hands[0] == ("pirate", "coin", "captain")
    assert move.state.hands[2] == ("kraken", "kraken")
    assert kinds(move).count("drew empty") == 1


def test_two_pirates_take_one_card_from_a_hand_of_one() -> None:
    """The second pirate gets none of the two cards that are drawn afterwards."""
    state = after(
        position("two_pirates pirate", "pirate", "captain", draw="kraken kraken"), "two_pirates>2"
    )
    settled = after(state, "with nothing")
    assert settled.hands[0] == ("pirate", "captain")
    assert settled.hands[2] == ("kraken", "kraken")


@pytest.mark.parametrize("k", range(10))
def test_the_last_card_given_as_an_answer_is_a_change_of_its_own(k: int) -> None:
    """The owner draws two before the attack goes on; the second pirate takes one of these."""
    state = after(
        position("two_pirates pirate", "pirate", "officer", draw="coin kraken"), "two_pirates>2"
    )
    move = step(state, "with officer", by=chance(k))
    assert kinds(move) == ["answered", "drew empty", "stole", "drew turn"]
    (left,) = move.state.hands[2]
    (stolen,) = {"coin", "kraken"} - {left}
    assert move.state.hands[0] == ("pirate", stolen)


@pytest.mark.parametrize(
    ("attack", "answer"),
    [
        ("pirate", "officer"),
        ("pirate", "two_officers"),
        ("two_pirates", "two_officers"),
        ("kraken", "captain"),
        ("captain", "coin"),
    ],
)
def test_the_last_card_given_makes_its_owner_draw_two(attack: str, answer: str) -> None:
    state = after(
        position(f"{attack} pirate", "pirate", answer, draw="kraken two_pirates"), f"{attack}>2"
    )
    move = step(state, f"with {answer}")
    assert move.state.hands[2] == ("two_pirates", "kraken")
    assert kinds(move) == ["answered", "drew empty", "drew turn"]


def test_a_hand_lost_to_a_kraken_is_made_up_by_two_cards() -> None:
    state = after(
        position("kraken pirate", "pirate", "coin coin captain", draw="kraken officer"), "kraken>2"
    )
    move = step(state, "with nothing")
    assert move.state.hands[2] == ("officer", "kraken")
    assert kinds(move) == ["answered", "kraken_rose", "drew empty", "drew turn"]


def test_discarding_at_the_hand_limit_empties_no_hand() -> None:
    state = after(position("coin coin coin pirate pirate officer", "coin"), "pass")
    assert "drew empty" not in kinds(step(state, "discard coin"))


ORDER = [
    # after a tie two coins win at once: hands, next draws, moves -> winner, what happened
    (
        # the thief's coins are looked at before the empty hand draws
        ("pirate coin", "coin", "coin coin"),
        ("pirate>1", "with nothing"),
        (0, ["answered", "stole", "won"]),
    ),
    (
        # the payee's coins are looked at before the empty hand draws
        ("captain coin", "coin", "coin coin"),
        ("captain>1", "with coin"),
        (0, ["answered", "won"]),
    ),
    (
        # the robbed one's coins are looked at once both cards are drawn
        ("pirate officer", "kraken", "coin coin"),
        ("pirate>1", "with nothing"),
        (1, ["answered", "stole", "drew empty", "won"]),
    ),
    (
        # an answer with the last card may win before the attack goes on
        ("two_pirates coin", "officer", "coin coin"),
        ("two_pirates>1", "with officer"),
        (1, ["answered", "drew empty", "won"]),
    ),
    (
        # also a payment, once the payee has not won by it
        ("captain officer", "coin", "coin coin"),
        ("captain>1", "with coin"),
        (1, ["answered", "drew empty", "won"]),
    ),
    (
        # a kraken after the tie: the new hand
        ("kraken coin", "pirate coin", "coin coin"),
        ("kraken>1", "with nothing"),
        (1, ["answered", "kraken_rose", "drew empty", "won"]),
    ),
]


@pytest.mark.parametrize(("hands", "moves", "end"), ORDER)
def test_receiver_first_then_empty_hands_then_their_coins(
    hands: tuple[str, str, str], moves: tuple[str, str], end: tuple[int, list[str]]
) -> None:
    first, second, draw = hands
    attacked = after(position(first, second, draw=draw, tied=(0, 1)), moves[0])
    move = step(attacked, moves[1])
    assert move.state.won is not None
    assert (move.state.won.seat, kinds(move)) == end
    assert move.state.won.coins == 2


def test_an_attack_that_is_not_settled_stays_on_the_table_at_the_end() -> None:
    state = after(
        position("two_pirates coin", "officer", draw="coin coin", tied=(0, 1)),
        "two_pirates>1",
        "with officer",
    )
    assert stage(state) == "over"
    assert state.table == Attack("two_pirates", 0, 1, "officer")
    assert state.discards == ()
