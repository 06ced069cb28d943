"""Which tokens may be taken from the bank together."""

from __future__ import annotations

from itertools import combinations

from app.games.contract import IllegalMove
from app.games.splendor.gems import COLOURS, GOLD, INDEX, Count
from app.games.splendor.moves import Take

DIFFERENT = 3
"""How many tokens of different colours are taken."""

PAIR_FROM = 4
"""How many of a colour the bank must hold before two of it may be taken."""

_SETS = range(1 << len(COLOURS))
"""Sets of colours as bits."""


def _names(colours: int) -> tuple[str, ...]:
    return tuple(colour for index, colour in enumerate(COLOURS) if colours >> index & 1)


def _different(colours: int, sizes: range) -> tuple[Take, ...]:
    return tuple(Take(gems) for size in sizes for gems in combinations(_names(colours), size))


def _strict(colours: int) -> tuple[Take, ...]:
    number = min(DIFFERENT, len(_names(colours)))
    return _different(colours, range(number, number + 1)) if number else ()


_STRICT = tuple(_strict(colours) for colours in _SETS)
_LOOSE = tuple(_different(colours, range(DIFFERENT, 0, -1)) for colours in _SETS)
_PAIRS = tuple(tuple(Take((gem, gem)) for gem in _names(colours)) for colours in _SETS)
"""By the set of colours that are left (or of which four are): the legal takes."""


def _at_least(bank: Count, number: int) -> int:
    a, b, c, d, e, _ = bank
    return (
        (a >= number)
        | (b >= number) << 1
        | (c >= number) << 2
        | (d >= number) << 3
        | (e >= number) << 4
    )


def takes(bank: Count, *, loose: bool) -> tuple[Take, ...]:
    """Returns the legal takes: different colours first (most tokens first), then pairs."""
    different = (_LOOSE if loose else _STRICT)[_at_least(bank, 1)]
    return different + _PAIRS[_at_least(bank, PAIR_FROM)]


def any_take(bank: Count) -> bool:
    """Tells whether anything can be taken."""
    return _at_least(bank, 1) > 0


def check(bank: Count, gems: tuple[str, ...], *, loose: bool) -> None:
    """Refuses a take that is not legal.

    Raises `IllegalMove`: `gold_not_taken`, `colour_empty`, `pair_needs_four`, `pair_stands_alone`,
    `take_how_many`.
    """
    left = _names(_at_least(bank, 1))
    if GOLD in gems:
        raise IllegalMove("gold_not_taken")
    for gem in gems:
        if gem not in left:
            raise IllegalMove("colour_empty", colour=gem, left=list(left))
    twice = next((gem for gem in gems if gems.count(gem) > 1), None)
    if twice is not None and len(gems) > 2:
        raise IllegalMove("pair_stands_alone", colour=twice)
    if twice is not None and bank[INDEX[twice]] < PAIR_FROM:
        held = bank[INDEX[twice]]
        raise IllegalMove("pair_needs_four", colour=twice, held=held, needed=PAIR_FROM)
    if twice is not None:
        return
    most = min(DIFFERENT, len(left))
    least = min(1, most) if loose else most
    if not gems or not least <= len(gems) <= most:
        pairs = list(_names(_at_least(bank, PAIR_FROM)))
        raise IllegalMove("take_how_many", least=least, most=most, left=list(left), pairs=pairs)
