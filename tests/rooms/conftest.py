"""A house with rooms on a real database, and people to sit in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event, text

from app.database import Database
from app.games.contract import Outcome
from app.games.registry import GAMES, Registry
from app.play.entry import Entry
from app.play.journal import Journal
from app.players.service import Player, Players
from app.rooms.room import Room
from app.rooms.service import Rooms
from tests.tiny.games import TINY

ALL_GAMES: Registry = {**GAMES, **TINY}
DRAWN = Outcome((1, 1), (3, 3), ({}, {}), "deck")
"""How a game of two may end."""


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    now: datetime = field(default_factory=lambda: datetime(2026, 3, 1, 19, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass
class House:
    """Rooms, players and what the rooms told their listeners."""

    database: Database
    clock: Clock
    players: Players
    rooms: Rooms
    told: list[Room] = field(default_factory=list)

    async def people(self, *names: str) -> list[Player]:
        """Makes players."""
        return [(await self.players.create(name))[0] for name in names]

    def another_process(self) -> Rooms:
        """The same rooms, seen by another process of the house."""
        return Rooms(self.database, ALL_GAMES, now=self.clock)

    async def journal(self, room: Room) -> list[Entry]:
        """The entries of a room."""
        return await Journal(self.database).read(room.id)

    async def column(self, room: Room, name: str) -> object:
        """One column of the room's row."""
        async with self.database.engine.connect() as connection:
            query = text(f"select {name} from rooms where id = :id")
            return await connection.scalar(query, {"id": room.id})

    async def seat_rows(self, room: Room) -> list[tuple[int, object]]:
        """The rows of the room's seats."""
        async with self.database.engine.connect() as connection:
            query = text("select seat, player_id from room_seats where room_id = :id order by seat")
            return [(row[0], row[1]) for row in await connection.execute(query, {"id": room.id})]


@pytest.fixture
def house(database: Database) -> House:
    """A house with all games and a standing clock."""
    clock = Clock()
    rooms = Rooms(database, ALL_GAMES, now=clock)
    made = House(database, clock, Players(database), rooms)
    rooms.listeners.append(made.told.append)
    return made


@pytest.fixture
def statements(database: Database) -> Callable[[], int]:
    """Tells how many statements went to the database since it was last asked, by either way."""
    seen = 0
    sent: list[str] = []

    @event.listens_for(database.engine.sync_engine, "before_cursor_execute")
    def note(_c: object, _cursor: object, sql: str, *_rest: object) -> None:
        sent.append(sql)

    def since() -> int:
        nonlocal seen
        before, seen = seen, len(sent) + database.direct.statements
        return seen - before

    return since
