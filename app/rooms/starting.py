"""The start, as pure functions: seats and options freeze, browsers show what they promised."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from app.games.contract import Meta
from app.games.registry import AnyGame
from app.play.opening import Deal
from app.play.shuffle import digest, game_seed, read_hex
from app.rooms.hosting import moved_up
from app.rooms.room import Room, RoomRefused


def started(room: Room, by: UUID, meta: Meta, now: datetime, reveal_seconds: float) -> Room:
    """Freezes the room: status `starting` until everybody who promised an `r` shows it.

    Free seats and those held for somebody go away, people move up. A room already started stays as
    it is, so that a second press does nothing. Raises `RoomRefused`: not_host, too_few (facts
    `least`, `people`).
    """
    if room.host_id != by:
        raise RoomRefused("not_host")
    if room.status != "open":
        return room
    least = meta.seats[0]
    people = moved_up(room.seated)
    if len(people) < least:
        raise RoomRefused("too_few", least=least, people=len(people))
    return replace(
        room,
        people=people,
        seats=len(people),
        status="starting",
        starting_until=now + timedelta(seconds=reveal_seconds),
    )


def revealed(room: Room, player_id: UUID, r: str, now: datetime, reveal_seconds: float) -> Room:
    """Takes the `r` that a player's browser promised.

    After the deadline it changes nothing. Raises `RoomRefused`: not_seated, not_started, bad_r
    (not 32 bytes of hexadecimal, or its hash is not the one promised).
    """
    seats = room.seats_of(player_id)
    if not seats:
        raise RoomRefused("not_seated")
    if room.status == "open":
        raise RoomRefused("not_started")
    secret = read_hex(r)
    promised = None if secret is None else digest(secret).hex()
    mine = [person for person in room.people if person.seat in seats]
    if promised is None or all(person.hash != promised for person in mine):
        raise RoomRefused("bad_r")
    if not is_taking_reveals(room, now, reveal_seconds):
        return room
    people = tuple(
        replace(person, r=r) if person.seat in seats and person.hash == promised else person
        for person in room.people
    )
    return room if people == room.people else replace(room, people=people)


def is_taking_reveals(room: Room, now: datetime, reveal_seconds: float) -> bool:
    """Tells whether the start still waits for somebody's `r`.

    A deadline further away than any start waits means that the clock was put back: then the wait
    is over. Clocks of two machines may differ by `reveal_seconds`.
    """
    if room.status != "starting" or room.starting_until is None:
        return False
    left = (room.starting_until - now).total_seconds()
    return 0 < left <= 2 * reveal_seconds and room.awaits_reveals()


def deal_of(room: Room, game: AnyGame, server_seed: bytes) -> Deal:
    """Returns what is dealt in a room, by the newest rules, from all parts of the seed."""
    r = tuple(person.r for person in room.people)
    seed = game_seed(
        server_seed,
        room=room.code,
        game=room.game,
        rules_version=game.meta.rules_version,
        options=room.options,
        r=r,
    )
    return Deal(
        room_id=room.id,
        code=room.code,
        game=game,
        seats=room.seats,
        options=room.options,
        r=r,
        seed=seed,
    )
