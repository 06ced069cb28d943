"""What all tests share: one PostgreSQL for the run, and an empty database for each test.

The server is the embedded one, in a folder of its own and without fsync. A keeper stops it and
removes the folder when the run is over, also when it was killed.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import URL
from xdist.remote import Producer

from app.config import Settings
from app.database import Database
from app.embedded import EmbeddedPostgres
from tests.databases import Databases
from tests.spreading import Spreading

_FOLDER = "MOTHERLODE_TEST_POSTGRES"


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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Spreading:
    """Keeps tests together that share a house."""
    return Spreading(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collects without search for cycles: it took a third of that time, in each worker."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Looks once for what was left behind. Pytest does so ten times, and takes a second for it."""
    gc.collect()
    gc.freeze()


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
async def databases(postgres: EmbeddedPostgres) -> AsyncIterator[Databases]:
    """The databases of this worker."""
    made = Databases(postgres, os.environ.get("PYTEST_XDIST_WORKER", "main"))
    await made.prepare()
    yield made
    await made.close()


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A folder for a house with an embedded PostgreSQL of its own.

    Not `tmp_path`: as root the server runs as another user, and every run of pytest closes the
    folder above all of those to other users, also while another run needs it.
    """
    with tempfile.TemporaryDirectory(prefix="motherlode-house-") as folder:
        yield Path(folder)


@pytest.fixture
async def database_url(databases: Databases) -> AsyncIterator[URL]:
    """The address of a database with all tables and no rows, for this test alone."""
    async with databases.lent() as url:
        yield url


@pytest.fixture
def settings(database_url: URL, tmp_path: Path) -> Settings:
    """Settings of a house on a fresh database, with no limits on what tests may do."""
    return Settings(
        host="127.0.0.1",
        database_url=database_url.render_as_string(hide_password=False),
        data_dir=tmp_path,
        moves_per_second=0,
        messages_per_second=0,
        requests_per_minute=0,
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
