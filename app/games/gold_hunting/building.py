"""Building the mountains: secret, both seats at once, open-ended."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from app.games.contract import Event, IllegalMove, Step
from app.games.gold_hunting.bars import BARS, MOUNTAINS, Mountains, heights
from app.games.gold_hunting.moves import Build
from app.games.gold_hunting.state import State, changed

EXAMPLES = tuple(
    Build(mountains)
    for mountains in (
        ((2, 1), (3, 2, 1), (1, 2, 3), (1, 2)),
        ((1, 1, 1), (3, 2), (2, 3, 2), (1, 2)),
        ((2, 2), (1, 3), (3, 1, 2), (1, 2, 1)),
        ((3,), (1, 2), (2, 1, 1), (2, 3, 1, 2)),
        ((1, 2, 3, 1), (2, 1), (3, 2), (1, 2)),
        ((2, 3), (2, 1, 2), (1, 1, 3), (1, 2)),
        ((1, 1), (2,), (3, 1, 2, 2), (1, 3, 2)),
        ((2, 1, 3), (1, 2, 1), (2, 3), (2, 1)),
    )
)
"""Good ways to build, the same for every seat and in every game."""


def build(state: State, seat: int, mountains: Mountains) -> Step[State]:
    """Takes a build; the second one starts the play and can no longer be taken back.

    Raises `IllegalMove`: `how_many_mountains`, `mountain_empty`, `wrong_bars`.
    """
    check(mountains)
    players = changed(state.players, seat, replace(state.players[seat], mountains=mountains))
    after = replace(state, players=players)
    built = Event("built", {"seat": seat})
    if after.stage == "build":
        return Step(after, (built,))
    told = [list(heights(player.mountains)) for player in players]
    began = Event("began", {"starts": state.first, "heights": told})
    # Also where the second to build digs first, and nobody else is asked: heights are public now.
    return Step(after, (built, began), barrier=True)


def check(mountains: Mountains) -> None:
    """Raises `IllegalMove` unless these are four mountains of all ten bars, none empty."""
    if len(mountains) != MOUNTAINS:
        raise IllegalMove("how_many_mountains", needed=MOUNTAINS, built=len(mountains))
    empty = [number for number, bars in enumerate(mountains) if not bars]
    if empty:
        raise IllegalMove("mountain_empty", mountains=empty)
    used, owned = Counter(bar for bars in mountains for bar in bars), Counter(BARS)
    if used != owned:
        raise IllegalMove("wrong_bars", missing=_named(owned - used), extra=_named(used - owned))


def _named(bars: Counter[int]) -> dict[str, int]:
    return {str(size): count for size, count in sorted(bars.items())}
