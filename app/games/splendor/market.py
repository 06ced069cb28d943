"""The market: three rows of four cards, each filled from its own deck."""

from __future__ import annotations

from dataclasses import replace

from app.games.contract import Event
from app.games.splendor.cards import LEVEL
from app.games.splendor.state import State, changed

PLACES = 4
"""Face-up cards of each level."""


def lies_there(state: State, card: int) -> bool:
    """Tells whether the card lies face up in the market."""
    return card in state.market[LEVEL[card] - 1]


def without(state: State, card: int) -> tuple[State, tuple[Event, ...]]:
    """Takes a card out of the market and fills the gap from the deck of its level.

    The event tells what was turned up; there is none, and the gap stays, where the deck is empty.
    """
    level = LEVEL[card]
    row, deck = state.market[level - 1], state.decks[level - 1]
    place = row.index(card)
    shown = deck[0] if deck else None
    market = changed(state.market, level - 1, changed(row, place, shown))
    if shown is None:
        return replace(state, market=market), ()
    told = Event("revealed", {"level": level, "place": place, "card": shown})
    decks = changed(state.decks, level - 1, deck[1:])
    return replace(state, market=market, decks=decks), (told,)
