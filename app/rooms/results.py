"""The end of a game, as a pure function: what each seat reached stays with the room."""

from __future__ import annotations

from dataclasses import replace

from app.games.contract import Outcome
from app.play.ending import AGREED
from app.rooms.room import Room


def finished(room: Room, outcome: Outcome) -> Room:
    """Marks the room of a game that has ended, and notes the result of each seat.

    The links of its seats are worth nothing from then on. Nobody has a place in a game that
    everybody agreed to end. A room that is not running stays as it is.
    """
    if room.status != "running":
        return room
    people = tuple(
        replace(
            person,
            place=None if outcome.reason == AGREED else outcome.ranking[person.seat],
            total=outcome.totals[person.seat],
            reopened=None,
        )
        for person in room.people
    )
    return replace(room, status="finished", people=people)
