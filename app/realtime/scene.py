"""All that one viewer's page or message is made of: nothing that this viewer may not know."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from uuid import UUID

from app.games.contract import Json, View
from app.play.history import CONCEDE, MOVE, UNDO, Told
from app.play.position import Asked, Done
from app.play.table import TOLD_KEPT, Table
from app.realtime.hands import owing
from app.rooms.room import Room

LINES = 30
"""How many entries the log region shows."""
PLAYED = frozenset({MOVE, UNDO, CONCEDE})
"""Entries by which a seat takes part in the game, unlike what is agreed about it."""


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

    `seat` is the seat whose view this is, None for a spectator and for a page that is covered. `v`
    is -1, and `view` None, before the start. `online` are the seats with an open connection,
    `watchers` the number of connected spectators. `actors` are the seats that owe a decision,
    `done` those that have answered while others still choose, `agreed` those that would end the
    game without a winner. `log` has the entries that told the viewer something, `own` is the seq of
    the viewer's newest move, take-back or concession, made by no bot (-1: none at hand). `undo` is
    what the viewer could take back now. `broken` is the seq of a stored entry that no longer
    applies. `mine` are all seats of the viewer, `owing` those of them that wait for somebody at the
    device. `past` is a moment that is looked back at: nothing can be chosen there. `bots` are seats
    that a bot plays for somebody who is away, `missing` those about which the others may decide,
    each with whether its time is over, `due` until when a seat has to decide, in milliseconds since
    1970.
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
    done: frozenset[int] = frozenset()
    agreed: frozenset[int] = frozenset()
    own: int = -1
    log: tuple[LogLine, ...] = ()
    undo: LogLine | None = None
    outcome: dict[str, Json] | None = None
    broken: int | None = None
    mine: tuple[int, ...] = ()
    owing: tuple[int, ...] = ()
    past: bool = False
    bots: frozenset[int] = frozenset()
    missing: Mapping[int, bool] = field(default_factory=dict)
    due: Mapping[int, int] = field(default_factory=dict)

    @property
    def news(self) -> tuple[LogLine, ...]:
        """What the log has told since the viewer's newest own entry; () without one at hand."""
        if self.own < 0:
            return ()
        first = len(self.log)
        while first and self.log[first - 1].seq > self.own:
            first -= 1
        return self.log[first:]

    @property
    def shared(self) -> bool:
        """Whether the viewer's page is handed from seat to seat now."""
        return len(self.mine) > 1 and self.view is not None and self.outcome is None

    @property
    def curtain(self) -> bool:
        """Whether nothing is to be seen until one of those who are asked has said who it is."""
        return self.shared and self.seat is None and bool(self.owing)

    @property
    def handing(self) -> tuple[int, ...]:
        """The viewer's other seats that are asked, while the seat that is shown is not."""
        return self.owing if self.shared and self.seat not in (None, *self.owing) else ()


def line(told: Told, viewer: int | None, *, now: bool = False) -> LogLine:
    """Returns what one entry told to a viewer; fleeting events only `now`."""
    return LogLine(told.seq, told.seat, told.kind, tuple(told.seen_by(viewer, now=now)))


def lines(history: Sequence[Told], viewer: int | None, most: int) -> list[LogLine]:
    """Returns the newest entries that told a viewer something, oldest first, at most `most`."""
    found: list[LogLine] = []
    for told in reversed(history):
        if len(found) == most:
            break
        said = line(told, viewer)
        if said.events:
            found.append(said)
    found.reverse()
    return found


def _newest_of(history: Sequence[Told], seat: int | None) -> int:
    if seat is None:
        return -1
    own = (told for told in reversed(history) if told.seat == seat and told.kind in PLAYED)
    return next((told.seq for told in own if not told.bot), -1)


