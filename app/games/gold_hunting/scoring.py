"""What counts, and the result of the game."""

from __future__ import annotations

from app.games.contract import Outcome
from app.games.gold_hunting.bars import RUSH_POINTS
from app.games.gold_hunting.state import Player, State

TIE_BREAKS = (("threes", 3), ("twos", 2))
"""Between equal points more bars of three decide, then more bars of two."""


def points(player: Player) -> dict[str, int]:
    """Returns the points of a seat as it stands, by source: pile, half the safe, rush."""
    return {
        "pile": sum(player.pile),
        "safe": sum(player.safe) // 2,
        "rush": RUSH_POINTS if player.token.right else 0,
    }


def outcome(state: State) -> Outcome:
    """Returns the result of a game that is over; bars of pile and safe break a tie."""
    first, second = state.players
    scores = tuple(points(player) for player in state.players)
    totals = tuple(sum(by_source.values()) for by_source in scores)
    lead, tie_break = totals[0] - totals[1], None
    for name, size in TIE_BREAKS:
        if lead == 0:
            lead = (first.pile + first.safe).count(size) - (second.pile + second.safe).count(size)
            tie_break = name if lead else None
    ranking = (1, 1) if lead == 0 else (1, 2) if lead > 0 else (2, 1)
    return Outcome(ranking, totals, scores, reason="all_dug", tie_break=tie_break)
