"""What can be decided at a table, each as a function that a table calls with its newest position.

A table calls one again where another process was faster, so they look at nothing but the position
that they are given. All raise `Refused`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from app.games.canonical import canonical_json
from app.games.contract import Json, Malformed
from app.play.ending import agreed, end_body, unsettled
from app.play.history import CONCEDE, END, MOVE, UNDO, move_body
from app.play.position import Advance, Position, Refused, conceded, parsed, played, undone
from app.play.seating import SEAT, WAIT, Plays, handed, seat_body, wait_body, waited


class Decided(NamedTuple):
    """A decision as computed: what it leads to, and its entry's seat, kind and canonical body."""

    advance: Advance
    seat: int
    kind: str
    body: str


Decide = Callable[[Position], Decided]
Check = Callable[[Position], None]
"""Raises `Refused` where something that no position knows forbids a decision, such as presence."""
Away = Callable[[Position], Sequence[int]]
"""Returns, ascending, the seats that are away or have let their time run out."""


def playing(seat: int, data: Sequence[Json], prompt: int, *, bot: bool = False) -> Decide:
    """Returns the decision to play these moves in answer to the question of that number.

    `bot` tells who plays: a bot's moves are accepted for a seat that a bot plays, and no others.
    """

    def decide(position: Position) -> Decided:
        _check_hand(position, seat, bot=bot)
        asked = position.asked.get(seat)
        if asked is None:
            raise Refused("game_over" if position.over else "not_asked")
        if asked.n != prompt:
            raise Refused("stale")
        try:
            moves = parsed(position.game, data)
        except Malformed as malformed:
            raise Refused("malformed", detail=str(malformed)) from None
        return Decided(played(position, seat, moves), seat, MOVE, move_body(moves))

    return decide


def undoing(seat: int) -> Decide:
    """Returns the decision to take the seat's last entry back."""

    def decide(position: Position) -> Decided:
        _check_hand(position, seat)
        advance = undone(position, seat)
        body = canonical_json({"seq": advance.events[0].facts["seq"]})
        return Decided(advance, seat, UNDO, body)

    return decide


def conceding(seat: int) -> Decide:
    """Returns the decision to give the game up."""

    def decide(position: Position) -> Decided:
        _check_hand(position, seat)
        return Decided(conceded(position, seat), seat, CONCEDE, canonical_json({}))

    return decide


def agreeing(seat: int, *, agrees: bool, away: Away | None = None) -> Decide:
    """Returns the decision to end the game without a winner, or to take that back.

    `away` answers which other seats need not agree.
    """

    def decide(position: Position) -> Decided:
        _check_hand(position, seat)
        without = away(position) if away is not None and agrees else ()
        advance = agreed(position, seat, agrees=agrees, without=without)
        unsettled(position, seat, advance.position)
        return Decided(advance, seat, END, end_body(agrees=agrees, without=without))

    return decide


def handing(seat: int, plays: Plays, by: int | None, check: Check | None = None) -> Decide:
    """Returns the decision of the seat `by` (None: the seat itself) to hand a seat over."""

    def decide(position: Position) -> Decided:
        if check is not None:
            check(position)
        advance = handed(position, seat, plays, by)
        return Decided(advance, seat, SEAT, seat_body(plays, by))

    return decide


def waiting(seat: int, by: int | None, check: Check | None = None) -> Decide:
    """Returns the decision of the seat `by` to give a seat more time."""

    def decide(position: Position) -> Decided:
        if check is not None:
            check(position)
        return Decided(waited(position, seat, by), seat, WAIT, wait_body(by))

    return decide


def _check_hand(position: Position, seat: int, *, bot: bool = False) -> None:
    if not position.over and bot != (seat in position.bots):
        raise Refused("no_bot" if bot else "bot_plays")
