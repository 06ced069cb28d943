"""The floors: what a bare socket echo and bare commits cost on this machine.

    python -m bench.floors --seconds 4

The echo is served like the house (same server, same settings) and sends each message back; the load
client sends one of the size of a state as soon as the last one has come back. Commits are inserts
of rows like those of the journal, one statement and one commit at a time on each connection,
durable, into the embedded PostgreSQL or the server of `--database`.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import UUID

import asyncpg
import uvloop
from sqlalchemy.engine import URL

from bench.house import ROOT, connect, free_port, fresh_database, postgres_pid
from bench.load import postgres_at
from bench.machine import cpu_of, describe
from bench.rows import number, percentiles, table
from bench.sockets import Socket, open_socket

SOCKETS = 50
MESSAGE = b"x" * 700
"""About as long as a state in JSON: 1,400 bytes for a turn, which shows its mover and opponent one
state each."""
BODY = '{"moves":[{"kind":"play","card":"R5"},{"kind":"draw","from":"deck"}]}'
COMMITS = ((1, 1), (8, 1), (32, 1), (1, 32))
"""How many connections, and how many rows in each commit."""
START_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Floor:
    """What a floor gave: `each` is what it counts, CPU in seconds for 1,000 of these."""

    each: str
    per_second: float
    waits: tuple[float, ...]
    cpu: float | None
    client_cores: float


async def echoed(seconds: float) -> Floor:
    """Measures the echo."""
    with _echo() as (url, pid):
        waits: list[float] = []
        sent: dict[int, float] = {}
        sockets: list[Socket] = []

        def send(at: int) -> None:
            sent[at] = time.perf_counter()
            sockets[at].send(MESSAGE)

        def heard(at: int, _: bytes) -> None:
            waits.append(time.perf_counter() - sent[at])
            send(at)

        for at in range(SOCKETS):
            told = partial(heard, at)
            sockets += [
                await open_socket(url, "/", token="", protocol="echo", heard=told, lost=print)
            ]
        for at in range(SOCKETS):
            send(at)
        await asyncio.sleep(1)
        waits.clear()
        began, client, server = time.perf_counter(), time.process_time(), cpu_of(pid)
        await asyncio.sleep(seconds)
        took, many = time.perf_counter() - began, len(waits)
        cpu = (cpu_of(pid) - server) * 1000 / many
        client = (time.process_time() - client) / took
        for socket in sockets:
            socket.close()
        milliseconds = percentiles([wait * 1000 for wait in waits])
        name = f"message there and back, {SOCKETS} sockets, {len(MESSAGE)} bytes"
        return Floor(name, many / took, milliseconds, cpu, client)


async def committed(server: URL, connections: int, rows: int, seconds: float) -> Floor:
    """Measures durable commits of `rows` rows each, on several connections."""
    database = await fresh_database(server)
    pid = await postgres_pid(database)
    opened = [await connect(database) for _ in range(connections)]
    await opened[0].execute(
        "create table entries (room_id uuid, seq int, seat smallint, kind text, move_id text, "
        "body text, at timestamptz default now(), primary key (room_id, seq))"
    )
    waits: list[float] = []
    end = time.perf_counter() + seconds
    before, client = 0.0 if pid is None else cpu_of(pid), time.process_time()
    await asyncio.gather(
        *(_write(one, UUID(int=at), rows, end, waits) for at, one in enumerate(opened))
    )
    client = (time.process_time() - client) / seconds
    cpu = None if pid is None else (cpu_of(pid) - before) * 1000 / len(waits)
    for one in opened:
        await one.close()
    milliseconds = percentiles([wait * 1000 for wait in waits])
    name = f"commit of {rows} {'row' if rows == 1 else 'rows'}, {connections} at once"
    return Floor(name, len(waits) / seconds, milliseconds, cpu, client)


async def _write(
    connection: asyncpg.Connection[asyncpg.Record],
    room: UUID,
    rows: int,
    end: float,
    waits: list[float],
) -> None:
    insert = await connection.prepare(
        "insert into entries select $1, seq, 0, 'move', seq::text, $3 from unnest($2::int[]) seq"
    )
    seq = 0
    while (began := time.perf_counter()) < end:
        await insert.fetch(room, list(range(seq, seq + rows)), BODY)
        waits.append(time.perf_counter() - began)
        seq += rows


@contextmanager
def _echo() -> Iterator[tuple[str, int]]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    process = subprocess.Popen([sys.executable, "-m", "bench.echo", str(port)], cwd=ROOT)
    try:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                urllib.request.urlopen(url, timeout=1).close()
                break
            except (urllib.error.URLError, OSError):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait()


async def floors(server: URL, seconds: float) -> list[Floor]:
    """Measures all of them, each for so many seconds."""
    found = [await echoed(seconds)]
    for connections, rows in COMMITS:
        found.append(await committed(server, connections, rows, seconds))
    return found


def floors_table(found: list[Floor]) -> str:
    """Returns them as a table in Markdown."""
    lines = [
        (
            floor.each,
            f"{floor.per_second:,.0f}",
            " / ".join(f"{wait:.2f}" for wait in floor.waits),
            number(floor.cpu, ".3f"),
            f"{floor.client_cores:.2f}",
        )
        for floor in found
    ]
    return table(("floor", "a second", "p50 / p95 / p99 ms", "CPU s/1000", "client cores"), lines)


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description="Socket echo and commits without the house.")
    parser.add_argument("--seconds", type=float, default=4.0, help="for each of five")
    parser.add_argument("--database", help="a PostgreSQL server to use instead of the embedded one")
    parser.add_argument("--quick", action="store_true", help="one second for each")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="motherlode-bench-") as name,
        postgres_at(given.database, Path(name)) as server,
    ):
        found = uvloop.run(floors(server, 1.0 if given.quick else given.seconds))
    print(describe())
    print()
    print(floors_table(found))


if __name__ == "__main__":
    main()
