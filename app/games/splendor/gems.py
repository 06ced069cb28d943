"""The five colours and gold, and counts of them as tuples in one order."""

from __future__ import annotations

from collections.abc import Sequence

COLOURS = ("white", "blue", "green", "red", "black")
"""Diamond, sapphire, emerald, ruby, onyx: the order of everything that is by colour."""

GOLD = "gold"
TOKENS = (*COLOURS, GOLD)
"""What tokens there are. Gold comes last, so that a count by token starts with the colours."""

INDEX = {token: index for index, token in enumerate(TOKENS)}
GOLD_INDEX = INDEX[GOLD]

Count = tuple[int, ...]
"""How many of each colour (5 numbers) or of each token (6 numbers), in the order above."""

NO_COLOURS: Count = (0,) * len(COLOURS)
NO_TOKENS: Count = (0,) * len(TOKENS)


def plus(one: Count, other: Count) -> Count:
    """Returns the sum, token by token."""
    a, b, c, d, e, f = one
    u, v, w, x, y, z = other
    return (a + u, b + v, c + w, d + x, e + y, f + z)


def minus(one: Count, other: Count) -> Count:
    """Returns the difference, token by token."""
    a, b, c, d, e, f = one
    u, v, w, x, y, z = other
    return (a - u, b - v, c - w, d - x, e - y, f - z)


def named(count: Count) -> dict[str, int]:
    """Returns every colour or token with its number: `{"white": 2, "blue": 0, ...}`."""
    return dict(zip(TOKENS, count, strict=False))


def some(count: Count) -> dict[str, int]:
    """Returns the colours or tokens of which there is at least one, with their numbers."""
    return {token: number for token, number in zip(TOKENS, count, strict=False) if number}


def counted(names: Sequence[str]) -> Count:
    """Returns how often each token is named."""
    count = [0] * len(TOKENS)
    for name in names:
        count[INDEX[name]] += 1
    return tuple(count)
