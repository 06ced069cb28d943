"""Who is to be told that it is their turn: once for each question, and never while they look."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Final
from uuid import UUID

import orjson
import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.notify.delivery import Delivery, Sent
from app.notify.subscriptions import Reader, Subscriptions
from app.play.history import Broken
from app.play.journal import Unavailable
from app.play.table import Table
from app.rooms.room import Room, RoomRefused
from app.rooms.service import Rooms

log = structlog.get_logger()

REST_SECONDS: Final = 3.0
"""How long a question rests before anybody is told: it may be answered, taken back, or seen."""
ROOMS_KEPT: Final = 4096
"""The rooms whose newest considered entry is remembered."""
ASKED_AT_ONCE: Final = 500
"""Seats that are looked up in one query."""
MOST_WAITING: Final = 1000
"""Pushes on their way at once; more are not sent."""
LAST_SECONDS: Final = 2.0
"""How long the end of the process waits for what is to be told."""

Seat = tuple[UUID, int]
FindTable = Callable[[UUID], Awaitable[Table | None]]
Looking = Callable[[UUID], bool]
Words = Callable[[Room, int], tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Question:
    """A seat that was asked; `at` is when whoever holds it is told, on the monotonic clock."""

    table: Table
    n: int
    at: float


class Turns:
    """Notes the questions of games as they move on, and has pushes sent in the background.

    `looking` tells whether a player has a page open and in sight, `words` returns title and text
    of a push to a seat. They may name the game and who plays, nothing else.
    """

    def __init__(
        self,
        rooms: Rooms,
        tables: FindTable,
        subscriptions: Subscriptions,
        delivery: Delivery,
        *,
        looking: Looking,
        words: Words,
        rest: float = REST_SECONDS,
    ) -> None:
        self._rooms = rooms
        self._tables = tables
        self._subscriptions = subscriptions
        self._delivery = delivery
        self._looking = looking
        self._words = words
        self._rest = rest
        self._seen: OrderedDict[UUID, int] = OrderedDict()
        self._waiting: dict[Seat, _Question] = {}
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.Task[None] | None = None
        rooms.listeners.append(self._room_changed)

    def start(self) -> None:
        """Begins to tell."""
        self._loop = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Tells what still rests, as far as that is quickly done, and ends."""
        if self._loop is not None:
            self._loop.cancel()
        waiting, self._waiting = self._waiting, {}
        try:
            async with asyncio.timeout(LAST_SECONDS):
                await self._tell(waiting)
                await asyncio.gather(*self._tasks, return_exceptions=True)
        except Exception as error:
            log.info("turns_not_told", seats=len(waiting), error=type(error).__name__)
        for task in self._tasks:
            task.cancel()
        await self._delivery.close()

    def table_changed(self, table: Table) -> None:
        """Notes the questions that a game asked since it was last seen here.

        The newest entry alone counts for a game that was not seen before. Who asked themselves,
        by a move of their own, knows of it. Raises nothing: the move is made.
        """
        if not self._subscriptions.any:
            return
        try:
            self._note(table)
        except Exception:
            log.exception("turn_not_noted", room=str(table.room_id))

    def table_followed(self, table: Table) -> None:
        """Notes that another process told of a game's questions, up to its newest entry."""
        if table.room_id in self._seen:
            self._seen[table.room_id] = table.v

    def _note(self, table: Table) -> None:
        position = table.position
        seen = self._seen.pop(table.room_id, position.v - 1)
        self._seen[table.room_id] = position.v
        if len(self._seen) > ROOMS_KEPT:
            self._seen.popitem(last=False)
        at = time.monotonic() + self._rest
        for seat, asked in position.asked.items():
            if seat not in position.bots and asked.n > seen and _mover(table, asked.n) != seat:
                self._waiting[table.room_id, seat] = _Question(table, asked.n, at)
                self._wake.set()

    def _room_changed(self, room: Room) -> None:
        """Looks at a game that has just been dealt: nobody need be connected to it."""
        if self._subscriptions.any and room.status == "running" and room.id not in self._seen:
            self._spawn(self._begun(room.id))

    async def _begun(self, room_id: UUID) -> None:
        with suppress(Broken, Unavailable, SQLAlchemyError, OSError):
            table = await self._tables(room_id)
            if table is not None and table.v == 0:
                self.table_changed(table)

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(max(0.0, self._next() - time.monotonic()))
            now = time.monotonic()
            due = {seat: one for seat, one in self._waiting.items() if one.at <= now}
            for seat in due:
                del self._waiting[seat]
            if not self._waiting:
                self._wake.clear()
            try:
                await self._tell(due)
            except (SQLAlchemyError, OSError) as error:
                log.info("turns_not_told", seats=len(due), error=type(error).__name__)
            except Exception:
                log.exception("turns_not_told", seats=len(due))

    def _next(self) -> float:
        return min((one.at for one in self._waiting.values()), default=0.0)

    async def _tell(self, due: dict[Seat, _Question]) -> None:
        """Sends a push to each browser of those whose question is still open."""
        open_now = [(room, seat) for (room, seat), one in due.items() if _is_open(one, seat)]
        for begin in range(0, len(open_now), ASKED_AT_ONCE):
            readers = await self._subscriptions.readers(open_now[begin : begin + ASKED_AT_ONCE])
            wanted = [one for one in readers if not self._looking(one.player_id)]
            for room_id, group in groupby(wanted, key=lambda one: one.room_id):
                with suppress(RoomRefused):  # cleared away meanwhile
                    self._push(await self._rooms.by_id(room_id), group)

    def _push(self, room: Room, readers: Iterable[Reader]) -> None:
        """Sends a push for a room, one to each browser whatever seats it plays for."""
        done: set[UUID] = set()
        for one in readers:
            if one.browser.id in done:
                continue
            done.add(one.browser.id)
            if len(self._tasks) >= MOST_WAITING:
                log.warning("too_many_pushes")
                return
            title, body = self._words(room, one.seat)
            note = {"title": title, "body": body, "path": f"/r/{room.code}", "tag": room.code}
            self._spawn(self._send(one, orjson.dumps(note)))

    async def _send(self, to: Reader, note: bytes) -> None:
        # What a push service can read shall not lead it to the room.
        topic = hashlib.sha256(to.room_id.bytes).hexdigest()[:32]
        if await self._delivery.send(to.browser, note, topic) is Sent.GONE:
            with suppress(SQLAlchemyError, OSError):
                await self._subscriptions.gone(to.browser.id)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _is_open(question: _Question, seat: int) -> bool:
    asked = question.table.asked(seat)
    by_bot = seat in question.table.position.bots
    return asked is not None and asked.n == question.n and not by_bot


def _mover(table: Table, seq: int) -> int | None:
    """Returns the seat whose entry asked the question of that number."""
    return next((told.seat for told in table.told(seq - 1) if told.seq == seq), None)
