"""Alembic's way into the house: which tables there are, and on which connection to work.

The house itself calls it with a connection (`Database.migrate`); the command line of Alembic
(`alembic revision --autogenerate`) gets one for the settings in the environment.
"""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import Connection

import app.chat.models
import app.notify.models
import app.play.models
import app.players.models
import app.rooms.models
import app.tending.models  # noqa: F401 - the imports fill Base.metadata
from app.config import Settings
from app.database import Base, Database


def run(connection: Connection) -> None:
    """Run the wanted migrations on this connection, inside its transaction."""
    context.configure(connection=connection, target_metadata=Base.metadata)
    with context.begin_transaction():
        context.run_migrations()


async def run_by_settings() -> None:
    """Open the database of the environment for as long as the command runs."""
    async with await Database.open(Settings.load()) as database, database.engine.begin() as link:
        await link.run_sync(run)


given = context.config.attributes.get("connection")
if given is None:
    asyncio.run(run_by_settings())
else:
    run(given)
