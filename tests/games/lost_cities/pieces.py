"""The components of Lost Cities."""

from collections import Counter

from app.games.lost_cities.state import State


def pieces(state: State) -> Counter[str]:
    """Counts the cards, wherever they are."""
    places = (*state.hands, state.deck, *state.piles, *state.expeditions[0], *state.expeditions[1])
    return Counter(card for cards in places for card in cards)
