"""The journal: the only place where a game's history is written and read.

Writing is a *group commit*: while one statement is on its way to disk, arriving entries queue, and
all of them go together in the next. There is one writer with one connection; nothing waits on
purpose. What happened to an entry is one of four outcomes, see `Appended`.
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import NamedTuple
from uuid import UUID

import asyncpg
import structlog
from sqlalchemy import bindparam, case, func, literal_column, or_, select
from sqlalchemy.exc import SQLAlchemyError

from app.database import Database
from app.direct import Statement
from app.measure import SECONDS, SIZES, Histogram
from app.play.entry import Appended, Entry, Unavailable
from app.play.insert import Insert, is_about_values
from app.play.models import JournalRow, SnapshotRow

__all__ = ["Appended", "Entry", "Journal", "Unavailable"]

log = structlog.get_logger()

_COLUMNS = tuple(getattr(JournalRow, field.name) for field in fields(Entry))
_ENTRIES = (
    select(*_COLUMNS)
    .where(JournalRow.room_id == bindparam("room_id"), JournalRow.seq > bindparam("after"))
    .order_by(JournalRow.seq)
)
_READ = Statement(_ENTRIES)
# In the same statement, so that nobody is shown what a later change of the room took from them.
_READ_BESIDE = Statement(
    _ENTRIES.add_columns(literal_column("(select r from rooms where id = journal.room_id)"))
)
_SNAPSHOT = (
    select(SnapshotRow.seq, SnapshotRow.body)
    .where(SnapshotRow.room_id == bindparam("room_id"), SnapshotRow.made_by == bindparam("made_by"))
    .cte("snapshot")
)
_SINCE = func.coalesce(select(_SNAPSHOT.c.seq).scalar_subquery(), 0)
_BODY = case((JournalRow.seq == 0, select(_SNAPSHOT.c.body).scalar_subquery()))
_READ_LATELY = Statement(
    select(*_COLUMNS, _BODY)
    .where(JournalRow.room_id == bindparam("room_id"))
    .where(or_(JournalRow.seq == 0, JournalRow.seq >= _SINCE))
    .order_by(JournalRow.seq)
)
_RECONNECT_SECONDS = 0.2
NO_ROOM_SECONDS = 30.0
"""How long a disk counts as full after a write for which it had no room, if none is tried again."""


class _Waiting(NamedTuple):
    entry: Entry
    answer: asyncio.Future[Appended]
    deadline: float


def end_process() -> None:
    """Ask this process to stop in good order."""
    os.kill(os.getpid(), signal.SIGTERM)


class Journal:
    """Reads and appends entries. `start()` before the first append, `stop()` at the end.

    `commits` and `rows` count the statements that went through and the entries written by them,
    `batches` how many entries went together, `waits` the seconds from `append` until the database
    had answered. `written` has the entries by game and kind: tables count it, who know the game.
    `on_death` is called if the writer ever ends by itself: no move could be made after that.
    """

    def __init__(
        self,
        database: Database,
        *,
        append_seconds: float = 5.0,
        max_rows: int = 256,
        max_bytes: int = 1_000_000,
    ) -> None:
        self.on_death: Callable[[], None] = end_process
        self.commits = 0
        self.rows = 0
        self.written: Counter[tuple[str, str]] = Counter()
        self.batches = Histogram(SIZES)
        self.waits = Histogram(SECONDS)
        self._database = database
        self._seconds = append_seconds
        self._max_rows = max_rows
        self._max_bytes = max_bytes
        self._queue: deque[_Waiting] = deque()
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._stopping = False
        self._insert: Insert | None = None
        self._no_room_until = -math.inf

    async def start(self) -> None:
        """Begin writing."""
        self._stopping = False
        self._writer = asyncio.create_task(self._write_all(), name="journal writer")
        self._writer.add_done_callback(self._ended)

    async def stop(self) -> None:
        """Write what is queued, then end. Entries that come later are answered `UNKNOWN`."""
        self._stopping = True
        self._wake.set()
        if self._writer is not None:
            await asyncio.wait([self._writer])
        if self._insert is not None:
            await self._insert.close()
            self._insert = None

    async def append(self, entry: Entry) -> Appended:
        """Write one entry; returns when its outcome is known, after `append_seconds` at most.

        Never raises for trouble with the database. An entry whose caller was cancelled before it
        was sent is not written.
        """
        if self._stopping or self._writer is None or self._writer.done():
            return Appended.UNKNOWN
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Appended] = loop.create_future()
        self._queue.append(_Waiting(entry, answer, loop.time() + self._seconds))
        self._wake.set()
        return await answer

    @property
    def waiting(self) -> int:
        """The number of entries that are not yet on their way to the database."""
        return len(self._queue)

    @property
    def no_room(self) -> bool:
        """Whether the database's disk had no room for the last entries, half a minute ago at most.

        Not for longer: who is sent elsewhere meanwhile writes nothing by which it could be seen
        that there is room again.
        """
        return time.monotonic() < self._no_room_until

    async def read(self, room_id: UUID, after: int = -1) -> list[Entry]:
        """The entries of a room with a seq greater than `after`, in order. Raises Unavailable."""
        return [_entry(row) for row in await self._rows(_READ, room_id=room_id, after=after)]

    async def read_lately(self, room_id: UUID, made_by: str) -> tuple[list[Entry], bytes | None]:
        """The first entry, those from a snapshot's on, and that; all of them where there is none.

        `made_by` is the program whose snapshots are of use. Raises Unavailable.
        """
        rows = await self._rows(_READ_LATELY, room_id=room_id, made_by=made_by)
        return [_entry(row) for row in rows], rows[0][-1] if rows else None

    async def read_beside(self, room_id: UUID, after: int) -> tuple[list[Entry], int]:
        """The same, and how many changes the room had then; 0 where there are no entries."""
        rows = await self._rows(_READ_BESIDE, room_id=room_id, after=after)
        return [_entry(row) for row in rows], max((row[-1] or 0 for row in rows), default=0)

    async def _rows(self, statement: Statement, **given: object) -> list[asyncpg.Record]:
        try:
            async with asyncio.timeout(self._seconds):
                return await self._database.direct.rows(statement, given)
        except (SQLAlchemyError, OSError) as wrong:
            raise Unavailable(f"The journal cannot be read ({type(wrong).__name__}).") from wrong

    async def _write_all(self) -> None:
        while True:
            try:
                if not self._queue:
                    if self._stopping:
                        return
                    self._wake.clear()
                    await self._wake.wait()
                elif await self._connected():
                    await self._write(self._next_batch())
                else:
                    self._give_up_late_ones()
            except Exception:
                log.exception("journal_writer_stumbled")
                await asyncio.sleep(_RECONNECT_SECONDS)

    async def _connected(self) -> bool:
        if self._insert is None or self._insert.lost:
            self._insert = None
            try:
                async with asyncio.timeout_at(self._queue[0].deadline):
                    self._insert = await Insert.open(self._database, self._seconds)
            except Exception as wrong:  # whatever it is, late entries are answered and it goes on
                log.warning("journal_waits_for_database", why=type(wrong).__name__)
                await asyncio.sleep(_RECONNECT_SECONDS)
        return self._insert is not None

    def _next_batch(self) -> list[_Waiting]:
        batch: list[_Waiting] = []
        size = 0
        while self._queue and len(batch) < self._max_rows:
            waiting = self._queue[0]
            size += len(waiting.entry.body)
            if batch and size > self._max_bytes:
                break
            self._queue.popleft()
            if not waiting.answer.done():
                batch.append(waiting)
        batch.sort(key=lambda waiting: (waiting.entry.room_id.int, waiting.entry.seq))
        return batch

    async def _write(self, batch: list[_Waiting]) -> None:
        refused = False
        try:
            refused = not await self._write_once(batch)
        finally:
            if not refused:  # whatever happened, nobody waits for ever
                _answer(batch, Appended.UNKNOWN)
        if refused and len(batch) == 1:
            _answer(batch, Appended.BAD)
        elif refused:
            # Row by row, but by halves: the good rows of a full batch cost no disk write each.
            middle = len(batch) // 2
            await self._write(batch[:middle])
            await self._write(batch[middle:])

    async def _write_once(self, batch: list[_Waiting]) -> bool:
        """Write and answer a batch; False if the database refuses the values of some row in it."""
        if self._insert is None or not batch:
            return True
        try:
            async with asyncio.timeout_at(min(waiting.deadline for waiting in batch)):
                written = await self._insert.write([waiting.entry for waiting in batch])
        except Exception as wrong:
            if is_about_values(wrong):
                log.warning("entries_refused", count=len(batch), why=type(wrong).__name__)
                return False
            log.warning("entries_not_written", count=len(batch), why=type(wrong).__name__)
            if isinstance(wrong, asyncpg.DiskFullError):
                self._no_room_until = time.monotonic() + NO_ROOM_SECONDS
            self._insert.drop()
            self._insert = None
            return True
        self._no_room_until = -math.inf
        self.commits += 1
        self.rows += sum(written)
        self.batches.add(len(batch))
        now = asyncio.get_running_loop().time()
        for waiting, there in zip(batch, written, strict=True):
            self.waits.add(now + self._seconds - waiting.deadline)
            _answer((waiting,), Appended.WRITTEN if there else Appended.TAKEN)
        return True

    def _give_up_late_ones(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._queue and self._queue[0].deadline <= now:
            _answer((self._queue.popleft(),), Appended.UNKNOWN)

    def _ended(self, writer: asyncio.Task[None]) -> None:
        if self._stopping and not writer.cancelled() and writer.exception() is None:
            return
        log.critical("journal_writer_ended")
        _answer(self._queue, Appended.UNKNOWN)
        self.on_death()


def _entry(row: asyncpg.Record) -> Entry:
    room, seq, seat, kind, move_id, body, draws, actors, due, at, *_ = row
    return Entry(room, seq, seat, kind, move_id, body, draws, tuple(actors), due, at)


def _answer(batch: Iterable[_Waiting], outcome: Appended) -> None:
    for waiting in batch:
        if not waiting.answer.done():
            waiting.answer.set_result(outcome)
