"""The components and the deal."""

from __future__ import annotations

from collections import Counter

import pytest

from app.games.chance import Chance
from app.games.lost_cities.cards import full_deck, in_order
from tests.games.lost_cities.positions import GAME, OPTIONS, new_game


@pytest.mark.parametrize(("colours", "letters", "size"), [(5, "YBWGR", 60), (6, "YBWGRP", 72)])
def test_each_colour_has_two_to_ten_once_and_three_investments(
    colours: int, letters: str, size: int
) -> None:
    deck = full_deck(colours)
    assert len(deck) == size
    one_colour = Counter({"$": 3} | {str(value): 1 for value in range(2, 11)})
    for letter in letters:
        assert Counter(card[1:] for card in deck if card[0] == letter) == one_colour
    assert {card[0] for card in deck} == set(letters)


@pytest.mark.parametrize(("colours", "deck"), [(5, 44), (6, 56)])
def test_hands_of_eight_and_the_rest_in_the_deck(colours: int, deck: int) -> None:
    state = new_game(colours=colours)
    assert [len(hand) for hand in state.hands] == [8, 8]
    assert len(state.deck) == deck
    dealt = (*state.hands[0], *state.hands[1], *state.deck)
    assert in_order(dealt) == full_deck(colours)


def test_hands_are_sorted_by_colour_and_value() -> None:
    assert in_order(("R10", "R2", "Y10", "P2", "B$", "R$", "Y9")) == (
        *("Y9", "Y10", "B$", "R$", "R2", "R10", "P2"),
    )
    for state in (new_game(bytes([n]) * 32) for n in range(20)):
        for hand in state.hands:
            assert hand == in_order(hand)


def test_the_first_player_is_drawn_by_chance() -> None:
    starts = Counter(new_game(n.to_bytes(32, "big"), first=-1).turn for n in range(400))
    assert set(starts) == {0, 1}
    assert all(140 < count < 260 for count in starts.values())


@pytest.mark.parametrize("seat", [0, 1])
def test_the_host_may_fix_the_first_player(seat: int) -> None:
    assert {new_game(n.to_bytes(32, "big"), first=seat).turn for n in range(20)} == {seat}


def test_two_seats_only() -> None:
    assert GAME.meta.seats == (2, 2)
    with pytest.raises(ValueError, match="expected 2 seats, got 3"):
        GAME.setup(3, OPTIONS, Chance(bytes(32), 0))


def test_equal_seeds_deal_equal_games_and_different_seeds_different_ones() -> None:
    assert new_game() == new_game()
    assert len({new_game(n.to_bytes(32, "big")) for n in range(1000)}) == 1000


def test_the_deal_tells_nobody_a_card() -> None:
    step = GAME.setup(2, OPTIONS, Chance(bytes(32), 0))
    assert [event.seen_by(0) for event in step.events] == [
        {"kind": "dealt", "round": 1, "starts": 0}
    ]
    assert not step.events[0].secrets


def test_every_default_is_a_choice() -> None:
    for option in GAME.meta.options:
        assert option.default in [value for value, _ in option.choices]
    assert [option.key for option in GAME.meta.options] == ["colours", "rounds", "first"]
