"""The record of a room's game for one viewer: their own during the game, everything after it."""

from __future__ import annotations

from app.games.contract import Json
from app.play.journal import Journal
from app.play.record import Cast, full_record, partial_record
from app.play.tables import Tables
from app.realtime.scene import Scene
from app.rooms.room import Room, RoomRefused
from app.rooms.service import Rooms
from app.web.house import House


async def record_for(house: House, scene: Scene) -> dict[str, Json]:
    """Returns what the viewer of a scene may have: the seat that is shown on a shared device.

    Raises `RoomRefused`: not_started, not_watching, not_seated; `Unavailable`.
    """
    room, seat = scene.room, scene.seat
    record = await read_record(house.rooms, house.tables, house.journal, room, seat)
    await house.hub.newest.may_still_look(room, scene.player_id, seat)
    return record


async def read_record(
    rooms: Rooms, tables: Tables, journal: Journal, room: Room, viewer: int | None
) -> dict[str, Json]:
    """Returns the record of a room for a seat, or for a spectator (None).

    Whether the game is over is asked of the game itself, on the entries that are given away.
    """
    if await tables.get(room.id) is None:
        raise RoomRefused("not_started")
    # The people of a game that runs do not change, but those of an older `room` may have.
    seated = await rooms.by_id(room.id)
    cast = Cast(
        names=tuple(person.name for person in seated.people),
        hashes=tuple(person.hash for person in seated.people),
        commitment=seated.commitment,
    )
    replayed = await tables.replay(room.id)
    entries = (await journal.read(room.id))[: len(replayed)]
    outcome = replayed[-1].position.outcome
    if outcome is not None:
        drawn = [entry.drawn for entry in replayed]
        return full_record(cast, entries, drawn, await rooms.server_seed(room.id), outcome)
    return partial_record(cast, entries, [entry.told for entry in replayed], viewer)
