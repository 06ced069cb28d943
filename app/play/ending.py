"""Ending a game without a winner: when everybody seated agrees, and until then it can be undone."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.games.canonical import canonical_json
from app.games.contract import Event, Outcome
from app.play.position import Advance, Position, Refused

AGREED: Final = "agreed"
"""The reason of an outcome that everybody agreed on: all places are equal and nobody won."""


def end_body(*, agrees: bool) -> str:
    """Returns the canonical text of an `end` entry."""
    return canonical_json({"agrees": agrees})


def agreed(position: Position, seat: int, *, agrees: bool) -> Advance:
    """Takes a seat's agreement to end the game, or takes it back; the last one ends the game.

    Questions stay as they are. Raises `Refused`: `game_over`, `already_agreed`, `not_agreed`.
    """
    if position.over:
        raise Refused("game_over")
    if agrees == (seat in position.agreed):
        raise Refused("already_agreed" if agrees else "not_agreed")
    together = position.agreed | {seat} if agrees else position.agreed - {seat}
    following = replace(position, v=position.v + 1, agreed=together)
    if len(together) == position.seats:
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
    event = Event("agreed_to_end" if agrees else "plays_on", {"seat": seat})
    return Advance(following, (event,), drew=False)
