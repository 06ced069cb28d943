"""Who knows which card to be in whose hand: what `guess` and the views keep.

Each entry is a lower bound: at least these cards are there. It never holds a card that may have
left unseen.
"""

from __future__ import annotations

from collections.abc import Callable

from app.games.take_the_gold.cards import KINDS, Cards, common, in_order, without
from app.games.take_the_gold.state import Known


def nothing(seats: int) -> Known:
    """Returns what is known after the deal: by each seat and the public, nothing."""
    return (((),) * seats,) * (seats + 1)


def gone(known: Known, holder: int, cards: Cards) -> Known:
    """Returns what is known after everybody saw `cards` leave a hand."""
    return _each(known, holder, lambda _, held: without(held, cards))


def come(known: Known, holder: int, cards: Cards) -> Known:
    """Returns what is known after everybody saw `cards` go to a hand."""
    return _each(known, holder, lambda _, held: in_order((*held, *cards)))


def shown(known: Known, holder: int, cards: Cards) -> Known:
    """Returns what is known after a hand showed `cards`, some of which may have been known."""
    return _each(
        known, holder, lambda _, held: in_order((*held, *without(cards, common(held, cards))))
    )


def stolen(known: Known, thief: int, victim: int, cards: Cards) -> Known:
    """Returns what is known after a theft: thief and victim saw the cards, others their number."""
    left = _each(
        known,
        victim,
        lambda knower, held: (
            without(held, cards) if knower == thief else _unseen_gone(held, len(cards))
        ),
    )
    return _each(
        left, thief, lambda knower, held: in_order((*held, *cards)) if knower == victim else held
    )


def _unseen_gone(held: Cards, count: int) -> Cards:
    """Returns what is left for sure after `count` unseen cards went: they may be of one kind."""
    return tuple(kind for kind in KINDS for _ in range(held.count(kind) - count))


def _each(known: Known, holder: int, change: Callable[[int, Cards], Cards]) -> Known:
    """Returns what is known with every knower's cards of one holder changed."""
    return tuple(
        row
        if knower == holder
        else (*row[:holder], change(knower, row[holder]), *row[holder + 1 :])
        for knower, row in enumerate(known)
    )
