"""Tables from before a player had one code at most: they become such, and go back."""

from __future__ import annotations

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError

from app.database import MIGRATIONS, Database, new_id

CODE = text(
    "insert into device_codes (code_hash, player_id, expires_at) values (:hash, :player, now())"
)


def before(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.downgrade(config, "0004")


async def test_who_had_two_codes_has_none_and_from_then_on_one_at_most(database: Database) -> None:
    two, one = new_id(), new_id()
    async with database.engine.begin() as connection:
        await connection.run_sync(before)
        for number, player in enumerate((two, two, one)):
            await connection.execute(CODE, {"hash": bytes([number]), "player": player})
    await database.migrate()
    async with database.engine.connect() as connection:
        players = await connection.scalars(text("select player_id from device_codes"))
        assert players.all() == [one]
        with pytest.raises(IntegrityError):
            await connection.execute(CODE, {"hash": b"more", "player": one})
