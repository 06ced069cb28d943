"""The components of strongbox."""

from collections import Counter

from tests.tiny.torture.state import State


def pieces(state: State) -> Counter[str]:
    """Counts the nuggets and the tokens, wherever they are."""
    nuggets = sum(state.wealth(seat) for seat in range(state.seats))
    return Counter({"nugget": nuggets, "token": len(state.tokens) + len(state.rest)})
