"""What a guess keeps: everything the viewer has seen happen, and nothing else."""

from __future__ import annotations

from collections import Counter

import pytest

from app.games.chance import Chance
from app.games.lost_cities.cards import in_order
from app.games.lost_cities.moves import Draw
from app.games.lost_cities.state import State
from tests.games.lost_cities.positions import (
    GAME,
    VIEWERS,
    Viewer,
    after,
    new_game,
    position,
    wire,
)


def guesses(state: State, viewer: Viewer, count: int = 40) -> list[State]:
    return [GAME.guess(state, viewer, Chance(b"guess", k)) for k in range(count)]


def always_in_hand(state: State, viewer: Viewer, seat: int) -> tuple[str, ...]:
    """Returns the cards that are in the seat's hand in every guess of the viewer."""
    kept = Counter(state.hands[seat])
    for guess in guesses(state, viewer):
        kept &= Counter(guess.hands[seat])
    return in_order(tuple(kept.elements()))


def take_back(before: State, seat: int, *moves: str) -> State:
    return GAME.taken_back(before, seat, [GAME.parse(wire(text)) for text in moves])


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_guess_looks_the_same_to_the_viewer_and_holds_the_same_cards(viewer: Viewer) -> None:
    state = after(new_game(), f"discard {new_game().hands[0][0]}", "draw deck")
    all_cards = in_order(state.deck + state.hands[0] + state.hands[1])
    for guess in guesses(state, viewer):
        assert GAME.view(guess, viewer) == GAME.view(state, viewer)
        assert in_order(guess.deck + guess.hands[0] + guess.hands[1]) == all_cards
        if viewer is not None:
            assert GAME.prompt(guess, viewer) == GAME.prompt(state, viewer)


def test_a_guess_deals_again_what_the_viewer_does_not_know() -> None:
    state = new_game()
    assert len({guess.hands[1] for guess in guesses(state, 0)}) > 30
    assert len({guess.hands[0] for guess in guesses(state, 1)}) > 30
    assert len({guess.hands for guess in guesses(state, None)}) > 30
    assert len({guess.deck for guess in guesses(state, 0)}) > 30
    assert always_in_hand(state, None, 0) == ()


def test_ones_own_hand_is_kept() -> None:
    state = new_game()
    assert always_in_hand(state, 1, 1) == state.hands[1]


@pytest.mark.parametrize("viewer", [1, None])
def test_a_card_taken_openly_from_a_pile_is_kept(viewer: Viewer) -> None:
    state = after(position("R7 B2 B3", piles="Y9"), "play R7", "draw Y")
    assert always_in_hand(state, viewer, 0) == ("Y9",)


def test_a_card_taken_openly_is_forgotten_once_it_is_played() -> None:
    state = after(position("R7 B2 B3", "G2 G3", piles="Y9"), "play R7", "draw Y")
    state = after(state, "play G2", "draw deck", "play Y9")
    assert always_in_hand(state, 1, 0) == ()


def test_a_card_drawn_from_the_deck_is_not_known_to_the_other() -> None:
    state = after(position("R7 B2 B3"), "play R7", "draw deck")
    assert always_in_hand(state, 1, 0) == ()


def test_of_equal_investments_one_taken_openly_is_known() -> None:
    state = after(position("R$ B2 B3", "G2 G3", piles="R$"), "play B2", "draw R")
    assert state.hands[0].count("R$") == 2
    assert always_in_hand(state, 1, 0) == ("R$",)
    played = after(state, "play G2", "draw deck", "play R$")
    assert always_in_hand(played, 1, 0) == ()


@pytest.mark.parametrize("move", ["play R7", "discard R7"])
@pytest.mark.parametrize("viewer", [1, None])
def test_a_card_taken_back_is_known_to_be_in_the_hand(move: str, viewer: Viewer) -> None:
    before = position("R7 B2 B3", mine="R2")
    again = take_back(before, 0, move)
    assert always_in_hand(again, viewer, 0) == ("R7",)
    for seat in VIEWERS:
        assert GAME.view(again, seat) == GAME.view(before, seat)
    assert GAME.prompt(again, 0) == GAME.prompt(before, 0)


def test_a_card_taken_back_and_then_played_is_forgotten() -> None:
    again = take_back(position("R7 B2 B3"), 0, "play R7")
    assert always_in_hand(after(again, "discard R7"), 1, 0) == ()
    assert always_in_hand(after(again, "discard B2"), 1, 0) == ("R7",)


def test_taking_back_twice_adds_up_what_is_known_and_counts_no_card_twice() -> None:
    once = take_back(position("R$ R$ B2 B3"), 0, "play R$")
    assert once.known[0] == ("R$",)
    assert take_back(once, 0, "discard R$").known[0] == ("R$",)
    assert take_back(once, 0, "play B3").known[0] == ("B3", "R$")


def test_an_investment_taken_openly_then_played_and_taken_back_is_still_one_known() -> None:
    state = after(position("R$ B2", "G2", piles="R$"), "play B2", "draw R", "play G2", "draw deck")
    assert take_back(state, 0, "play R$").known[0] == ("R$",)


def test_drawing_back_leaves_nothing_new() -> None:
    state = position("R7")
    assert GAME.taken_back(state, 0, [Draw("deck")]) == state


def test_when_the_deck_is_used_up_the_other_hand_is_all_that_is_left() -> None:
    over = after(position("R7", "B5 G9", deck="W2"), "discard R7", "draw deck")
    assert {guess.hands[1] for guess in guesses(over, 0)} == {("B5", "G9")}
    assert len({guess.hands for guess in guesses(over, None)}) == 3


def test_no_history_leaks_through_the_shuffle() -> None:
    """Two truths that look alike to a viewer give the same guess from the same chance."""
    state = new_game()
    other = GAME.guess(state, 0, Chance(b"another truth", 0))
    assert other != state
    assert GAME.guess(state, 0, Chance(b"guess", 1)) == GAME.guess(other, 0, Chance(b"guess", 1))
