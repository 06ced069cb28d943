"""Sitting down and leaving, as pure functions from one room to the next.

Each returns the room it was given if there is nothing to change.
"""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from app.play.shuffle import read_hex
from app.players.service import Player
from app.rooms.room import Room, RoomRefused, Seated


def sat(room: Room, player: Player, r_hash: str | None) -> Room:
    """Seats a player on the lowest free seat; who is seated already stays where he is.

    `r_hash` is what the player's browser promises for the shuffle. A first promise may follow
    later (the host's does), a second one never replaces the first. Raises `RoomRefused`:
    bad_hash, started, full.
    """
    if r_hash is not None and read_hex(r_hash) is None:
        raise RoomRefused("bad_hash")
    if room.seats_of(player.id):
        return _promised(room, player.id, r_hash)
    if room.status != "open":
        raise RoomRefused("started")
    seat = room.free_seat()
    if seat is None:
        raise RoomRefused("full", seats=room.seats)
    people = (*room.people, Seated(seat, player.id, player.name, r_hash))
    return replace(
        room,
        people=tuple(sorted(people, key=lambda person: person.seat)),
        host_id=room.host_id or player.id,
    )


def left(room: Room, player_id: UUID) -> Room:
    """Frees all seats of a player; if he was the host, the next person is.

    Raises `RoomRefused("started")` once seats are frozen.
    """
    return _without(room, room.seats_of(player_id))


def removed(room: Room, by: UUID, seat: int) -> Room:
    """Frees a seat for the host. Raises `RoomRefused`: not_host, bad_seat, started."""
    if room.host_id != by:
        raise RoomRefused("not_host")
    if not 0 <= seat < room.seats:
        raise RoomRefused("bad_seat", seats=room.seats)
    return _without(room, (seat,) if room.at(seat) else ())


def _promised(room: Room, player_id: UUID, r_hash: str | None) -> Room:
    seats = room.seats_of(player_id)
    if (
        r_hash is None
        or room.status != "open"
        or any(p.hash for p in room.people if p.seat in seats)
    ):
        return room
    people = tuple(
        replace(person, hash=r_hash) if person.seat in seats else person for person in room.people
    )
    return replace(room, people=people)


def _without(room: Room, seats: tuple[int, ...]) -> Room:
    if not seats:
        return room
    if room.status != "open":
        raise RoomRefused("started")
    people = tuple(person for person in room.people if person.seat not in seats)
    host_id = room.host_id
    if all(person.player_id != host_id for person in people):
        host_id = people[0].player_id if people else None
    return replace(room, people=people, host_id=host_id)
