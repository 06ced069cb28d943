"""What marks, rows and completed maps give, and the result of the game."""

from __future__ import annotations

from functools import lru_cache

from app.games.contract import Outcome
from app.games.silver_and_gold.maps import COLOURS, MAPS
from app.games.silver_and_gold.state import MOST_COINS, MOST_PALMS, Player, State


def palm_points(display: tuple[int | None, ...]) -> int:
    """Returns what marking a palm is worth: 1, and 1 for each palm on the maps of the display."""
    return 1 + sum(MAPS[number].palms.bit_count() for number in display if number is not None)


def gains(
    player: Player, marked: tuple[int, ...], display: tuple[int | None, ...]
) -> tuple[int, tuple[int, ...]]:
    """Returns how many coin boxes, and which points in palm boxes, marked squares fill.

    `marked` has a mask for each place of a map. What finds no empty box gives nothing.
    """
    coins = palms = 0
    for held, mask in zip(player.maps, marked, strict=True):
        if held is not None:
            coins += (mask & MAPS[held.map].coins).bit_count()
            palms += (mask & MAPS[held.map].palms).bit_count()
    boxes = min(palms, MOST_PALMS - len(player.palms))
    return min(coins, MOST_COINS - player.coins), (palm_points(display),) * boxes


@lru_cache(maxsize=1024)
def colours(completed: tuple[int, ...]) -> tuple[int, ...]:
    """Returns how many completed maps there are of each colour, in the order of `COLOURS`."""
    found = [MAPS[number].colour for number in completed]
    return tuple(found.count(colour) for colour in COLOURS)


@lru_cache(maxsize=1024)
def map_points(completed: tuple[int, ...]) -> int:
    """Returns the points of completed maps, without their seals."""
    return sum(MAPS[number].points for number in completed)


@lru_cache(maxsize=1024)
def seal_points(completed: tuple[int, ...]) -> int:
    """Returns the points of the seals: each counts every completed map of its colour."""
    count = dict(zip(COLOURS, colours(completed), strict=True))
    seals = [seal for number in completed if (seal := MAPS[number].seal) is not None]
    return sum(seal.points * count[seal.colour] for seal in seals)


def scores(player: Player) -> dict[str, int]:
    """Returns the points of a player by source, as they stand."""
    return {
        "coins": player.coins,
        "trophies": sum(player.rows),
        "palms": sum(player.palms),
        "maps": map_points(player.completed),
        "seals": seal_points(player.completed),
    }


def outcome(state: State) -> Outcome:
    """Returns the result of a game that is over.

    Most points win; between equal totals the most completed maps that are grey, then green, then
    orange, then purple; then the place is shared.
    """
    by_source = tuple(scores(player) for player in state.players)
    totals = tuple(sum(points.values()) for points in by_source)
    marks = [
        (total, *colours(player.completed))
        for total, player in zip(totals, state.players, strict=True)
    ]
    return Outcome(
        ranking=tuple(1 + sum(other > mark for other in marks) for mark in marks),
        totals=totals,
        scores=by_source,
        reason="rounds",
        tie_break=_tie_break(marks),
    )


def _tie_break(marks: list[tuple[int, ...]]) -> str | None:
    """Returns the colour that decided between equal totals: the highest of them that differ."""
    for total in sorted({mark[0] for mark in marks}, reverse=True):
        equal = [mark for mark in marks if mark[0] == total]
        for place, colour in enumerate(COLOURS, start=1):
            if len({mark[place] for mark in equal}) > 1:
                return colour
    return None
