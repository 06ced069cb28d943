"""The statistics of simulated games as lines of text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, median

from app.bots.simulate import Statistics


def report(statistics: Statistics) -> str:
    """Returns a table of the lengths, and for each seat its wins and points."""
    games = len(statistics.lengths)
    if not games:
        return f"{statistics.game}: no games played"
    lines = [
        f"{statistics.game}: {games} games, {statistics.seats} seats",
        f"moves in a game: {_spread(statistics.lengths)}",
        "ended by: " + ", ".join(f"{why} {n}" for why, n in statistics.reasons.most_common()),
        f"shared first places: {statistics.draws}",
    ]
    for seat, (wins, totals) in enumerate(zip(statistics.wins, statistics.totals, strict=True)):
        points = f", points {_spread(totals)}" if totals else ""
        lines.append(f"seat {seat}: won {wins} ({wins / games:.0%}){points}")
    return "\n".join(lines)


def _spread(values: Sequence[int]) -> str:
    return f"{min(values)} to {max(values)}, mean {mean(values):.1f}, median {median(values):g}"
