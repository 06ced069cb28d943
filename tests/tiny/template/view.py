"""What each viewer may know, and what could be behind the rest."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import View
from tests.tiny.template.state import State


def view(state: State, viewer: int | None) -> View:
    """Returns the own card, and all of them when the game is over."""
    return {
        "turn": None if state.over else state.turn,
        "hand": None if viewer is None else state.hands[viewer],
        "deck": len(state.deck),
        "shown": list(state.shown),
        "hands": list(state.hands) if state.over else None,
    }


def guess(state: State, viewer: int | None, chance: Chance) -> State:
    """Deals again what the viewer has not seen: the other hands and the deck."""
    if state.over:
        hidden = chance.shuffled(sorted(state.deck))
        return replace(state, deck=hidden)
    others = [seat for seat in range(len(state.hands)) if seat != viewer]
    unseen = chance.shuffled(sorted([*state.deck, *(state.hands[seat] for seat in others)]))
    hands = list(state.hands)
    for seat, card in zip(others, unseen, strict=False):
        hands[seat] = card
    return replace(state, hands=tuple(hands), deck=unseen[len(others) :])
