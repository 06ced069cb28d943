"""Starts that go wrong: each waits for what will come, or ends with a sentence that helps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy.engine import URL

from app.database import Database
from tests.faults.cluster import Cluster
from tests.faults.houses import UNLIMITED
from tests.realtime.people import person, started
from tests.servers import Server

pytestmark = pytest.mark.servers

PASSWORD = "the-right-one"
WRONG = "the-wrong-one"
ONLY_WITH_PASSWORD = "local all postgres trust\nlocal all all scram-sha-256\n"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = Cluster()
    made.command(f"create role ann login password '{PASSWORD}'")
    made.command("create database annes owner ann")
    made.replace_rules(ONLY_WITH_PASSWORD)
    yield made
    made.end()


def refused(server: Server) -> str:
    """Starts a house that cannot start; returns what it said."""
    server.start(ready=False)
    assert server.wait() == 1
    said = server.output()
    assert "Traceback" not in said
    return said


def test_the_first_start_waits_for_the_database(cluster: Cluster, tmp_path: Path) -> None:
    cluster.stop()
    server = Server(cluster.address, tmp_path)
    try:
        server.start(ready=False)
        deadline = time.monotonic() + 20
        while "waiting_for_postgresql" not in server.output() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert "waiting_for_postgresql" in server.output()
        assert server.process is not None
        assert server.process.poll() is None
    finally:
        cluster.start()
    server.wait_ready()
    assert server.stop() == 0


def test_a_database_that_never_comes_ends_the_wait(cluster: Cluster, tmp_path: Path) -> None:
    nowhere = cluster.url.set(query={"host": str(tmp_path)}).render_as_string(hide_password=False)
    said = refused(Server(nowhere, tmp_path, DATABASE_WAIT="1"))
    assert "did not answer within 1 seconds" in said
    assert "DATABASE_URL" in said


def test_a_wrong_password_is_said_and_not_shown(cluster: Cluster, tmp_path: Path) -> None:
    right = cluster.url.set(username="ann", password=PASSWORD, database="annes")
    wrong = right.set(password=WRONG)
    said = refused(Server(wrong.render_as_string(hide_password=False), tmp_path / "wrong"))
    assert "'ann'" in said
    assert "password" in said
    assert "DATABASE_URL" in said
    assert WRONG not in said
    with Server(right.render_as_string(hide_password=False), tmp_path / "right"):
        pass


def test_a_user_without_rights_on_the_tables_is_told(cluster: Cluster, tmp_path: Path) -> None:
    asyncio.run(migrated(cluster.url))
    stranger = cluster.url.set(username="ann", password=PASSWORD)
    said = refused(Server(stranger.render_as_string(hide_password=False), tmp_path / "stranger"))
    assert "user 'ann'" in said
    assert "permission denied for table alembic_version" in said
    assert "DATABASE_URL" in said
    assert PASSWORD not in said


@pytest.mark.faults
def test_ten_first_starts_in_a_row_come_up(data_dir: Path) -> None:
    """Each in an empty folder, with a PostgreSQL of its own that is not there yet."""
    for number in range(10):
        server = Server("", data_dir / str(number))
        with server:
            assert httpx.get(f"{server.url}/").status_code == 200
        assert server.process is not None
        assert server.process.returncode == 0
        assert "Traceback" not in server.output()


async def migrated(url: URL) -> None:
    """Makes the tables as their owner."""
    async with Database(url) as database:
        await database.migrate()


@pytest.fixture(scope="class")
def first(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house that holds its claim while other starts are tried."""
    folder = tmp_path_factory.mktemp("first")
    with Server(cluster.address, folder, port=None, **UNLIMITED) as serving:
        yield serving


class TestTwoHouses:
    """Only one process serves a database."""

    async def test_the_second_is_refused(
        self, cluster: Cluster, first: Server, tmp_path: Path
    ) -> None:
        said = await asyncio.to_thread(refused, Server(cluster.address, tmp_path))
        assert "Another Motherlode already serves this database" in said
        assert "set NATS_URL" in said
        async with httpx.AsyncClient(timeout=10) as http:
            people = [await person(first.url, http, name) for name in ("Ann", "Bo")]
            code = await started(people, "lost_cities", {"first": 0})
            async with people[0].line(code) as line:
                await line.move(line.prompt["legal"][0])
                await line.hear_state(v=1)

    @pytest.mark.faults
    def test_it_is_still_refused_after_the_database_was_away(
        self, cluster: Cluster, first: Server, tmp_path: Path
    ) -> None:
        """The claim on the database goes with its connection; the house has to make it again."""
        cluster.stop()
        cluster.start()
        first.wait_ready()
        cluster.wait_claimed()
        said = refused(Server(cluster.address, tmp_path))
        assert "Another Motherlode already serves this database" in said
        assert first.process is not None
        assert first.process.poll() is None
