"""What is printed on the cards and nobles, as plain data for whoever draws them."""

from __future__ import annotations

from app.games.contract import Json
from app.games.splendor.cards import CARDS, NOBLES
from app.games.splendor.gems import TOKENS, some

PRINTED: dict[str, Json] = {
    "tokens": list(TOKENS),
    "cards": [
        {
            "level": card.level,
            "bonus": card.bonus,
            "points": card.points,
            "cost": some(card.cost),
        }
        for card in CARDS
    ],
    "nobles": [{"points": noble.points, "needs": some(noble.needs)} for noble in NOBLES],
}
"""`tokens` in their order, gold last; `cards` and `nobles` by their numbers."""
