"""The components of Splendor."""

from collections import Counter
from collections.abc import Iterable

from app.games.splendor.gems import TOKENS, Count
from app.games.splendor.state import State


def pieces(state: State) -> Counter[str]:
    """Counts the cards, nobles and tokens, wherever they are."""
    count = Counter(f"card {card}" for card in _cards(state))
    count.update(f"noble {noble}" for noble in state.nobles)
    for player in state.players:
        count.update(f"noble {noble}" for noble in player.nobles)
    for tokens in (state.bank, *(player.tokens for player in state.players)):
        count.update(_tokens(tokens))
    return count


def _cards(state: State) -> Iterable[int]:
    yield from (card for row in state.market for card in row if card is not None)
    yield from (card for deck in state.decks for card in deck)
    for player in state.players:
        yield from player.cards
        yield from (reserved.card for reserved in player.reserved)


def _tokens(tokens: Count) -> Iterable[str]:
    assert min(tokens) >= 0
    for token, number in zip(TOKENS, tokens, strict=True):
        yield from [token] * number
