"""Lost Cities in a closed loop: how many turns the server makes, and what each one costs.

    python -m bench.load --games 60,200
    python -m bench.load --games 60 --send turn --protocol json --measure 20
    python -m bench.load --games 60 --protocol html

Every run starts `python -m app serve` on a fresh database, plays N games at once over real
sockets, every bot answering as soon as it is asked, and prints one row of a table. PostgreSQL is
the embedded one with its defaults (everything durable), or the server of DATABASE_URL, where a
database of the benchmark's own is dropped and made. Loads 127.0.0.1 only and ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import uvloop
from sqlalchemy.engine import URL, make_url

from app.embedded import EmbeddedPostgres
from bench.house import House, fresh_database, journal_of, postgres_pid, server_version, serving
from bench.html_reader import HtmlReader
from bench.http import Api
from bench.json_reader import CHOICES, JsonReader
from bench.machine import cpu_of, describe, memory_of
from bench.match import Match, Reader
from bench.meter import Meter, Row, table

OPENED_AT_ONCE = 16
OPENING_SECONDS = 120.0
MOST_GAMES = 2000
MOST_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Plan:
    """One run: `games` at once, measured for `measure` seconds after `warm` seconds."""

    games: int
    protocol: str
    send: str
    warm: float
    measure: float


def readers(plan: Plan) -> Callable[[], Reader]:
    """Returns what makes the readers of a run."""
    if plan.protocol == "html":
        return HtmlReader
    return lambda: JsonReader(CHOICES[plan.send])


async def loaded(plan: Plan, house: House, postgres: int | None) -> Row:
    """Loads a running server and returns what was measured."""
    meter = Meter()
    api = Api(house.url)
    protocol = f"motherlode.{plan.protocol}.v1"
    matches = [
        Match(house.url, api, meter, protocol=protocol, reader=readers(plan), number=number)
        for number in range(plan.games)
    ]
    gate = asyncio.Semaphore(OPENED_AT_ONCE)

    async def prepare(match: Match) -> None:
        async with gate:
            await match.prepare()

    async with asyncio.timeout(OPENING_SECONDS):
        await asyncio.gather(*map(prepare, matches))
    playing = [asyncio.create_task(match.run()) for match in matches]
    await asyncio.sleep(plan.warm)

    before = await asyncio.to_thread(_spent, house.pid, postgres)
    bytes_before = _bytes(meter, matches)
    meter.open()
    await asyncio.sleep(plan.measure)
    meter.close()
    bytes_after = _bytes(meter, matches)
    after = await asyncio.to_thread(_spent, house.pid, postgres)
    memory = await asyncio.to_thread(memory_of, house.pid)
    postgres_memory = None if postgres is None else await asyncio.to_thread(memory_of, postgres)

    for task in playing:
        task.cancel()
    for ended in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(ended, Exception):
            meter.trouble.append(repr(ended))
    for match in matches:
        match.close()
    api.close()
    journal = await journal_of(house.database)
    return Row(
        games=plan.games,
        protocol=plan.protocol,
        send=plan.send,
        meter=meter,
        server_cpu=after.server - before.server,
        postgres_cpu=None if postgres is None else after.postgres - before.postgres,
        client_cpu=(after.client - before.client) / meter.seconds,
        busy=(after.machine - before.machine) / meter.seconds,
        server_memory=memory,
        postgres_memory=postgres_memory,
        bytes_in=bytes_after[0] - bytes_before[0],
        bytes_out=bytes_after[1] - bytes_before[1],
        entries_per_commit=journal.entries / max(1, journal.commits),
    )


@dataclass(frozen=True, slots=True)
class _Spent:
    server: float
    postgres: float
    client: float
    machine: float


def _spent(server: int, postgres: int | None) -> _Spent:
    machine = psutil.cpu_times()
    return _Spent(
        cpu_of(server),
        0.0 if postgres is None else cpu_of(postgres),
        time.process_time(),
        machine.user + machine.nice + machine.system + machine.irq + machine.softirq,
    )


def _bytes(meter: Meter, matches: list[Match]) -> tuple[int, int]:
    now = [match.bytes_now() for match in matches]
    return meter.bytes_in + sum(i for i, _ in now), meter.bytes_out + sum(o for _, o in now)


@contextmanager
def postgres_at(given: str | None, folder: Path) -> Iterator[URL]:
    """Gives the address of the server of `given`, or of an embedded one in `folder`."""
    if given is not None:
        yield make_url(given)
        return
    embedded = EmbeddedPostgres(folder / "postgres")
    embedded.start()
    try:
        yield embedded.url("postgres")
    finally:
        embedded.stop()


async def measured(plan: Plan, server: URL, folder: Path, profile: Path | None) -> Row:
    """Runs one plan on a fresh database and a fresh server."""
    database = await fresh_database(server)
    postgres = await postgres_pid(database)
    with serving(database, folder, profile) as house:
        return await loaded(plan, house, postgres)


def main() -> None:
    """Measures what was asked for and prints the table."""
    given = _arguments()
    # A stopped run must still stop what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    plans = [
        Plan(games, given.protocol, send, given.warm, given.measure)
        for games in map(int, given.games.split(","))
        for send in (given.send.split(",") if given.protocol == "json" else ["half"])
    ]
    if any(plan.games > MOST_GAMES or plan.measure > MOST_SECONDS for plan in plans):
        raise SystemExit(f"at most {MOST_GAMES} games and {MOST_SECONDS:.0f} seconds")
    rows: list[Row] = []
    with (
        tempfile.TemporaryDirectory(prefix="motherlode-bench-") as name,
        postgres_at(given.database, Path(name)) as server,
    ):
        print(f"{describe()}, PostgreSQL {uvloop.run(server_version(server))}")
        for plan in plans:
            runs = [
                uvloop.run(measured(plan, server, Path(name), given.profile))
                for _ in range(given.repeats)
            ]
            runs.sort(key=lambda row: row.turns_per_second)
            rows.append(runs[len(runs) // 2])
            for text in rows[-1].meter.trouble[:3]:
                print("trouble:", text)
    print()
    print(table(rows))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plays many games at once and measures.")
    parser.add_argument("--games", default="60,200", help="games at once, with commas between")
    parser.add_argument("--send", default="turn,half", help="turn, half, or both")
    parser.add_argument("--protocol", default="json", choices=["json", "html"])
    parser.add_argument("--warm", type=float, default=8.0, help="seconds before measuring")
    parser.add_argument("--measure", type=float, default=12.0, help="seconds measured")
    parser.add_argument("--repeats", type=int, default=1, help="runs of each; the median is shown")
    parser.add_argument("--database", help="a PostgreSQL server to use instead of the embedded one")
    parser.add_argument(
        "--profile", type=Path, help="file for what took the server's time in the last run"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
