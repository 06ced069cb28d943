"""The components of Take the Gold."""

from collections import Counter

from app.games.take_the_gold.state import State


def pieces(state: State) -> Counter[str]:
    """Counts the cards, wherever they are; successful krakens lie aside."""
    table = state.table and (state.table.card, state.table.answer)
    lying = [card for card in table or () if card]
    held = [card for hand in state.hands for card in hand]
    return Counter([*state.draw, *state.discards, *held, *lying, *["kraken"] * state.krakens])
