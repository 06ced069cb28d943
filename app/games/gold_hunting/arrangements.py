"""Every way in which bars can stand in mountains of given heights, and a fair pick of one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb

from app.games.chance import Chance
from app.games.gold_hunting.bars import BARS, MOUNTAINS, SIZES, Bars, Mountains

Left = tuple[int, int, int]
"""How many bars of each size are still to be placed."""


def any_build(chance: Chance) -> Mountains:
    """Returns one of all ways to build, each equally likely."""
    bars = chance.shuffled(BARS)
    cuts = sorted(chance.sample(range(1, len(BARS)), MOUNTAINS - 1))
    return tuple(bars[a:b] for a, b in zip((0, *cuts), (*cuts, len(BARS)), strict=True))


def arranged(heights: tuple[int, ...], bars: Bars, chance: Chance) -> Mountains:
    """Returns one of all ways to stack `bars` to these heights, each equally likely.

    Raises ValueError if there is none.
    """
    left = (bars.count(1), bars.count(2), bars.count(3))
    mountains = []
    for number, height in enumerate(heights):
        others = heights[number + 1 :]
        stack, left = _drawn(height, others, left, chance)
        mountains.append(chance.shuffled(stack))
    return tuple(mountains)


def _drawn(height: int, others: tuple[int, ...], left: Left, chance: Chance) -> tuple[Bars, Left]:
    """Draws which bars the next mountain has; returns them, ascending, and what is left."""
    at = chance.below(ways((height, *others), left))
    for part, rest in parts(height, left):
        at -= orders(part) * ways(others, rest)
        if at < 0:
            break
    return tuple(size for size, count in zip(SIZES, part, strict=True) for _ in range(count)), rest


@lru_cache(maxsize=50_000)
def ways(heights: tuple[int, ...], left: Left) -> int:
    """Returns in how many ways all the bars left can be stacked to these heights."""
    if not heights:
        return int(left == (0, 0, 0))
    return sum(orders(part) * ways(heights[1:], rest) for part, rest in parts(heights[0], left))


def parts(height: int, left: Left) -> Iterator[tuple[Left, Left]]:
    """Yields the counts of bars that make up a height, and with each what is left then."""
    ones, twos, threes = left
    for c in range(min(threes, height // 3) + 1):
        for b in range(min(twos, (height - 3 * c) // 2) + 1):
            a = height - 3 * c - 2 * b
            if a <= ones:
                yield (a, b, c), (ones - a, twos - b, threes - c)


def orders(part: Left) -> int:
    """Returns in how many orders these bars can stand on each other."""
    ones, twos, threes = part
    return comb(ones + twos + threes, threes) * comb(ones + twos, twos)
