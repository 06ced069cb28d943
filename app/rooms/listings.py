"""The SQL of a player's own rooms: reads only, each found by the index on `player_id`."""

from __future__ import annotations

from sqlalchemy import Integer, Text, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY

_PLAYER = bindparam("player", type_=Uuid())
_MOST = bindparam("most", type_=Integer())

_MINE = """
    select distinct on (rooms.id)
        rooms.id, code, game, status, seats, rooms.created_at, finished_at, own.seat, own.held,
        rooms.host_id = own.player_id as host
    from room_seats own
    join rooms on rooms.id = own.room_id
    where own.player_id = :player
"""

# Of several seats on one device the player's own is the one without a name of its own.
_OWN = "order by rooms.id, own.name is not null, own.seat"

OPEN = text(f"""
select mine.*, last.actors, last.at as since,
    (select max(joined_at) from room_seats where room_id = mine.id) as sat
from ({_MINE} and status <> 'finished' {_OWN}) mine
left join lateral (
    select actors, at from journal where journal.room_id = mine.id order by seq desc limit 1
) last on true
order by created_at desc
limit :most
""").bindparams(_PLAYER, _MOST)  # noqa: S608 - joined from constants only

OVER = text(f"""
select mine.*, null::smallint[] as actors, finished_at as since, finished_at as sat
from ({_MINE} and status = 'finished' {_OWN}) mine
order by finished_at desc, id desc
limit :most offset :skip
""").bindparams(_PLAYER, _MOST, bindparam("skip", type_=Integer()))  # noqa: S608 - constants only

PEOPLE = text("""
select room_id, seat, player_id, coalesce(room_seats.name, players.name) as name, held, place, total
from room_seats
join players on players.id = room_seats.player_id
where room_id = any(:ids)
order by room_id, seat
""").bindparams(bindparam("ids", type_=ARRAY(Uuid())))

WAITING = text("""
select rooms.code
from (
    select room_id, array_agg(seat) as seats from room_seats where player_id = :player
    group by room_id
) own
join rooms on rooms.id = own.room_id and rooms.status = 'running'
cross join lateral (
    select actors, due, at from journal where journal.room_id = rooms.id order by seq desc limit 1
) last
where own.seats && last.actors and rooms.code <> :but
order by last.due nulls last, last.at, rooms.id
""").bindparams(_PLAYER, bindparam("but", type_=Text()))

FRIENDS = text("""
select theirs.player_id, players.name, rooms.game, count(*) as games,
    count(*) filter (where own.place < theirs.place) as won,
    count(*) filter (where own.place > theirs.place) as lost,
    count(*) filter (where own.place = theirs.place) as drawn,
    count(own.total + theirs.total) as counted,
    coalesce(sum(own.total) filter (where theirs.total is not null), 0)::bigint as points,
    coalesce(sum(theirs.total) filter (where own.total is not null), 0)::bigint as their_points
from room_seats own
join room_seats theirs
    on theirs.room_id = own.room_id and theirs.player_id <> own.player_id
join rooms on rooms.id = own.room_id and rooms.status = 'finished'
join players on players.id = theirs.player_id
where own.player_id = :player and own.place is not null and theirs.place is not null
    and own.name is null and theirs.name is null
group by theirs.player_id, players.name, rooms.game
order by sum(count(*)) over (partition by theirs.player_id) desc, theirs.player_id, games desc,
    rooms.game
""").bindparams(_PLAYER)
