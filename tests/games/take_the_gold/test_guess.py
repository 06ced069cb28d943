"""What a guess keeps: everything the viewer has seen and that cannot have changed unseen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from app.games.chance import Chance
from app.games.take_the_gold.cards import in_order
from app.games.take_the_gold.state import State
from tests.games.take_the_gold.pieces import pieces
from tests.games.take_the_gold.positions import GAME, after, chance, new_game, position, step

VIEWERS = (0, 1, 2, None)


def guesses(state: State, viewer: int | None, count: int = 60) -> list[State]:
    return [GAME.guess(state, viewer, Chance(b"guess", k)) for k in range(count)]


def always(state: State, viewer: int | None, seat: int) -> tuple[str, ...]:
    """Returns the cards that are in the seat's hand in every guess of the viewer."""
    kept = Counter(state.hands[seat])
    for guess in guesses(state, viewer):
        kept &= Counter(guess.hands[seat])
    return in_order(kept.elements())


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_guess_looks_the_same_to_the_viewer_and_holds_the_same_cards(viewer: int | None) -> None:
    state = after(position("pirate coin", "officer", "kraken coin"), "pirate>2", "with nothing")
    for guess in guesses(state, viewer):
        assert GAME.view(guess, viewer) == GAME.view(state, viewer)
        assert pieces(guess) == pieces(state)
        if viewer is not None:
            assert GAME.prompt(guess, viewer) == GAME.prompt(state, viewer)


def test_a_guess_deals_again_hands_and_draw_pile() -> None:
    state = new_game()
    for viewer in VIEWERS:
        made = guesses(state, viewer)
        for seat in {0, 1, 2} - {viewer}:
            assert len({guess.hands[seat] for guess in made}) > 10
        assert len({guess.draw for guess in made}) > 50
        if viewer is not None:
            assert {guess.hands[viewer] for guess in made} == {state.hands[viewer]}


STOLEN = after(position("pirate coin", "officer", "kraken"), "pirate>2", "with nothing")
"""Seat 0 stole the kraken of seat 2; it is seat 1's turn."""


@pytest.mark.parametrize(("viewer", "known"), [(2, ("kraken",)), (1, ()), (None, ())])
def test_a_stolen_card_is_kept_by_its_victim_only(
    viewer: int | None, known: tuple[str, ...]
) -> None:
    assert always(STOLEN, viewer, 0) == known


FORGOTTEN = [
    # what happens then -> what seat 2 still knows of seat 0
    (("pass", "pass", "pass"), ("kraken",)),
    (("pass", "pass", "kraken>1"), ()),
    (("pass", "pass", "kraken>1", "with nothing"), ()),
]


@pytest.mark.parametrize(("moves", "known"), FORGOTTEN)
def test_it_is_known_while_it_cannot_have_left(
    moves: tuple[str, ...], known: tuple[str, ...]
) -> None:
    assert always(after(STOLEN, *moves), 2, 0) == known


def test_a_theft_by_a_third_makes_it_doubtful() -> None:
    """Seat 1 steals one of two: it knows which, seat 2 no longer knows anything."""
    state = replace(STOLEN, hands=(STOLEN.hands[0], ("pirate", "officer"), STOLEN.hands[2]))
    robbed = after(state, "pirate>0", "with nothing")
    assert always(robbed, 2, 0) == ()
    assert len(always(robbed, 0, 1)) == 1


def test_what_a_thief_knew_of_its_victim_goes_along() -> None:
    """Who steals back the card it knows of knows of it no longer."""
    state = after(
        position("pirate", "officer", "kraken pirate pirate", draw="pirate"),
        *("pass", "pass"),
    )
    known = replace(state, known=(((),) * 3, ((),) * 3, (("pirate",), (), ()), ((),) * 3))
    back = after(known, "pirate>0", "with nothing")
    assert back.known[2][0] == ()
    assert back.known[0][2] == ("pirate",)


@pytest.mark.parametrize("k", range(6))
def test_a_thief_sees_which_of_the_known_cards_it_takes(k: int) -> None:
    state = position("pirate officer", "officer", "kraken captain")
    nothing = ((),) * 3
    seen = replace(state, known=(((), (), ("kraken", "captain")), nothing, nothing, nothing))
    attacked = after(seen, "pirate>2")
    robbed = step(attacked, "with nothing", by=chance(k)).state
    assert robbed.known[0][2] == robbed.hands[2]
    assert len(robbed.hands[2]) == 1


