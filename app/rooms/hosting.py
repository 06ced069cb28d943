"""What the host may change, as pure functions from one room to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from app.games.contract import Json, Meta
from app.play.clock import CHOICES
from app.rooms.options import checked_options, checked_seats
from app.rooms.room import Room, RoomRefused, Seated


def reordered(room: Room, by: UUID, order: Sequence[int]) -> Room:
    """Moves people: seat `i` gets whoever sat at `order[i]`, or becomes free.

    `order` names every seat once. Raises `RoomRefused`: not_host, started, bad_order.
    """
    _check_host(room, by)
    if sorted(order) != list(range(room.seats)):
        raise RoomRefused("bad_order", seats=room.seats)
    people = []
    for seat, old in enumerate(order):
        person = room.at(old)
        if person is not None:
            people.append(replace(person, seat=seat))
    return _with(room, people=tuple(people))


def configured(
    room: Room, by: UUID, meta: Meta, seats: int | None, options: Mapping[str, Json]
) -> Room:
    """Changes the number of seats (None: as it is) and options (those not named stay).

    With fewer seats people move up. Raises `RoomRefused`: not_host, started, bad_seats,
    bad_options, too_many (more people than seats).
    """
    _check_host(room, by)
    count = room.seats if seats is None else checked_seats(meta, seats)
    chosen = checked_options(meta, options, room.options)
    if len(room.people) > count:
        raise RoomRefused("too_many", people=len(room.people))
    people = room.people
    if people and people[-1].seat >= count:
        people = moved_up(people)
    return _with(room, people=people, seats=count, options=chosen)


def timed(room: Room, by: UUID, clock: int | None) -> Room:
    """Sets the time for a move in seconds (None: no clock).

    Raises `RoomRefused`: not_host, started, bad_clock.
    """
    _check_host(room, by)
    following = replace(room, clock=checked_clock(clock))
    return room if following == room else following


def checked_clock(clock: int | None) -> int | None:
    """Returns a time for a move that is on offer. Raises `RoomRefused`: bad_clock."""
    if clock is not None and clock not in CHOICES:
        raise RoomRefused("bad_clock", choices=list(CHOICES))
    return clock


def watched(room: Room, by: UUID, *, watching: bool, watchers_chat: bool) -> Room:
    """Says whether who has no seat may watch, and whether those may write in the chat.

    Possible at any time. Raises `RoomRefused`: not_host.
    """
    if room.host_id != by:
        raise RoomRefused("not_host")
    following = replace(room, watching=watching, watchers_chat=watching and watchers_chat)
    return room if following == room else following


def moved_up(people: Sequence[Seated]) -> tuple[Seated, ...]:
    """Returns the people in the same order without free seats between them."""
    return tuple(replace(person, seat=seat) for seat, person in enumerate(people))


def _check_host(room: Room, by: UUID) -> None:
    if room.host_id != by:
        raise RoomRefused("not_host")
    if room.status != "open":
        raise RoomRefused("started")


def _with(
    room: Room,
    *,
    people: tuple[Seated, ...],
    seats: int | None = None,
    options: Mapping[str, Json] | None = None,
) -> Room:
    """Returns the changed room, or the same object where nothing differs."""
    following = replace(
        room,
        people=people,
        seats=room.seats if seats is None else seats,
        options=room.options if options is None else options,
    )
    return room if following == room else following
