"""A seat whose player has lost their way back, as pure functions from one room to the next.

The host makes a link for it; whoever has the link takes the seat over, or its player comes back
first. Each function returns the room it was given if there is nothing to change.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from uuid import UUID

from app.players.service import Player
from app.players.tokens import hashed_code
from app.rooms.room import Room, RoomRefused, Seated


def reopened(room: Room, by: UUID, seat: int, secret: str, away: Collection[int]) -> Room:
    """Opens a seat of a running game to whoever has `secret`, for the host.

    `away` are the seats whose players have been away for long enough. A new secret replaces the one
    before. Raises `RoomRefused`: not_host, not_started, game_over, bad_seat, not_long_away.
    """
    if room.host_id != by:
        raise RoomRefused("not_host")
    if room.status == "finished":
        raise RoomRefused("game_over")
    if room.status != "running":
        raise RoomRefused("not_started")
    person = room.at(seat)
    if person is None:
        raise RoomRefused("bad_seat", seats=room.seats)
    if person.player_id == by or seat not in away:
        raise RoomRefused("not_long_away")
    return _with(room, replace(person, reopened=_hash(secret)))


def opened_by(room: Room, secret: str) -> Seated:
    """Returns the seat that a secret opens. Raises `RoomRefused("bad_seat_link")`."""
    wanted = _hash(secret)
    for person in room.people:
        if person.reopened is not None and person.reopened == wanted:
            return person
    raise RoomRefused("bad_seat_link")


def claimed(room: Room, player: Player, secret: str, present: Collection[UUID]) -> Room:
    """Gives the seat that a secret opens to a player who has none in this room.

    Its cards and its part of the shuffle stay with the seat. `present` are the players who are at
    the table: nobody's seat is taken from under them. Raises `RoomRefused`: already_seated,
    game_over, bad_seat_link, player_present.
    """
    if room.seats_of(player.id):
        raise RoomRefused("already_seated")
    if room.status == "finished":
        raise RoomRefused("game_over")
    person = opened_by(room, secret)
    if person.player_id in present:
        raise RoomRefused("player_present")
    following = replace(
        person, player_id=player.id, name=player.name, called=None, held=False, reopened=None
    )
    return _with(room, following)


def closed(room: Room, seats: Collection[int]) -> Room:
    """Makes the links of seats worthless, because their players are back."""
    people = tuple(
        replace(one, reopened=None) if one.seat in seats and one.reopened is not None else one
        for one in room.people
    )
    return room if people == room.people else replace(room, people=people)


def _hash(secret: str) -> str | None:
    found = hashed_code(secret)
    return None if found is None else found.hex()


def _with(room: Room, person: Seated) -> Room:
    people = tuple(person if one.seat == person.seat else one for one in room.people)
    return room if people == room.people else replace(room, people=people)
