"""The server under load: `python -m app serve` in a process of its own, on a fresh database."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import psutil
from sqlalchemy.engine import URL, make_url

ROOT = Path(__file__).resolve().parent.parent
DATABASE = "motherlode_bench"
START_SECONDS = 60.0
STOP_SECONDS = 30.0
NO_LIMITS = dict.fromkeys(
    (
        "MOVES_PER_SECOND",
        "ROOMS_PER_HOUR",
        "PLAYERS_PER_HOUR",
        "SOCKETS_PER_ADDRESS",
        "RECORDS_PER_MINUTE",
    ),
    "0",
)


@dataclass(frozen=True, slots=True)
class House:
    """A running server: its address, its process, and the database it writes to."""

    url: str
    pid: int
    database: URL


@dataclass(frozen=True, slots=True)
class Journal:
    """How much was written: `entries` in `commits` transactions."""

    entries: int
    commits: int


async def fresh_database(server: URL) -> URL:
    """Drops and creates the benchmark's own database on a server; returns its address."""
    connection = await _connect(server)
    try:
        await connection.execute(f"drop database if exists {DATABASE} with (force)")
        await connection.execute(f"create database {DATABASE}")
    finally:
        await connection.close()
    return server.set(database=DATABASE)


async def postgres_pid(database: URL) -> int | None:
    """Returns the main process of PostgreSQL, or None if it runs on another machine."""
    connection = await _connect(database)
    try:
        process = psutil.Process(await connection.fetchval("select pg_backend_pid()"))
        return process.ppid() if process.name().startswith("postgres") else None
    except psutil.NoSuchProcess:
        return None
    finally:
        await connection.close()


async def server_version(database: URL) -> str:
    """Returns the version of PostgreSQL, as `18.4`."""
    connection = await _connect(database)
    try:
        return str(await connection.fetchval("show server_version"))
    finally:
        await connection.close()


async def journal_of(database: URL) -> Journal:
    """Counts the entries, and the transactions they were written in.

    The first entry of a game is written with its room and is left out.
    """
    connection = await _connect(database)
    try:
        row = await connection.fetchrow(
            "select count(*) entries, count(distinct xmin::text) commits from journal where seq > 0"
        )
    finally:
        await connection.close()
    assert row is not None
    return Journal(row["entries"], row["commits"])


@contextmanager
def serving(database: URL, folder: Path, profile: Path | None = None) -> Iterator[House]:
    """Runs the server without limits; `folder` gets its data and its log.

    With `profile` it samples itself and writes there at the end what took its time.

    Raises RuntimeError with what it printed if it does not come up.
    """
    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    log = folder / "server.log"
    environment = os.environ | NO_LIMITS
    environment |= {
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "DATABASE_URL": database.set(drivername="postgresql").render_as_string(hide_password=False),
        "DATA_DIR": str(folder),
        "LOG_LEVEL": "WARNING",
    }
    what = ["app", "serve"] if profile is None else ["bench.profiled", str(profile)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *what],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_ready(process, url, log)
        yield House(url, process.pid, database)
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_ready(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{url}/readyz", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"the server did not start:\n{log.read_text(errors='replace')}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _connect(url: URL) -> asyncpg.Connection[asyncpg.Record]:
    plain = make_url(url).set(drivername="postgresql")
    return await asyncpg.connect(plain.render_as_string(hide_password=False))
