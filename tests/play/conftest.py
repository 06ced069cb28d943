"""Processes that play on the database of a test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from app.database import Database
from app.games.registry import GAMES, Registry
from app.play.journal import Journal
from app.play.tables import Tables
from tests.play.processes import SEED, Begin, Process
from tests.tiny.games import TINY

ALL: Registry = {**GAMES, **TINY}


@pytest.fixture
async def begin(database: Database) -> AsyncIterator[Begin]:
    """Starts further processes on the same database."""
    running: list[Process] = []

    async def start() -> Process:
        async def seed_of(_: UUID) -> bytes:
            return SEED

        journal = Journal(database)
        changes: list[tuple[UUID, int]] = []
        tables = Tables(
            journal,
            ALL,
            seed_of,
            changed=lambda table: changes.append((table.room_id, table.v)),
            wanted=lambda _: False,
        )
        await journal.start()
        running.append(Process(journal, tables, changes))
        return running[-1]

    yield start
    for process in running:
        await process.tables.stop()
        await process.journal.stop()


@pytest.fixture
async def house(begin: Begin) -> Process:
    return await begin()
