"""What a room is at one moment, as plain immutable data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from app.games.contract import Json
from app.play.shuffle import words
from app.players.alike import told_apart

Status = Literal["open", "starting", "running", "finished"]


@dataclass(frozen=True, slots=True)
class Seated:
    """Who holds a seat. `hash` and `r` are 64 hexadecimal digits, or None if not given.

    `held`: it is kept free for this player, who has not sat down yet. `place` and `total` are what
    they reached in a finished game; both are None where it ended without a winner. `called` is the
    seat's own name, where several people play on one device; `name` is what is shown. `reopened` is
    the SHA-256, in hexadecimal digits, of the secret by whose link the seat can be taken over.
    """

    seat: int
    player_id: UUID
    name: str
    hash: str | None = None
    r: str | None = None
    held: bool = False
    called: str | None = None
    reopened: str | None = None
    place: int | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """One room. `r` counts its changes; `people` is ascending by seat.

    `seats` is the number of seats; from the start on it is the number of players. `previous` and
    `next` are the codes of the rooms where the same people played before and play again. `clock` is
    the time for a move in seconds (None: no clock), `watching` whether who has no seat may watch,
    `watchers_chat` whether those may write in the chat. The server seed is no part of this, so
    that it cannot get on a page by accident.
    """

    id: UUID
    code: str
    game: str
    seats: int
    options: Mapping[str, Json]
    host_id: UUID | None
    status: Status
    commitment: str
    r: int
    people: tuple[Seated, ...]
    starting_until: datetime | None
    created_at: datetime
    clock: int | None = None
    watching: bool = True
    watchers_chat: bool = False
    previous: str | None = None
    next: str | None = None

    @property
    def seated(self) -> tuple[Seated, ...]:
        """Those who have sat down, ascending by seat."""
        return tuple([person for person in self.people if not person.held])

    @property
    def names(self) -> dict[int, str]:
        """What people are called by seat; of names that look alike, later ones are marked (2)."""
        names = told_apart([person.name for person in self.people])
        return {person.seat: name for person, name in zip(self.people, names, strict=True)}

    @property
    def words(self) -> tuple[str, ...]:
        """The commitment as four words to read aloud."""
        return words(self.commitment)

    def seats_of(self, player_id: UUID | None) -> tuple[int, ...]:
        """Returns the seats of a player, ascending; () for a spectator or None."""
        if player_id is None:
            return ()
        return tuple(
            [one.seat for one in self.people if one.player_id == player_id and not one.held]
        )

    def may_look(self, player_id: UUID | None) -> bool:
        """Tells whether a player, or a stranger (None), may see what happens in this room.

        Before the start everybody may, to sit down.
        """
        return self.watching or self.status == "open" or bool(self.seats_of(player_id))

    def held_for(self, player_id: UUID | None) -> int | None:
        """Returns the seat that is kept free for a player, or None."""
        held = (one.seat for one in self.people if one.held and one.player_id == player_id)
        return next(held, None)

    def at(self, seat: int) -> Seated | None:
        """Returns who holds the seat, or for whom it is held, or None."""
        return next((person for person in self.people if person.seat == seat), None)

    def free_seat(self) -> int | None:
        """Returns the lowest free seat, or None if the room is full."""
        taken = {person.seat for person in self.people}
        return next((seat for seat in range(self.seats) if seat not in taken), None)

    def awaits_reveals(self) -> bool:
        """Tells whether a seat promised an `r` that it has not shown yet."""
        return any(person.hash is not None and person.r is None for person in self.people)


class RoomRefused(Exception):
    """Something a room does not do. `code` is stable, `facts` say more; both are public.

    Codes: unknown_room, room_removed, unknown_game, full, started, not_started, not_host,
    not_seated, not_watching, chat_seated_only, sign_in, too_few, too_many, bad_seats, bad_seat,
    bad_order, bad_options, bad_clock, bad_hash, bad_r, host_present, player_present, not_over,
    name_taken.
    """

    def __init__(self, code: str, **facts: Json) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts
