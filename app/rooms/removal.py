"""Taking rooms away with all that belongs to them, and remembering what happened to their links.

A room goes in one statement: its row, guarded by `r` against whoever sits down at that moment, and
with it seats, journal, snapshot and chat. So two processes that clear away at once cannot do it
twice or by halves. What stays is its code with the reason, in the table `house`.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import DateTime, Integer, Text, TextClause, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY

from app.database import Database
from app.games.contract import Json
from app.rooms.keeping import Keeping

Reason = Literal["unstarted", "idle", "host"]
"""Why a room went: no game began, nobody moved, or the host of the house took it away."""

_MOMENT = DateTime(timezone=True)
_PREFIX: Final = "removed:"


@dataclass(frozen=True, slots=True)
class Removed:
    """A room that is gone: why, since when, and after how many days by the rule then (0: none)."""

    why: Reason
    at: datetime
    days: int

    def facts(self) -> dict[str, Json]:
        """Returns it as facts of a refusal."""
        return {"why": self.why, "at": self.at.isoformat(), "days": self.days}


def _removing(due: str, **types: Any) -> TextClause:
    """Returns the statement that removes the rooms of `due`, a query of `id`, `r` and `why`."""
    sql = f"""
        with due as ({due}), gone as (
            delete from rooms using due where rooms.id = due.id and rooms.r = due.r
            returning rooms.id, rooms.code, due.why
        ), seats as (
            delete from room_seats using gone where room_seats.room_id = gone.id
        ), entries as (
            delete from journal using gone where journal.room_id = gone.id
        ), kept as (
            delete from snapshots using gone where snapshots.room_id = gone.id
        ), said as (
            delete from chat using gone where chat.room_id = gone.id
        ), noted as (
            insert into house (key, value)
            select '{_PREFIX}' || code, convert_to(json_build_object(
                'why', why,
                'at', extract(epoch from cast(:now as timestamptz))::bigint,
                'days', case why when 'unstarted' then :room_days when 'idle' then :idle_days
                    else 0 end
            )::text, 'UTF8')
            from gone on conflict do nothing
        )
        select id from gone
    """  # noqa: S608 - joined from constants only
    known = {"now": _MOMENT, "room_days": Integer(), "idle_days": Integer(), **types}
    return text(sql).bindparams(*(bindparam(name, type_=kind) for name, kind in known.items()))


_DUE = _removing(
    """
    select id, r, case when last.at is null then 'unstarted' else 'idle' end as why
    from rooms
    left join lateral (
        select at, actors from journal where room_id = rooms.id order by seq desc limit 1
    ) last on true
    cross join lateral (
        select coalesce(max(joined_at), rooms.created_at) as at
        from room_seats where room_id = rooms.id
    ) sat
    where status <> 'finished' and (
        (last.at is null and rooms.created_at < :unstarted and sat.at < :unstarted)
        or (
            last.at < :idle and cardinality(last.actors) > 0
            -- The last one's time may be wrong: a clock that was behind.
            and not exists (select from journal where room_id = rooms.id and at >= :idle)
        )
    )
    order by rooms.created_at
    limit :most
    """,
    unstarted=_MOMENT,
    idle=_MOMENT,
    most=Integer(),
)
_NAMED = _removing("select id, r, 'host' as why from rooms where code = :code", code=Text())
_WHY = text("select value from house where key = :key").bindparams(bindparam("key", type_=Text()))
_GONE = text("""
    select id from unnest(cast(:ids as uuid[])) id
    where not exists (select from rooms where rooms.id = id.id)
""").bindparams(bindparam("ids", type_=ARRAY(Uuid())))
_REST = text("""
    with entries as (delete from journal where room_id = any(:ids)),
        kept as (delete from snapshots where room_id = any(:ids))
    delete from chat where room_id = any(:ids)
""").bindparams(bindparam("ids", type_=ARRAY(Uuid())))
# Other keys hold bytes that are no text: the prefix must be looked at first.
_FORGET = text(f"""
    delete from house where case when starts_with(key, '{_PREFIX}')
        then (convert_from(value, 'UTF8')::json ->> 'at')::bigint < :before else false end
""").bindparams(bindparam("before", type_=Integer()))  # noqa: S608 - a constant


class Removal:
    """Removes rooms. Whoever serves them finds out by `gone`."""

    def __init__(self, database: Database, keeping: Keeping) -> None:
        self.keeping = keeping
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")

    async def overdue(self, now: datetime, most: int) -> list[UUID]:
        """Removes rooms that the rule no longer keeps, at most so many; returns their ids."""
        unstarted, idle = self.keeping.before(now)
        which = {**self._noted(now), "unstarted": unstarted, "idle": idle, "most": most}
        async with self._engine.connect() as link:
            return list(await link.scalars(_DUE, which))

    async def one(self, code: str, now: datetime) -> UUID | None:
        """Removes one room whatever it is; returns its id, None if there was none.

        `code` is in its one spelling.
        """
        async with self._engine.connect() as link:
            removed: UUID | None = await link.scalar(_NAMED, {**self._noted(now), "code": code})
            return removed

    async def gone(self, ids: Collection[UUID]) -> list[UUID]:
        """Returns those of the rooms that are there no longer."""
        if not ids:
            return []
        async with self._engine.connect() as link:
            return list(await link.scalars(_GONE, {"ids": list(ids)}))

    async def wipe(self, ids: Collection[UUID]) -> None:
        """Deletes what was still written for rooms while they were being removed."""
        async with self._engine.connect() as link:
            await link.execute(_REST, {"ids": list(ids)})

    async def forget(self, before: datetime) -> None:
        """Forgets about links that were removed before a moment: they are unknown again."""
        async with self._engine.connect() as link:
            await link.execute(_FORGET, {"before": int(before.timestamp())})

    def _noted(self, now: datetime) -> dict[str, object]:
        keeping = self.keeping
        return {"now": now, "room_days": keeping.room_days, "idle_days": keeping.idle_days}


async def why_removed(database: Database, code: str) -> Removed | None:
    """Returns what happened to a room that is not there; None if nothing is known of it."""
    engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
    async with engine.connect() as link:
        value = await link.scalar(_WHY, {"key": _PREFIX + code})
    if value is None:
        return None
    told = json.loads(value)
    return Removed(told["why"], datetime.fromtimestamp(told["at"], UTC), told["days"])
