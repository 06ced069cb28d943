"""What a play would do to the score of its expedition."""

from __future__ import annotations

from app.games.contract import Json, View
from app.games.lost_cities.scoring import expedition_score


def preview(view: View, move: Json) -> dict[str, int]:
    """Returns the expedition's points `before` and `after` a play; {} for other moves."""
    if move["kind"] != "play":
        return {}
    own = tuple(view["expeditions"][view["seat"]].get(move["card"][0], ()))
    return {
        "before": expedition_score(own),
        "after": expedition_score((*own, move["card"])),
    }
