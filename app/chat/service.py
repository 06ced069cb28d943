"""The chats of the rooms: written to the database, then told."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import structlog
from sqlalchemy import DateTime, SmallInteger, Text, Uuid, bindparam, delete, select, text

from app.chat.lines import Kind, Line, Writer, checked_reaction, clean_text, mark_of
from app.chat.models import ChatRow
from app.chat.pace import Pace
from app.chat.refused import ChatRefused
from app.database import Database, new_id

log = structlog.get_logger()

LINES_KEPT: Final = 200
"""How many lines of a room are shown, and kept."""
PRUNED_EVERY: Final = 64
"""After so many lines one room's older ones are thrown away."""
_ANSWERS_KEPT: Final = 4096

Listener = Callable[[UUID, Line], None]

_SAY = text("""
    insert into chat (room_id, id, player_id, seat, name, kind, text, at)
    values (:room_id, :id, :player_id, :seat,
        coalesce(:name, (select name from players where id = :player_id)), :kind, :text, :at)
    returning name
""").bindparams(
    bindparam("room_id", type_=Uuid()),
    bindparam("id", type_=Uuid()),
    bindparam("player_id", type_=Uuid()),
    bindparam("seat", type_=SmallInteger()),
    bindparam("name", type_=Text()),
    bindparam("kind", type_=Text()),
    bindparam("text", type_=Text()),
    bindparam("at", type_=DateTime(timezone=True)),
)
_READ = (
    select(ChatRow.__table__)
    .where(ChatRow.room_id == bindparam("room"))
    .order_by(ChatRow.id.desc())
    .limit(LINES_KEPT)
)
_READ_AFTER = _READ.where(ChatRow.id > bindparam("after"))
_OLDEST_SHOWN = (
    select(ChatRow.id)
    .where(ChatRow.room_id == bindparam("room"))
    .order_by(ChatRow.id.desc())
    .offset(LINES_KEPT - 1)
    .limit(1)
    .scalar_subquery()
)
_PRUNE = delete(ChatRow).where(ChatRow.room_id == bindparam("room"), ChatRow.id < _OLDEST_SHOWN)


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Chat:
    """What people say in rooms. It is no part of any game, journal or record.

    Who may write where is for the caller to say. `listeners` are called with the room and the new
    line once it is in the database.
    """

    def __init__(
        self,
        database: Database,
        *,
        pace: Pace | None = None,
        now: Callable[[], datetime] = _utc_now,
    ) -> None:
        self.listeners: list[Listener] = []
        # One statement is one transaction: no BEGIN and COMMIT on the way.
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._pace = pace or Pace()
        self._now = now
        self._answers: OrderedDict[tuple[UUID, UUID, str], asyncio.Task[Line]] = OrderedDict()
        self._written = 0

    async def say(
        self, room_id: UUID, writer: Writer, text: str, *, message_id: str | None = None
    ) -> Line:
        """Writes a line of text; the same `message_id` of a player again gives the same line.

        Raises `ChatRefused`: chat_empty, chat_too_long, too_fast.
        """
        return await self._once(room_id, writer, "text", clean_text(text), message_id)

    async def react(
        self, room_id: UUID, writer: Writer, what: str, *, message_id: str | None = None
    ) -> Line:
        """Shows one of `REACTIONS`; like `say`. Raises `ChatRefused`: bad_reaction, too_fast."""
        return await self._once(room_id, writer, "reaction", checked_reaction(what), message_id)

    async def lines(self, room_id: UUID, *, after: UUID | None = None) -> list[Line]:
        """Returns the newest lines of a room, oldest first, at most `LINES_KEPT`.

        With `after` only those that are newer than that line.
        """
        which: dict[str, Any] = {"room": room_id}
        if after is not None:
            which["after"] = after
        async with self._engine.connect() as link:
            rows = (await link.execute(_READ if after is None else _READ_AFTER, which)).all()
        return [
            Line(row.id, row.kind, mark_of(row.player_id), row.seat, row.name, row.text, row.at)
            for row in reversed(rows)
        ]

    async def _once(
        self, room_id: UUID, writer: Writer, kind: Kind, text: str, message_id: str | None
    ) -> Line:
        """Writes in a task of its own, so that a caller that goes away loses only the answer."""
        key = (room_id, writer.player_id, message_id) if message_id is not None else None
        task = self._answers.get(key) if key is not None else None
        if task is None:
            seconds = self._pace.wait(writer.player_id)
            if seconds:
                raise ChatRefused("too_fast", seconds=seconds)
            task = asyncio.create_task(self._write(room_id, writer, kind, text))
            if key is not None:
                self._answers[key] = task
                if len(self._answers) > _ANSWERS_KEPT:
                    self._answers.popitem(last=False)
        try:
            return await asyncio.shield(task)
        except Exception:
            if key is not None and self._answers.get(key) is task:
                del self._answers[key]
            raise

    async def _write(self, room_id: UUID, writer: Writer, kind: Kind, text: str) -> Line:
        line_id, now = new_id(), self._now()
        values = {
            "room_id": room_id,
            "id": line_id,
            "player_id": writer.player_id,
            "seat": writer.seat,
            "name": writer.name,
            "kind": kind,
            "text": text,
            "at": now,
        }
        self._written += 1
        async with self._engine.connect() as link:
            name: str = (await link.execute(_SAY, values)).scalar_one()
            if self._written % PRUNED_EVERY == 0:
                await link.execute(_PRUNE, {"room": room_id})
        line = Line(line_id, kind, mark_of(writer.player_id), writer.seat, name, text, now)
        for listener in self.listeners:
            try:
                listener(room_id, line)
            except Exception:
                # The line is written: one listener's fault must not hide it from the others.
                log.exception("chat_listener_failed")
        return line
