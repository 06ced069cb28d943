"""What all tests share: one PostgreSQL for the run, and a fresh database for each test.

The server is the embedded one, in a folder of its own and without fsync. Each worker of the run
migrates one template database; a test gets a clone of it. A keeper stops the server and removes
the folder when the run is over, also when it was killed.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy.engine import URL

from app.config import Settings
from app.database import Database
from app.embedded import EmbeddedPostgres

_FOLDER = "MOTHERLODE_TEST_POSTGRES"
_numbers = itertools.count()


def pytest_configure(config: pytest.Config) -> None:
    """In the process that begins the run: choose the folder, which its workers inherit."""
    if hasattr(config, "workerinput"):
        return
    folder = tempfile.mkdtemp(prefix="motherlode-tests-")
    os.environ[_FOLDER] = folder
    keeper = subprocess.Popen(
        [sys.executable, "-m", "tests.keeper", folder],
        cwd=Path(__file__).resolve().parent.parent,
        stdin=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C ends the run, the keeper cleans up after it
    )
    config.add_cleanup(lambda: _dismiss(keeper))


def _dismiss(keeper: subprocess.Popen[bytes]) -> None:
    keeper.communicate()
    assert keeper.returncode == 0, "the PostgreSQL of the tests could not be stopped"


@pytest.fixture(scope="session")
def postgres() -> Iterator[EmbeddedPostgres]:
    """The PostgreSQL of the run, joined by each worker that has a test which needs it."""
    server = EmbeddedPostgres(Path(os.environ[_FOLDER]) / "postgres", durable=False)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def template(postgres: EmbeddedPostgres) -> str:
    """The name of this worker's database that has all tables and no rows."""
    name = f"template_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"

    async def make() -> None:
        await _command(postgres, f'create database "{name}"')
        async with Database(postgres.url(name)) as database:
            await database.migrate()

    asyncio.run(make())
    return name


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A folder for a house with an embedded PostgreSQL of its own.

    Not `tmp_path`: as root the server runs as another user, and every run of pytest closes the
    folder above all of those to other users, also while another run needs it.
    """
    with tempfile.TemporaryDirectory(prefix="motherlode-house-") as folder:
        yield Path(folder)


@pytest.fixture
async def database_url(postgres: EmbeddedPostgres, template: str) -> AsyncIterator[URL]:
    """The address of a fresh database with all tables; dropped after the test."""
    async with fresh_database(postgres, template) as url:
        yield url


@asynccontextmanager
async def fresh_database(postgres: EmbeddedPostgres, template: str) -> AsyncIterator[URL]:
    """Makes a clone of the template, gives its address, and drops it."""
    name = f"{template.replace('template', 'test')}_{next(_numbers)}"
    await _command(postgres, f'create database "{name}" template "{template}"')
    yield postgres.url(name)
    await _command(postgres, f'drop database "{name}" with (force)')


@pytest.fixture
def settings(database_url: URL, tmp_path: Path) -> Settings:
    """Settings of a house on a fresh database, with no limits on what tests may do."""
    return Settings(
        host="127.0.0.1",
        database_url=database_url.render_as_string(hide_password=False),
        data_dir=tmp_path,
        moves_per_second=0,
        rooms_per_hour=0,
        players_per_hour=0,
        records_per_minute=0,
        sockets_per_address=0,
    )


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    """An open database, fresh and migrated."""
    async with await Database.open(settings) as opened:
        yield opened


async def _command(postgres: EmbeddedPostgres, sql: str) -> None:
    url = postgres.url("postgres").set(drivername="postgresql")
    connection = await asyncpg.connect(url.render_as_string(hide_password=False))
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
