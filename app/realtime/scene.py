"""All that one viewer's page or message is made of: nothing that this viewer may not know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from app.games.contract import Json, View
from app.play.history import Told
from app.play.position import Asked
from app.play.table import Table
from app.rooms.room import Room

LINES = 30
"""How many entries the log region shows."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry as this viewer may know it: events as wire data, `{"kind": ..., facts}`."""

    seq: int
    seat: int | None
    kind: str
    events: tuple[dict[str, Json], ...]

    def wire(self) -> dict[str, Json]:
        """Returns the line as wire data."""
        return {"seq": self.seq, "seat": self.seat, "entry": self.kind, "events": self.events}


@dataclass(frozen=True, slots=True)
class Scene:
    """A room and its game for one viewer.

    `seat` is the viewer's seat, None for a spectator. `v` is -1, and `view` None, before the
    start. `online` are the seats with an open connection, `watchers` the number of connected
    spectators. `undo` is what the viewer could take back now. `broken` is the seq of a stored
    entry that no longer applies.
    """

    room: Room
    online: frozenset[int]
    watchers: int
    seat: int | None
    player_id: UUID | None
    v: int = -1
    view: View | None = None
    prompt: Asked | None = None
    actors: tuple[int, ...] = ()
    log: tuple[LogLine, ...] = ()
    undo: LogLine | None = None
    outcome: dict[str, Json] | None = None
    broken: int | None = None


def line(told: Told, viewer: int | None) -> LogLine:
    """Returns what one entry told to a viewer."""
    return LogLine(told.seq, told.seat, told.kind, tuple(told.seen_by(viewer)))


def scene(
    room: Room,
    table: Table | None,
    *,
    seat: int | None,
    player_id: UUID | None,
    online: frozenset[int],
    watchers: int,
) -> Scene:
    """Assembles the scene of a viewer who holds `seat`."""
    if table is None:
        return Scene(room, online, watchers, seat, player_id)
    position = table.position
    mine = table.undoable(seat)
    outcome = position.outcome
    return Scene(
        room=room,
        online=online,
        watchers=watchers,
        seat=seat,
        player_id=player_id,
        v=table.v,
        view=table.view(seat),
        prompt=table.asked(seat),
        actors=position.actors,
        log=tuple(line(told, seat) for told in table.told()[-LINES:]),
        undo=None if mine is None else line(Told(mine.seq, mine.seat, "move", mine.events), seat),
        outcome=None if outcome is None else outcome.wire(),
        broken=table.broken,
    )


def room_wire(
    room: Room, table: Table | None, *, seat: int | None, online: frozenset[int], watchers: int
) -> dict[str, Any]:
    """Returns the room as wire data: what everybody in it may know, and which seat is mine."""
    outcome = table.position.outcome if table is not None else None
    return {
        "code": room.code,
        "game": room.game,
        "status": "open" if table is None else "running" if outcome is None else "finished",
        "starting": room.status == "starting",
        "seats": room.seats,
        "options": room.options,
        "commitment": room.commitment,
        "people": [
            {
                "seat": person.seat,
                "name": person.name,
                "host": person.player_id == room.host_id,
                "online": person.seat in online,
                "hash": person.hash,
            }
            for person in room.people
        ],
        "watchers": watchers,
        "you": seat,
        "outcome": outcome and outcome.wire(),
    }


def prompt_wire(asked: Asked | None) -> dict[str, Json] | None:
    """Returns a question as wire data."""
    if asked is None:
        return None
    return {"n": asked.n, "stage": asked.stage, "open": asked.open, "legal": asked.legal}
