"""Where running games stood lately, so that a restart need not play them again from the deal.

A cache beside the journal, and nothing more: what a table knew after an entry, written seldom and
never on the way of a move. It is read only by the program that wrote it (`this_program`), and only
where the journal has the very entry that it stands after; the entries since then are played.
Records and proofs never look at it. Whoever empties the table loses time at the next start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy import Integer, LargeBinary, Text, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import SQLAlchemyError

from app.database import Database
from app.direct import Statement
from app.games.registry import Registry
from app.play.entry import Entry
from app.play.opening import Deal
from app.play.seating import sender
from app.play.standing import Standing, Unreadable, packed, this_program, unpacked
from app.play.table import Table

log = structlog.get_logger()

EVERY: Final = 32
"""Entries from one snapshot of a game to the next."""
WRITE_SECONDS: Final = 2.0
AT_ONCE: Final = 16
"""Snapshots that one statement writes; others have their turn on the loop in between."""

_IDS: Final = ARRAY(Uuid())
_WRITE: Final = Statement(
    text("""
        insert into snapshots (room_id, seq, made_by, body)
        select one.room_id, one.seq, :made_by, one.body
        from unnest(:ids, :seqs, :bodies) as one (room_id, seq, body)
        join rooms on rooms.id = one.room_id and rooms.status = 'running'
        order by one.room_id
        on conflict (room_id) do update
        set seq = excluded.seq, made_by = excluded.made_by, body = excluded.body
        where snapshots.seq < excluded.seq or snapshots.made_by <> excluded.made_by
    """).bindparams(
        bindparam("made_by", type_=Text()),
        bindparam("ids", type_=_IDS),
        bindparam("seqs", type_=ARRAY(Integer())),
        bindparam("bodies", type_=ARRAY(LargeBinary())),
    )
)
_DROP: Final = Statement(
    text("delete from snapshots where room_id = any(:ids)").bindparams(bindparam("ids", type_=_IDS))
)


class Snapshots:
    """Writes the snapshots of the tables of this process."""

    def __init__(self, database: Database) -> None:
        self._direct = database.direct
        # Worked out now: files may be replaced by those of another program while this one runs.
        self._made_by = this_program()
        self._due: dict[UUID, Table] = {}

    def note(self, table: Table) -> None:
        """Notes a table that has moved on: it may be time for another snapshot."""
        if table.over or table.v - table.snapshot_v >= EVERY:
            self._due[table.room_id] = table

    async def run(self) -> None:
        """Writes now and then what is due, until cancelled."""
        while True:
            await asyncio.sleep(WRITE_SECONDS)
            try:
                await self.write()
            except (SQLAlchemyError, OSError) as error:
                log.info("snapshots_not_written", error=type(error).__name__)
            except Exception:
                log.exception("snapshots_not_written")

    async def write(self) -> None:
        """Writes what is due. Raises SQLAlchemyError or OSError without the database.

        What was not written is due still.
        """
        due = list(self._due)
        for at in range(0, len(due), AT_ONCE):
            some = {room_id: self._due.pop(room_id) for room_id in due[at : at + AT_ONCE]}
            try:
                await self._write(some.values())
            except BaseException:
                self._due = some | self._due
                raise

    async def _write(self, tables: Iterable[Table]) -> None:
        over = [table.room_id for table in tables if table.over]
        if over:
            # Whoever looks at it again replays it; for ever is too long for a cache.
            await self._direct.rows(_DROP, {"ids": over})
        going = [(table, table.v) for table in tables if not table.over and table.broken is None]
        bodies = [(table.room_id, v, body) for table, v in going if (body := _body(table))]
        if bodies:
            ids, seqs, written = zip(*bodies, strict=True)
            given = {"made_by": self._made_by, "ids": ids, "seqs": seqs, "bodies": written}
            await self._direct.rows(_WRITE, given)
        for table, v in going:
            table.snapshot_v = v


def _body(table: Table) -> bytes | None:
    try:
        return packed(table.standing)
    except Exception:
        # The others' snapshots do not wait for it, and its next one is due much later.
        log.exception("snapshot_not_written", room=str(table.room_id))
        return None


def read_snapshot(
    body: bytes | None, entries: Sequence[Entry], games: Registry
) -> tuple[Deal, Standing] | None:
    """Returns the deal and the standing that a snapshot holds; None without one of any use.

    `entries` are the first one, then those of the journal from the one on that the snapshot stands
    after.
    """
    if body is None or len(entries) < 2:
        return None
    first, last, *_ = entries
    try:
        deal, standing = unpacked(body, first, games)
    except Unreadable as wrong:
        log.warning("snapshot_ignored", room=str(first.room_id), why=str(wrong))
        return None
    position, told = standing.position, standing.told[-1]
    expected = (position.v, told.seat, told.kind, position.actors)
    taken = (sender(last), last.move_id, last.seq) in standing.accepted
    if not taken or (last.seq, last.seat, last.kind, last.actors) != expected:
        log.warning("snapshot_ignored", room=str(first.room_id), why="it stands after no entry")
        return None
    return deal, standing
