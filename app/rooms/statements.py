"""The SQL of rooms: each read and each change is one statement, hence one short transaction.

A room's row is written first, guarded by `r`; seats and the journal's first entry follow from the
row that was written, so they are written with it or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    Boolean,
    DateTime,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    Uuid,
    any_,
    bindparam,
    func,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import aliased
from sqlalchemy.types import TypeEngine

from app.direct import Statement
from app.play.models import JournalRow
from app.players.models import PlayerRow
from app.rooms.models import RoomRow, SeatRow

_MOMENT = DateTime(timezone=True)
_TYPES: Mapping[str, TypeEngine[Any]] = {
    "id": Uuid(),
    "code": Text(),
    "game": Text(),
    "seats": SmallInteger(),
    "options": JSONB(),
    "host_id": Uuid(),
    "status": Text(),
    "server_seed": LargeBinary(),
    "r": Integer(),
    "after": Uuid(),
    "after_r": Integer(),
    "clock": Integer(),
    "watching": Boolean(),
    "watchers_chat": Boolean(),
    "starting_until": _MOMENT,
    "now": _MOMENT,
    "due": _MOMENT,
    "taken": ARRAY(SmallInteger()),
    "put_seat": ARRAY(SmallInteger()),
    "put_player": ARRAY(Uuid()),
    "put_hash": ARRAY(LargeBinary()),
    "put_r": ARRAY(LargeBinary()),
    "put_held": ARRAY(Boolean()),
    "put_name": ARRAY(Text()),
    "put_reopened": ARRAY(LargeBinary()),
    "put_place": ARRAY(SmallInteger()),
    "put_total": ARRAY(Integer()),
    "deals": Boolean(),
    "move_id": Text(),
    "body": Text(),
    "draws": Boolean(),
    "actors": ARRAY(SmallInteger()),
}


def _typed(sql: str) -> Statement:
    statement = text(sql)
    names = statement.compile().params
    return Statement(statement.bindparams(*(bindparam(name, type_=_TYPES[name]) for name in names)))


_PUT = """
    insert into room_seats
        (room_id, seat, player_id, joined_at, r_hash, r, held, name, reopened_hash, place, total)
    select room.id, put.seat, put.player_id, :now, put.r_hash, put.r, put.held, put.name,
        put.reopened_hash, put.place, put.total
    from room, unnest(
        :put_seat, :put_player, :put_hash, :put_r, :put_held, :put_name, :put_reopened, :put_place,
        :put_total
    ) as put (seat, player_id, r_hash, r, held, name, reopened_hash, place, total)
"""

CREATE = _typed(f"""
with room as (
    insert into rooms
        (id, code, game, seats, options, host_id, status, server_seed, r, clock_seconds, watching,
         watchers_chat, created_at)
    values (:id, :code, :game, :seats, :options, :host_id, :status, :server_seed, :r, :clock,
        :watching, :watchers_chat, :now)
    returning id
)
{_PUT}
""")  # noqa: S608 - joined from constants only

FOLLOW = _typed(f"""
with before as (
    update rooms set r = r + 1 where id = :after and r = :after_r returning id
), room as (
    insert into rooms
        (id, code, game, seats, options, host_id, status, server_seed, r, clock_seconds, watching,
         watchers_chat, created_at, after_id)
    select :id, :code, :game, :seats, :options, :host_id, :status, :server_seed, :r, :clock,
        :watching, :watchers_chat, :now, before.id
    from before
    returning id
), placed as (
    {_PUT}
)
select id from room
""")  # noqa: S608 - joined from constants only

CHANGE = _typed(f"""
with room as (
    update rooms
    set r = r + 1, seats = :seats, options = :options, host_id = :host_id, status = :status,
        starting_until = :starting_until, clock_seconds = :clock, watching = :watching,
        watchers_chat = :watchers_chat,
        started_at = case when :status <> 'open' then coalesce(started_at, :now) end,
        finished_at = case when :status = 'finished' then coalesce(finished_at, :now) end
    where id = :id and r = :r
    returning id
), freed as (
    delete from room_seats using room
    where room_seats.room_id = room.id and room_seats.seat <> all(:taken)
), placed as (
    {_PUT}
    on conflict (room_id, seat) do update
    set player_id = excluded.player_id, joined_at = excluded.joined_at,
        r_hash = excluded.r_hash, r = excluded.r, held = excluded.held, name = excluded.name,
        reopened_hash = excluded.reopened_hash, place = excluded.place, total = excluded.total
), dealt as (
    insert into journal (room_id, seq, seat, kind, move_id, body, draws, actors, due, at)
    select room.id, 0, null, 'start', :move_id, :body, :draws, :actors, :due, :now
    from room where :deals
    on conflict do nothing
)
select id from room
""")  # noqa: S608 - joined from constants only

_NEXT, _BEFORE = aliased(RoomRow), aliased(RoomRow)
_READ = (
    select(
        *RoomRow.__table__.c,
        SeatRow.seat,
        SeatRow.player_id,
        SeatRow.r_hash,
        SeatRow.r.label("shown"),
        SeatRow.held,
        SeatRow.name.label("called"),
        SeatRow.reopened_hash,
        SeatRow.place,
        SeatRow.total,
        func.coalesce(SeatRow.name, PlayerRow.name).label("name"),
        select(_NEXT.code).where(_NEXT.after_id == RoomRow.id).scalar_subquery().label("next"),
        select(_BEFORE.code)
        .where(_BEFORE.id == RoomRow.after_id)
        .scalar_subquery()
        .label("previous"),
    )
    .outerjoin(SeatRow, SeatRow.room_id == RoomRow.id)
    .outerjoin(PlayerRow, PlayerRow.id == SeatRow.player_id)
    .order_by(SeatRow.seat)
)
READ_BY_ID = Statement(_READ.where(RoomRow.id == bindparam("id")))
READ_BY_CODES = Statement(_READ.where(RoomRow.code == any_(bindparam("keys", type_=ARRAY(Text())))))

SECRET_AND_OPENING = Statement(
    select(RoomRow.server_seed, JournalRow.body)
    .join(JournalRow, JournalRow.room_id == RoomRow.id)
    .where(RoomRow.id == bindparam("id"), JournalRow.seq == 0)
)

_LAST = (
    select(JournalRow.actors)
    .where(JournalRow.room_id == RoomRow.id)
    .order_by(JournalRow.seq.desc())
    .limit(1)
    .scalar_subquery()
)
UNMARKED = select(RoomRow.id).where(RoomRow.status == "running", func.cardinality(_LAST) == 0)