TWO_OF_A_KIND = [
    # known of the hand, cards stolen unseen -> still known
    (("pirate", "pirate", "coin"), 1, ("pirate",)),
    (("pirate", "pirate", "pirate"), 2, ("pirate",)),
    (("pirate", "coin"), 1, ()),
    (("coin", "coin"), 2, ()),
]


@pytest.mark.parametrize(("known", "count", "left"), TWO_OF_A_KIND)
def test_of_several_of_a_kind_some_must_have_stayed(
    known: tuple[str, ...], count: int, left: tuple[str, ...]
) -> None:
    attack = "pirate" if count == 1 else "captain"
    state = position(f"{attack} officer", "officer", f"{' '.join(known)} officer")
    nothing = ((),) * 3
    seen = replace(state, known=(nothing, ((), (), known), nothing, nothing))
    robbed = after(seen, f"{attack}>2", "with nothing")
    assert robbed.known[1][2] == left


PAID = after(position("captain pirate", "officer", "coin coin"), "captain>2", "with coin")


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_a_paid_coin_is_kept_by_all(viewer: int | None) -> None:
    assert always(PAID, viewer, 0) == ("coin",)


def test_played_answered_and_discarded_cards_are_no_longer_known() -> None:
    nothing = ((),) * 3
    known = (nothing, (("officer", "coin"), (), ()), nothing, nothing)
    state = replace(position("officer coin pirate", "pirate coin", "coin"), known=known, turn=1)
    assert after(state, "pirate>0", "with officer").known[1][0] == ("coin",)
    full = position("officer officer officer coin coin captain", "pirate", "coin")
    assert after(replace(full, known=known), "pass", "discard officer").known[1][0] == ("coin",)
    lost = replace(position("officer coin", "kraken coin", "coin"), known=known, turn=1)
    assert after(lost, "kraken>0", "with nothing").known[1][0] == ()


def test_no_guess_gives_coins_with_which_a_hand_would_have_won() -> None:
    rich = position("coin coin coin", "coin coin coin", "coin coin coin", discards="")
    poor = position("coin pirate", "coin pirate", "coin", tied=(0, 1, 2))
    for viewer in VIEWERS:
        for guess in guesses(replace(rich, draw=("coin", "coin")), viewer):
            assert all(hand.count("coin") <= 3 for hand in guess.hands)
        for guess in guesses(poor, viewer):
            assert all(hand.count("coin") <= 1 for hand in guess.hands)


def test_in_advanced_a_hand_may_have_any_number_of_coins() -> None:
    state = position(
        *("pirate", "coin coin coin coin coin"),
        advanced=True,
        draw="coin coin officer",
        discards="",
    )
    assert {guess.hands[1].count("coin") for guess in guesses(state, 0)} == {4, 5}


def test_at_the_end_the_coins_that_were_shown_are_kept_and_no_more() -> None:
    krakens = after(
        position("kraken coin officer", "pirate", "coin coin pirate", krakens=2),
        *("kraken>1", "with nothing"),
    )
    four = after(
        position("pirate officer captain coin coin coin", "coin", "coin"),
        *("pirate>1", "with nothing"),
    )
    for viewer in VIEWERS:
        for guess in guesses(krakens, viewer):
            assert [hand.count("coin") for hand in guess.hands] == [1, 0, 2]
            assert GAME.outcome(guess) == GAME.outcome(krakens)
        for guess in guesses(four, viewer):
            assert guess.hands[0].count("coin") == 4
            assert GAME.outcome(guess) == GAME.outcome(four)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_two_truths_that_look_alike_give_the_same_guess(viewer: int | None) -> None:
    """Nothing of the truth shows in a guess: not in hands, nor in what others know or drew."""
    state = after(STOLEN, "pass", "pass", "pass")
    other = GAME.guess(state, viewer, Chance(b"another truth", 0))
    assert other != state
    assert GAME.guess(state, viewer, Chance(b"guess", 1)) == GAME.guess(
        other, viewer, Chance(b"guess", 1)
    )


def test_a_guess_of_the_thief_keeps_that_its_victim_knows() -> None:
    assert {guess.known[2][0] for guess in guesses(STOLEN, 0)} == {("kraken",)}
    assert {guess.known[2][0] for guess in guesses(STOLEN, 1)} == {()}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_others_drew_is_no_part_of_a_guess(viewer: int | None) -> None:
    state = after(new_game(), "pass", "pass", "pass")
    assert all(state.drawn)
    for guess in guesses(state, viewer, 3):
        for seat, drawn in enumerate(guess.drawn):
            assert drawn == (state.drawn[seat] if seat == viewer else ())
