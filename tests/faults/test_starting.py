"""Starts that go wrong: each waits for what will come, or ends with a sentence that helps."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.faults.cluster import Cluster
from tests.faults.houses import UNLIMITED
from tests.realtime.people import person, started
from tests.servers import Server

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
    with Server(cluster.address, tmp_path / "owner"):
        pass
    stranger = cluster.url.set(username="ann", password=PASSWORD)
    said = refused(Server(stranger.render_as_string(hide_password=False), tmp_path / "stranger"))
    assert "user 'ann'" in said
    assert "permission denied for table alembic_version" in said
    assert "DATABASE_URL" in said
    assert PASSWORD not in said


def test_a_taken_port_is_said_at_once(cluster: Cluster, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        said = refused(Server(cluster.address, tmp_path, port=port))
    assert f"Port {port}" in said
    assert "PORT" in said


async def test_a_second_house_on_one_database_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    with Server(cluster.address, tmp_path / "first", port=None, **UNLIMITED) as first:
        said = await asyncio.to_thread(refused, Server(cluster.address, tmp_path / "second"))
        assert "Another Motherlode already serves this database" in said
        async with httpx.AsyncClient(timeout=10) as http:
            people = [await person(first.url, http, name) for name in ("Ann", "Bo")]
            code = await started(people, "lost_cities", {"first": 0})
            async with people[0].line(code) as line:
                await line.move(line.prompt["legal"][0])
                await line.hear_state(v=1)


async def test_it_is_still_refused_after_the_database_was_away(
    cluster: Cluster, tmp_path: Path
) -> None:
    """The claim on the database goes with its connection; the house has to make it again."""
    with Server(cluster.address, tmp_path / "first") as first:
        await asyncio.to_thread(cluster.stop)
        await asyncio.to_thread(cluster.start)
        await asyncio.to_thread(first.wait_ready)
        await asyncio.to_thread(cluster.wait_claimed)
        said = await asyncio.to_thread(refused, Server(cluster.address, tmp_path / "second"))
        assert "Another Motherlode already serves this database" in said
        assert first.process is not None
        assert first.process.poll() is None
