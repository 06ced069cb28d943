"""Databases and houses that the tests of one file share."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Iterator

import asyncpg
import pytest

from app.embedded import EmbeddedPostgres
from tests.realtime.conftest import arrive, house_settings, http, url

__all__ = ["arrive", "house_settings", "http", "url"]

_numbers = itertools.count()


@pytest.fixture(scope="module")
def shared_database_url(postgres: EmbeddedPostgres, template: str) -> Iterator[str]:
    """The address of a fresh database for all tests of a file; dropped after the last."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    name = f"faults_{worker}_{next(_numbers)}"
    asyncio.run(_command(postgres, f'create database "{name}" template "{template}"'))
    yield postgres.url(name).render_as_string(hide_password=False)
    asyncio.run(_command(postgres, f'drop database "{name}" with (force)'))


async def _command(postgres: EmbeddedPostgres, sql: str) -> None:
    url = postgres.url("postgres").set(drivername="postgresql")
    connection = await asyncpg.connect(url.render_as_string(hide_password=False))
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
