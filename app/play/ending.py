"""Ending a game without a winner: when everybody seated agrees, and until then it can be undone.

Who is away, or has let their time run out, need not agree, nor whom a bot plays for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.games.canonical import canonical_json
from app.games.contract import Event, Json, Outcome
from app.play.position import Advance, Position, Refused

AGREED: Final = "agreed"
"""The reason of an outcome that everybody agreed on: all places are equal and nobody won."""
MOST_CHANGES: Final = 8
"""How often a seat may agree or take that back between two barriers, before it agrees once more."""


def end_body(*, agrees: bool, without: Sequence[int] = ()) -> str:
    """Returns the canonical text of an `end` entry; `without` are the seats that need not agree."""
    return canonical_json({"agrees": agrees, **_without(without)})


def agreed(position: Position, seat: int, *, agrees: bool, without: Sequence[int] = ()) -> Advance:
    """Takes a seat's agreement to end the game, or takes it back; the last one ends the game.

    `without` are seats, ascending, that need not agree as they are away now: that is for the caller
    to know. Questions stay as they are. Raises `Refused`: `game_over`, `already_agreed`,
    `not_agreed`, `no_such_seat`.
    """
    if position.over:
        raise Refused("game_over")
    others = [other for other in range(position.seats) if other != seat]
    if list(without) != [other for other in others if other in without and agrees]:
        raise Refused("no_such_seat")
    together = position.agreed | {seat} if agrees else position.agreed - {seat}
    ends = agrees and len(together | position.bots | {*without}) == position.seats
    if together == position.agreed and not ends:
        raise Refused("already_agreed" if agrees else "not_agreed")
    following = replace(
        position, v=position.v + 1, agreed=together, changes=(*position.changes, seat)
    )
    if ends:
        following = replace(
            following,
            state=position.game.stopped(position.state),
            asked={},
            done=frozenset(),
            loose=(),
            outcome=Outcome(
                ranking=(1,) * position.seats,
                totals=(None,) * position.seats,
                scores=({},) * position.seats,
                reason=AGREED,
            ),
        )
    facts = {"seat": seat, **_without(without)}
    event = Event("agreed_to_end" if agrees else "plays_on", facts)
    return Advance(following, (event,), drew=False)


def unsettled(position: Position, seat: int, following: Position) -> None:
    """Raises `Refused("too_many_changes")` where a seat agrees and has changed its mind too often.

    Nobody is kept from playing on, nor from ending the game. This is for whoever takes a decision:
    the journals and records of older programs may hold more changes, and are as good.
    """
    agrees = seat in following.agreed and not following.over
    if agrees and position.changes.count(seat) >= MOST_CHANGES:
        raise Refused("too_many_changes", most=MOST_CHANGES)


def _without(seats: Sequence[int]) -> dict[str, Json]:
    return {"without": list(seats)} if seats else {}
