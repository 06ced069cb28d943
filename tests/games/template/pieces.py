"""The components of high card."""

from collections import Counter

from tests.tiny.template.state import State


def pieces(state: State) -> Counter[str]:
    """Counts the cards, wherever they are."""
    return Counter(str(card) for card in (*state.hands, *state.deck, *state.shown))
