"""A rematch, as pure functions: same people, seats and options, and the first player moves on."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from app.database import new_id
from app.games.contract import Json, Meta
from app.games.options import FIRST
from app.rooms.room import Room, Seated


def options_again(meta: Meta, room: Room, starts: int | None) -> dict[str, Json]:
    """Returns the options of the next game: those of this one, but the next seat begins.

    `starts` is the seat that began. A game whose options name no first player draws it each time.
    """
    options: dict[str, Json] = dict(room.options)
    if starts is None:
        return options
    following = (starts + 1) % room.seats
    for option in meta.options:
        if option.key == FIRST and any(choice == following for choice, _ in option.choices):
            options[FIRST] = following
    return options


def people_again(room: Room, present: Collection[UUID]) -> tuple[Seated, ...]:
    """Returns the people on their seats; those who are not present have theirs held for them."""
    return tuple(
        Seated(
            person.seat,
            person.player_id,
            person.name,
            held=person.player_id not in present,
            called=person.called,
        )
        for person in room.people
    )


def again(
    room: Room,
    by: UUID,
    present: Collection[UUID],
    options: dict[str, Json],
    *,
    code: str,
    commitment: str,
    now: datetime,
) -> Room:
    """Returns the room where the people of `room` play again.

    The host stays host, if he is present; else it is who asked.
    """
    here = {by, *present}
    return Room(
        id=new_id(),
        code=code,
        game=room.game,
        seats=room.seats,
        options=options,
        host_id=room.host_id if room.host_id in here and room.seats_of(room.host_id) else by,
        status="open",
        commitment=commitment,
        r=0,
        people=people_again(room, here),
        starting_until=None,
        created_at=now,
        previous=room.code,
        clock=room.clock,
        watching=room.watching,
        watchers_chat=room.watchers_chat,
    )
