"""The bars, which are known by their nuggets, and the rush tokens."""

from __future__ import annotations

Bars = tuple[int, ...]
"""Bars by their nuggets; in a mountain from bottom to top, elsewhere ascending."""

Mountains = tuple[Bars, ...]
"""The four mountains of a seat, by number; () before they are built."""

SIZES = (1, 2, 3)
COUNTS = {1: 4, 2: 4, 3: 2}
"""How many bars of each size a player has."""

BARS: Bars = tuple(size for size in SIZES for _ in range(COUNTS[size]))
"""All bars of a player, ascending: the canonical order."""

MOUNTAINS = 4
TOKENS = (1, 2, 3)
"""The numbers of the rush tokens, one of each."""

RUSH_POINTS = 2
"""What the token of a rush that was right is worth at the end."""


def in_order(*groups: Bars) -> Bars:
    """Returns the bars of all groups, ascending."""
    return tuple(sorted(bar for bars in groups for bar in bars))


def heights(mountains: Mountains) -> tuple[int, ...]:
    """Returns the nuggets of each mountain."""
    return tuple(sum(bars) for bars in mountains)


def standing(mountains: Mountains) -> tuple[int, ...]:
    """Returns the numbers of the mountains that are not gone."""
    return tuple(number for number, bars in enumerate(mountains) if bars)


def unlifted(mountains: Mountains) -> Bars:
    """Returns the bars of a player that nobody has lifted; before building, all of them."""
    return in_order(*mountains) if mountains else BARS
