"""Sitting down and leaving, as pure functions from one room to the next.

Each returns the room it was given if there is nothing to change.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from app.play.shuffle import read_hex
from app.players.alike import told_apart
from app.players.service import Player
from app.rooms.room import Room, RoomRefused, Seated


def sat(room: Room, player: Player, r_hash: str | None) -> Room:
    """Seats a player on the seats held for him or the lowest free one; who sits already stays.

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
    mine = [one for one in room.people if one.held and one.player_id == player.id]
    if not mine:
        mine = [Seated(_free(room), player.id, player.name)]
    return _with(room, [replace(one, held=False, hash=r_hash) for one in mine])


def added(room: Room, player: Player, name: str) -> Room:
    """Seats one more person who plays on the device of a seated player, under a name of their own.

    The seat shares what that player's browser promised for the shuffle. A name that a seat of this
    device was given already changes nothing, so that pressing twice adds one person. Raises
    `RoomRefused`: not_seated, started, full, name_taken (it is the player's own).
    """
    mine = [one for one in room.people if one.player_id == player.id and not one.held]
    if not mine:
        raise RoomRefused("not_seated")
    if room.status != "open":
        raise RoomRefused("started")
    for one in mine:
        if told_apart([one.name, name])[1] != name:
            if one.called is None:
                raise RoomRefused("name_taken")
            return room
    seat = Seated(_free(room), player.id, name, mine[0].hash, called=name)
    return _with(room, [seat])


def left(room: Room, player_id: UUID) -> Room:
    """Frees all seats of a player; if he was the host, the next person is.

    Once seats are frozen the host leaves only his rights: the seat stays his, to come back to.
    Raises `RoomRefused("started")` then for everybody else.
    """
    if room.status != "open" and room.host_id == player_id:
        others = tuple(one for one in room.people if one.player_id != player_id)
        return replace(room, host_id=_next_host(room, others) or player_id)
    return _without(room, room.seats_of(player_id))


def taken_over(room: Room, by: UUID, present: Collection[UUID]) -> Room:
    """Makes a seated player the host, where the one there was is not among those present.

    Raises `RoomRefused`: not_seated, host_present.
    """
    if not room.seats_of(by):
        raise RoomRefused("not_seated")
    if room.host_id == by:
        return room
    if room.host_id in present:
        raise RoomRefused("host_present")
    return replace(room, host_id=by)


def removed(room: Room, by: UUID, seat: int) -> Room:
    """Frees a seat for the host, or for a player of several seats one of them.

    Raises `RoomRefused`: not_host, bad_seat, started.
    """
    if room.host_id != by and seat not in room.seats_of(by):
        raise RoomRefused("not_host")
    if not 0 <= seat < room.seats:
        raise RoomRefused("bad_seat", seats=room.seats)
    return _without(room, (seat,) if room.at(seat) else ())


def _free(room: Room) -> int:
    seat = room.free_seat()
    if seat is None:
        raise RoomRefused("full", seats=room.seats)
    return seat


def _with(room: Room, seated: Sequence[Seated]) -> Room:
    """Returns the room with these people on their seats; its host is the first of them if none."""
    seats = {one.seat for one in seated}
    people = [*(one for one in room.people if one.seat not in seats), *seated]
    return replace(
        room,
        people=tuple(sorted(people, key=lambda person: person.seat)),
        host_id=room.host_id or seated[0].player_id,
    )


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
    following = replace(room, people=people)
    if following.seats_of(room.host_id):
        return following
    return replace(following, host_id=_next_host(room, following.seated))


def _next_host(room: Room, people: tuple[Seated, ...]) -> UUID | None:
    """Returns which of `people` sits next after the room's host in table order; None if none."""
    at = next((one.seat for one in room.people if one.player_id == room.host_id), -1)
    following = sorted(people, key=lambda one: (one.seat <= at, one.seat))
    return following[0].player_id if following else None