class Heard:
    """What the entries of a table told one viewer, found once for each entry.

    It is one seat's, or everybody's without one: viewers who know different things share none. Of
    lines that are the same for another viewer there is one.
    """

    def __init__(self, table: Table, seat: int | None, others: Collection[Heard] = ()) -> None:
        """`others` are those of the table's viewers, this one may be among them."""
        self.table = table
        self._seat = seat
        self._others = others
        self._seen = -1
        self._own = -1
        self._newest: deque[LogLine] = deque(maxlen=LINES)
        self._lines: tuple[LogLine, ...] = ()

    def now(self) -> tuple[tuple[LogLine, ...], int]:
        """Returns the newest `LINES` at hand, oldest first, and the seq of the own newest move."""
        table = self.table
        if self._seen < table.v:
            news = table.told(self._seen)
            self._seen = table.v
            self._own = max(self._own, _newest_of(news, self._seat))
            self._newest.extend(map(self._shared, lines(news, self._seat, LINES)))
            at_hand = table.v - TOLD_KEPT
            while self._newest and self._newest[0].seq <= at_hand:
                self._newest.popleft()
            if self._own <= at_hand:
                self._own = -1
            self._lines = tuple(self._newest)
        return self._lines, self._own

    def _shared(self, found: LogLine) -> LogLine:
        """Returns the line as another viewer was told it, if that is the same."""
        for other in self._others:
            known = next((each for each in reversed(other._lines) if each.seq <= found.seq), None)
            if known == found and known is not None:
                return known
        return found


def scene(
    room: Room,
    table: Table | None,
    *,
    seat: int | None,
    player_id: UUID | None,
    online: frozenset[int],
    watchers: int,
    missing: Mapping[int, bool] = MappingProxyType({}),
    heard: Heard | None = None,
) -> Scene:
    """Assembles the scene of a viewer who holds `seat`; `heard` is what is kept for that viewer."""
    if table is None:
        return Scene(room, online, watchers, seat, player_id, mine=room.seats_of(player_id))
    position = table.position
    seats = room.seats_of(player_id)
    mine = table.undoable(seat)
    outcome = position.outcome
    log, own = (heard or Heard(table, seat)).now()
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
        done=position.done,
        agreed=position.agreed,
        own=own,
        log=log,
        undo=None if mine is None else undo_line(mine),
        outcome=None if outcome is None else outcome.wire(),
        broken=table.broken,
        mine=seats,
        owing=owing(seats, table),
        bots=position.bots,
        missing=dict(missing),
        due=dues(table),
    )


def dues(table: Table) -> dict[int, int]:
    """Returns until when seats have to decide, in milliseconds since 1970; {} without a clock."""
    times, position = table.times, table.position
    found = ((seat, times.due(position, seat)) for seat in position.asked)
    return {seat: int(due.timestamp() * 1000) for seat, due in found if due is not None}


def undo_line(mine: Done) -> LogLine:
    """Returns what a seat would take back, as it was told when it happened."""
    return line(Told(mine.seq, mine.seat, MOVE, mine.events), mine.seat, now=True)


def room_wire(
    room: Room,
    table: Table | None,
    *,
    seat: int | None,
    player_id: UUID | None,
    online: frozenset[int],
    watchers: int,
    missing: Mapping[int, bool] = MappingProxyType({}),
) -> dict[str, Any]:
    """Returns the room as wire data: what everybody in it may know, and which seats are mine."""
    outcome = table.position.outcome if table is not None else None
    bots = table.position.bots if table is not None else frozenset()
    return {
        "code": room.code,
        "game": room.game,
        "status": "open" if table is None else "running" if outcome is None else "finished",
        "starting": room.status == "starting",
        "seats": room.seats,
        "options": room.options,
        "watching": room.watching,
        "watchers_chat": room.watchers_chat,
        "clock": room.clock,
        "commitment": room.commitment,
        "people": [
            {
                "seat": person.seat,
                "name": person.name,
                "host": person.player_id == room.host_id,
                "held": person.held,
                "online": person.seat in online,
                "hash": person.hash,
                "open": person.reopened is not None,
                "bot": person.seat in bots,
            }
            for person in room.people
        ],
        "watchers": watchers,
        "you": seat,
        "yours": list(room.seats_of(player_id)),
        "missing": [{"seat": seat, "late": late} for seat, late in missing.items()],
        "agreed": [] if table is None else sorted(table.position.agreed),
        "next": room.next,
        "outcome": outcome and outcome.wire(),
    }


def due_wire(table: Table | None) -> list[int | None] | None:
    """Returns by seat until when it has to decide, as wire data; None without a clock."""
    if table is None or table.times.limit is None:
        return None
    due = dues(table)
    return [due.get(seat) for seat in range(table.seats)]


def prompt_wire(asked: Asked | None) -> dict[str, Json] | None:
    """Returns a question as wire data."""
    if asked is None:
        return None
    return {"n": asked.n, "stage": asked.stage, "open": asked.open, "legal": asked.legal}
