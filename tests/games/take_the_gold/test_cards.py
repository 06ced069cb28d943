"""The 54 cards and the deal."""

from __future__ import annotations

from collections import Counter

import pytest

from app.games.take_the_gold.cards import full_deck
from tests.games.take_the_gold.pieces import pieces
from tests.games.take_the_gold.positions import GAME, OPTIONS, chance, new_game, stage, told

NUMBERS = {
    "pirate": 13,
    "officer": 10,
    "two_pirates": 4,
    "two_officers": 4,
    "coin": 14,
    "kraken": 5,
    "captain": 4,
}
SEATS = (2, 3, 4, 5, 6)


def test_there_are_54_cards() -> None:
    assert Counter(full_deck()) == NUMBERS
    assert len(full_deck()) == 54
    assert GAME.components()["cards"] == NUMBERS


@pytest.mark.parametrize("seats", SEATS)
def test_everybody_is_dealt_two_cards_and_the_first_player_draws_a_third(seats: int) -> None:
    state = new_game(seats)
    assert [len(hand) for hand in state.hands] == [
        3 if seat == state.turn else 2 for seat in range(seats)
    ]
    assert len(state.draw) == 54 - 2 * seats - 1
    assert pieces(state) == NUMBERS
    assert stage(state) == f"play {state.turn}"


@pytest.mark.parametrize("seats", SEATS)
def test_the_first_player_comes_by_chance(seats: int) -> None:
    firsts = Counter(new_game(seats, bytes([seed])).turn for seed in range(200))
    assert firsts.keys() == set(range(seats))


@pytest.mark.parametrize("seats", [1, 7])
def test_one_or_seven_players_are_refused(seats: int) -> None:
    assert GAME.meta.seats == (2, 6)
    with pytest.raises(ValueError, match="expected 2 to 6 seats"):
        GAME.setup(seats, OPTIONS, chance())


def test_the_deal_tells_everybody_who_starts_and_the_first_player_its_card() -> None:
    step = GAME.setup(3, OPTIONS, chance(0))
    first = step.state.turn
    (card,) = step.state.drawn[first]
    dealt = {"kind": "dealt", "starts": first}
    drew = {"kind": "drew", "seat": first, "why": "turn", "count": 1, "left": 47}
    assert told(step) == [dealt, drew]
    assert told(step, first) == [dealt, {**drew, "cards": [card]}]


def test_hands_are_dealt_sorted() -> None:
    for seed in range(50):
        for hand in new_game(6, bytes([seed])).hands:
            assert list(hand) == sorted(hand, key=list(NUMBERS).index)
