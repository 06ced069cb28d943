"""A player's own rooms: what runs, what waits, what is over, and how it went against whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import RowMapping

from app.database import Database
from app.rooms.codes import parse_code
from app.rooms.listings import FRIENDS, OPEN, OVER, PEOPLE, WAITING
from app.rooms.room import Seated, Status

FINISHED_A_PAGE: Final = 20
"""Finished games that are shown at once."""
MOST_OPEN: Final = 200
"""Rooms that are not finished, as many as are shown at most."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A room as one of its players finds it in a list.

    `seat` is the player's own seat (of several on one device the one without a name of its own),
    `held` tells that it is only kept free for them. `actors` are the seats that owe a decision and
    `since` is when the last entry was written (None before the start). `ended_at` is None until the
    game is over. `sat` is when somebody last took a seat.
    """

    id: UUID
    code: str
    game: str
    status: Status
    seats: int
    people: tuple[Seated, ...]
    seat: int
    held: bool
    host: bool
    actors: tuple[int, ...]
    created_at: datetime
    sat: datetime
    since: datetime | None
    ended_at: datetime | None

    @property
    def mine(self) -> bool:
        """Whether the game waits for this player, or for who plays on the same device."""
        me = next((one.player_id for one in self.people if one.seat == self.seat), None)
        return any(one.player_id == me and one.seat in self.actors for one in self.people)


@dataclass(frozen=True, slots=True)
class Against:
    """Finished games of one kind against one other player, each on the seat of their own.

    `points` and `their_points` are sums over the `counted` games, in which both had a total.
    """

    player_id: UUID
    name: str
    game: str
    games: int
    won: int
    lost: int
    drawn: int
    counted: int
    points: int
    their_points: int


@dataclass(frozen=True, slots=True)
class Overview:
    """A player's rooms: running ones that wait for them first, then the oldest wait first.

    `waiting` are rooms before their start, `finished` the newest first, of which `older` tells
    whether there are more. `against` is by friend and game, most games first.
    """

    running: tuple[Listed, ...]
    waiting: tuple[Listed, ...]
    finished: tuple[Listed, ...]
    older: bool
    against: tuple[Against, ...]


class Mine:
    """Reads what a player has in this house."""

    def __init__(self, database: Database) -> None:
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")

    async def overview(self, player_id: UUID, page: int = 0) -> Overview:
        """Returns everything for the list of a player's games; `page` counts finished ones."""
        async with self._engine.connect() as link:
            mine = {"player": player_id}
            opened = (await link.execute(OPEN, {**mine, "most": MOST_OPEN})).mappings().all()
            skip = page * FINISHED_A_PAGE
            paged = {**mine, "most": FINISHED_A_PAGE + 1, "skip": skip}
            over = (await link.execute(OVER, paged)).mappings().all()
            ids = [row["id"] for row in (*opened, *over)]
            people = (await link.execute(PEOPLE, {"ids": ids})).mappings().all()
            against = (await link.execute(FRIENDS, mine)).mappings().all()
        rooms = [_listed(row, people) for row in opened]
        running = [room for room in rooms if room.status in {"starting", "running"}]
        running.sort(key=lambda room: (not room.mine, room.since or room.created_at))
        return Overview(
            running=tuple(running),
            waiting=tuple(room for room in rooms if room.status == "open"),
            finished=tuple(_listed(row, people) for row in over[:FINISHED_A_PAGE]),
            older=len(over) > FINISHED_A_PAGE,
            against=tuple(Against(**row) for row in against),
        )

    async def next_for(self, player_id: UUID, but: str = "") -> tuple[str | None, int]:
        """Returns the code of the room that has waited longest for a player, and how many wait.

        The room with the code `but` is left out; what is no code leaves out none.
        """
        but = parse_code(but) or ""
        async with self._engine.connect() as link:
            codes = list(await link.scalars(WAITING, {"player": player_id, "but": but}))
        return (codes[0] if codes else None), len(codes)


def _listed(row: RowMapping, people: Sequence[RowMapping]) -> Listed:
    there = tuple(
        Seated(
            one["seat"],
            one["player_id"],
            one["name"],
            held=one["held"],
            place=one["place"],
            total=one["total"],
        )
        for one in people
        if one["room_id"] == row["id"]
    )
    return Listed(
        id=row["id"],
        code=row["code"],
        game=row["game"],
        status=row["status"],
        seats=row["seats"],
        people=there,
        seat=row["seat"],
        held=row["held"],
        host=row["host"],
        actors=tuple(row["actors"] or ()),
        created_at=row["created_at"],
        sat=row["sat"],
        since=row["since"],
        ended_at=row["finished_at"],
    )
