"""What holds after every move of games in which anything legal may happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from app.games.chance import Chance
from app.games.take_the_gold.cards import full_deck
from app.games.take_the_gold.state import State
from tests.games.take_the_gold.pieces import pieces
from tests.games.take_the_gold.positions import GAME, OPTIONS

SEATS = (2, 3, 4, 5, 6)
SETTINGS = [
    {"krakens": krakens, "advanced": advanced}
    for krakens, advanced in product((3, 4, 5), (False, True))
]
DECK = Counter(full_deck())


def states(number: int, seats: int) -> Iterator[State]:
    """Yields every state of a game of random moves; options go round with the number."""
    random, seed = Random(f"{number} {seats}"), number.to_bytes(32, "big")
    options = OPTIONS | SETTINGS[number % len(SETTINGS)]
    state, draws = GAME.setup(seats, options, Chance(seed, 0)).state, 1
    yield state
    while actors := GAME.actors(state):
        (seat,) = actors
        prompt = GAME.prompt(state, seat)
        assert prompt is not None
        chance = Chance(seed, draws)
        state = GAME.apply(state, seat, random.choice(prompt.legal), chance).state
        draws += chance.used
        yield state


def check(state: State) -> None:
    """Checks all cards, the hands, and that what is known is true."""
    assert pieces(state) == DECK
    assert state.draw, "the draw pile is made anew the moment it is empty"
    for seat, hand in enumerate(state.hands):
        if not state.won:
            assert bool(hand) == (seat in state.playing)
            assert len(hand) <= 5 + 2 * (seat == state.turn)
    for row in state.known:
        for seat, known in enumerate(row):
            assert Counter(known) <= Counter(state.hands[seat])
    if not state.won:
        most = 1 if state.tie else 54 if state.advanced else 3
        assert all(hand.count("coin") <= most for hand in state.hands)


@pytest.mark.parametrize("seats", SEATS)
def test_54_cards_are_somewhere_once_after_every_move(seats: int) -> None:
    for number in range(60):
        for state in states(number, seats):
            check(state)


@pytest.mark.faults
@pytest.mark.parametrize("seats", SEATS)
def test_of_ten_thousand_games(seats: int) -> None:
    reasons = Counter[str]()
    for number in range(10_000):
        for state in states(number, seats):
            check(state)
        outcome = GAME.outcome(state)
        assert outcome is not None
        reasons[f"{outcome.reason} {outcome.tie_break}"] += 1
    assert reasons.keys() == {"four_coins None", "krakens None", "krakens two_coins"}
