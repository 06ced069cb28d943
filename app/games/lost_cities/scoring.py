"""What expeditions are worth."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from app.games.lost_cities.cards import VALUE

COST = 20
BONUS = 20
BONUS_LENGTH = 8


@lru_cache(maxsize=1 << 12)
def expedition_score(cards: tuple[str, ...]) -> int:
    """Returns the points of one expedition; 0 without a card.

    The sum of its numbers less 20, once more for each investment; then 20 for eight or more cards,
    investments counted. That 20 is never multiplied.
    """
    if not cards:
        return 0
    numbers = [VALUE[card] for card in cards]
    points = (sum(numbers) - COST) * (1 + numbers.count(0))
    return points + BONUS if len(cards) >= BONUS_LENGTH else points


def column_scores(expeditions: Iterable[tuple[str, ...]]) -> tuple[int, ...]:
    """Returns the points of each expedition of one seat, in the order of the colours."""
    return tuple(expedition_score(cards) for cards in expeditions)
