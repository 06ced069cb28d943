"""The servers under load: `python -m app serve` in processes of their own, on a fresh database."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import psutil
from sqlalchemy.engine import URL, make_url

from app.config import Settings

ROOT = Path(__file__).resolve().parent.parent
DATABASE = "motherlode_bench"
START_SECONDS = 60.0
STOP_SECONDS = 30.0
_RATES = ("_per_second", "_per_minute", "_per_hour", "_per_address")
NO_LIMITS = {name.upper(): "0" for name in Settings.model_fields if name.endswith(_RATES)}
"""Settings of a house that lets everybody do as much as they like."""


@dataclass(frozen=True, slots=True)
class House:
    """A running server: its address, its process, and the database it writes to."""

    url: str
    pid: int
    database: URL


@dataclass(frozen=True, slots=True)
class Fleet:
    """Servers on one database: their addresses, and all processes that they are made of."""

    urls: tuple[str, ...]
    pids: tuple[int, ...]
    database: URL


@dataclass(frozen=True, slots=True)
class Journal:
    """How much was written: `entries` in `commits` transactions."""

    entries: int
    commits: int


async def fresh_database(server: URL) -> URL:
    """Drops and creates the benchmark's own database on a server; returns its address."""
    connection = await connect(server)
    try:
        await connection.execute(f"drop database if exists {DATABASE} with (force)")
        await connection.execute(f"create database {DATABASE}")
    finally:
        await connection.close()
    return server.set(database=DATABASE)


async def postgres_pid(database: URL) -> int | None:
    """Returns the main process of PostgreSQL, or None if it runs on another machine."""
    connection = await connect(database)
    try:
        process = psutil.Process(await connection.fetchval("select pg_backend_pid()"))
        return process.ppid() if process.name().startswith("postgres") else None
    except psutil.NoSuchProcess:
        return None
    finally:
        await connection.close()


async def server_version(database: URL) -> str:
    """Returns the version of PostgreSQL, as `18.4`."""
    connection = await connect(database)
    try:
        return str(await connection.fetchval("show server_version"))
    finally:
        await connection.close()


async def journal_of(database: URL) -> Journal:
    """Counts the entries, and the transactions they were written in.

    The first entry of a game is written with its room and is left out.
    """
    connection = await connect(database)
    try:
        row = await connection.fetchrow(
            "select count(*) entries, count(distinct xmin::text) commits from journal where seq > 0"
        )
    finally:
        await connection.close()
    assert row is not None
    return Journal(row["entries"], row["commits"])


class Server:
    """`python -m app serve` on a port that it keeps, however often it is started again.

    `nats` is the address of a bus, if it is one of several; `profile` a file that gets at the end
    what took its time; `environment` further settings. What it prints goes to a file in `folder`.
    """

    def __init__(
        self,
        database: URL,
        folder: Path,
        *,
        nats: str | None = None,
        profile: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self.log = folder / f"server-{self._port}.log"
        self.database = database
        plain = database.set(drivername="postgresql")
        self._environment = os.environ | NO_LIMITS
        self._environment |= {
            "HOST": "127.0.0.1",
            "PORT": str(self._port),
            "DATABASE_URL": plain.render_as_string(hide_password=False),
            "DATA_DIR": str(folder / f"data-{self._port}"),
            "LOG_LEVEL": "WARNING",
        }
        if nats is not None:
            self._environment["NATS_URL"] = nats
        self._environment |= environment or {}
        self._what = ["app", "serve"] if profile is None else ["bench.profiled", str(profile)]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process that serves now."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Starts it and waits until it answers.

        Raises RuntimeError with what it printed if it does not come up.
        """
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *self._what],
                cwd=ROOT,
                env=self._environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + START_SECONDS
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        self.kill()
        raise RuntimeError(f"the server did not start:\n{self.log.read_text(errors='replace')}")

    def kill(self) -> None:
        """Ends it as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """Ends it in good order."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()


@contextmanager
def serving(database: URL, folder: Path, profile: Path | None = None) -> Iterator[House]:
    """Runs one server without limits and gives it once it answers; ends it afterwards.

    With `profile`, that file says at the end what took its time.

    Raises RuntimeError with what it printed if it does not come up.
    """
    server = Server(database, folder, profile=profile)
    try:
        server.start()
        yield House(server.url, server.pid, database)
    finally:
        server.stop()


@contextmanager
def fleet(database: URL, folder: Path, processes: int, profile: Path | None) -> Iterator[Fleet]:
    """Runs `processes` servers on one database, more than one with a NATS server between them."""
    with ExitStack() as stack:
        if processes == 1:
            house = stack.enter_context(serving(database, folder, profile))
            yield Fleet((house.url,), (house.pid,), database)
            return
        address, bus = stack.enter_context(_nats(folder))
        servers = [Server(database, folder, nats=address) for _ in range(processes)]
        for server in servers:
            stack.callback(server.stop)
            server.start()
        pids = (*(server.pid for server in servers), bus)
        yield Fleet(tuple(server.url for server in servers), pids, database)


def begin_profiles(*pids: int) -> None:
    """Has servers that write a profile leave out what they have done so far."""
    for pid in pids:
        os.kill(pid, signal.SIGUSR1)


@contextmanager
def _nats(folder: Path) -> Iterator[tuple[str, int]]:
    program = Path(sys.executable).parent / "nats-server"
    port = free_port()
    with (folder / "nats.log").open("wb") as output:
        process = subprocess.Popen(
            [program, "-a", "127.0.0.1", "-p", str(port)], stdout=output, stderr=output
        )
    try:
        yield f"nats://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    """Returns a port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def connect(url: URL) -> asyncpg.Connection[asyncpg.Record]:
    """Opens a connection to a database."""
    plain = make_url(url).set(drivername="postgresql")
    return await asyncpg.connect(plain.render_as_string(hide_password=False))
