"""A house on a real database whose clock can be moved, and the commands of its host."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import text

from app.config import Settings
from app.database import Database
from app.games.contract import Outcome
from app.games.registry import GAMES
from app.players.service import Player, Players
from app.rooms.keeping import Keeping
from app.rooms.removal import Removal
from app.rooms.room import Room
from app.rooms.service import Rooms
from app.tending.commands import add_commands, run
from app.tending.sweep import Sweep

RULE = Keeping(room_days=7, idle_days=90)
DRAWN = Outcome((1, 1), (3, 3), ({}, {}), "deck")
"""How a game of two may end."""


@dataclass
class House:
    """Rooms and players, and a clock that stands still until it is moved."""

    database: Database
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    players: Players = field(init=False)
    rooms: Rooms = field(init=False)

    def __post_init__(self) -> None:
        self.players = Players(self.database)
        self.rooms = Rooms(self.database, GAMES, now=lambda: self.now)

    async def people(self, *names: str) -> list[Player]:
        """Makes players."""
        return [(await self.players.create(name))[0] for name in names]

    async def open(self, host: Player, *guests: Player) -> Room:
        """Opens a room for two."""
        room = await self.rooms.create(host, "lost_cities", 2, {})
        for guest in guests:
            room, _ = await self.rooms.sit(room.id, guest)
        return room

    async def begin(self, host: Player, guest: Player) -> Room:
        """Opens a room and starts its game."""
        room = await self.open(host, guest)
        return await self.rooms.start(room.id, host)

    def passes(self, **time: float) -> None:
        """Lets time go by."""
        self.now += timedelta(**time)

    def sweep(self, keeping: Keeping = RULE) -> Sweep:
        """The sweep of one process."""
        return Sweep(self.database, Removal(self.database, keeping), now=lambda: self.now)

    async def sql(self, query: str, **which: object) -> int:
        """Runs a statement; returns the number it selects."""
        async with self.database.engine.begin() as link:
            done = await link.execute(text(query), which)
            return int(done.scalar_one()) if done.returns_rows else 0

    async def rows(self, room_id: UUID) -> dict[str, int]:
        """How many rows of each table belong to a room."""
        tables = ("room_seats", "journal", "snapshots", "chat")
        return {
            table: await self.sql(f"select count(*) from {table} where {key} = :id", id=room_id)
            for table, key in (("rooms", "id"), *((table, "room_id") for table in tables))
        }


@pytest.fixture
def house(database: Database) -> House:
    """A house of this test's own."""
    return House(database)


Command = Callable[..., Awaitable[str]]


@pytest.fixture
def command(settings: Settings) -> Command:
    """Carries out a command of the host, also with other `settings`; returns what it prints."""
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers(), lambda _: 0)

    async def done(*words: str, settings: Settings = settings) -> str:
        return await run(settings, parser.parse_args(words))

    return done
