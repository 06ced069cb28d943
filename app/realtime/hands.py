"""Several seats of one player: which of them a page shows, and when it is covered.

People who share a device hand it over. In between its page is drawn as for a spectator, until
somebody says "I am Ann": nothing that a seat alone may know is on it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from app.play.history import CONCEDE, MOVE, UNDO
from app.play.table import Table

_PLAYED: Final = frozenset({MOVE, UNDO, CONCEDE})
_NO_END: Final = 1 << 31


@dataclass(frozen=True, slots=True)
class Hand:
    """In whose hands a page is: those of `seat` (None: nobody's, covered) since entry `since`."""

    seat: int | None = None
    since: int = -1


COVERED: Final = Hand()


def held_on(seat: int) -> Hand:
    """Returns a hand that is not taken away: for one look at a page that is open already."""
    return Hand(seat, _NO_END)


def seat_shown(hand: Hand, seats: tuple[int, ...], table: Table | None) -> int | None:
    """Returns whose view a player's page is drawn for; None: what a spectator sees.

    `seats` are the player's. Who has one only sees it always; before the deal nothing is hidden
    and after the end everything lies open.
    """
    if len(seats) < 2 or table is None:
        return seats[0] if seats else None
    if table.over or hand.seat not in seats or _is_passed_on(hand.seat, hand.since, seats, table):
        return None
    return hand.seat


def owing(seats: Collection[int], table: Table | None) -> tuple[int, ...]:
    """Returns which of a player's seats wait for somebody at the device to decide."""
    if table is None:
        return ()
    position = table.position
    return tuple(seat for seat in position.actors if seat in seats and seat not in position.bots)


def _is_passed_on(seat: int, since: int, seats: tuple[int, ...], table: Table) -> bool:
    """Tells whether a seat is done and another one on the same device is asked.

    Not before its person has had a look: what the last move turned up, what it or anything later
    told this seat alone, and what can be taken back stay until a press hands the device over.
    """
    asked = owing(seats, table)
    if table.v <= since or seat in asked or not asked or table.undoable(seat) is not None:
        return False
    told = table.told(since)
    mine = [one for one in told if one.seat == seat and one.kind in _PLAYED]
    own = mine[-1].seq if mine else 0
    if mine and table.game.turns_up(mine[-1].events):
        return False
    return not any(
        event.secrets.get(seat) or (event.to is not None and seat in event.to and one.seat != seat)
        for one in told
        if one.seq >= own
        for event in one.events
    )
