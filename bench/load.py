"""Lost Cities in a closed loop: how many turns the server makes, and what each one costs.

    python -m bench.load --games 60,200
    python -m bench.load --games 60 --send turn --protocol json --measure 20
    python -m bench.load --games 60 --protocol html
    python -m bench.load --games 1500 --send turn --think 1
    python -m bench.load --games 200 --send turn --processes 2

Every run starts `python -m app serve` on a fresh database, plays N games at once over real
sockets, every bot answering as soon as it is asked (or after `--think` seconds), and prints one row
of a table. With several processes the two players of a game are on different ones (on the same one
with `--together`), without a proxy between. PostgreSQL is the embedded one with its defaults
(everything durable), or the server of `--database`, where a database of the benchmark's own is
dropped and made. Loads 127.0.0.1 only and ends by itself.
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

import uvloop
from sqlalchemy.engine import URL, make_url

from app.embedded import EmbeddedPostgres
from bench.house import (
    Fleet,
    begin_profiles,
    fleet,
    fresh_database,
    journal_of,
    postgres_pid,
    server_version,
)
from bench.html_reader import HtmlReader
from bench.http import Api
from bench.json_reader import CHOICES, JsonReader
from bench.machine import allow_many_files, busy_seconds, cpu_of, describe, memory_of
from bench.match import SEATS, Match, Reader
from bench.meter import Meter
from bench.rows import Row, percentiles, rows_table

OPENED_AT_ONCE = 16
OPENING_SECONDS = 180.0
MOST_GAMES = 4000
MOST_SECONDS = 300.0
LATE_SECONDS = 0.1
"""A move that is on its way for longer when a paced run ends counts as one that came so late."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One run: `games` at once, measured for `measure` seconds after `warm` seconds.

    With several processes the players of a game are on different ones, unless `together`.
    """

    games: int
    protocol: str
    send: str
    warm: float
    measure: float
    think: float = 0.0
    processes: int = 1
    together: bool = False


def readers(plan: Plan) -> Callable[[], Reader]:
    """Returns what makes the readers of a run."""
    if plan.protocol == "html":
        return HtmlReader
    return lambda: JsonReader(CHOICES[plan.send])


class Load:
    """The games of a run on running servers."""

    def __init__(
        self, plan: Plan, servers: Fleet, postgres: int | None, *, profiled: bool = False
    ) -> None:
        self._plan = plan
        self._profiled = profiled
        self._servers = servers
        self._postgres = postgres
        self._meter = Meter()
        self._apis = [Api(url) for url in servers.urls]
        self._matches = [
            Match(
                self._at(number),
                self._meter,
                protocol=f"motherlode.{plan.protocol}.v1",
                reader=readers(plan),
                number=number,
                think=plan.think,
            )
            for number in range(plan.games)
        ]

    async def row(self) -> Row:
        """Plays, and returns what was measured. Raises TimeoutError if opening takes too long."""
        plan, meter = self._plan, self._meter
        await self._prepare()
        playing = [asyncio.create_task(match.run()) for match in self._matches]
        await asyncio.sleep(plan.warm)

        if self._profiled:
            begin_profiles(*self._servers.pids)
        before = await self._spent()
        meter.open()
        await asyncio.sleep(plan.measure)
        if plan.think:
            late = [wait for match in self._matches for wait in match.unseen()]
            meter.waits.extend(wait for wait in late if wait > LATE_SECONDS)
        meter.close()
        after = await self._spent()
        memory = await asyncio.to_thread(memory_of, *self._servers.pids)
        postgres = self._postgres
        postgres_memory = None if postgres is None else await asyncio.to_thread(memory_of, postgres)
        await self._end(playing)

        turns = max(1, meter.turns)
        journal = await journal_of(self._servers.database)
        spent = after - before
        return Row(
            server=f"{plan.protocol}, {plan.send}{', together' * plan.together}",
            processes=plan.processes,
            games=plan.games,
            think=plan.think,
            turns_per_second=meter.turns / meter.seconds,
            entries_per_second=meter.entries / meter.seconds,
            waits=percentiles([wait * 1000 for wait in meter.waits]),
            server_cpu=spent.server * 1000 / turns,
            postgres_cpu=None if postgres is None else spent.postgres * 1000 / turns,
            server_memory=memory,
            postgres_memory=postgres_memory,
            bytes_in=spent.bytes_in / turns / SEATS,
            bytes_out=spent.bytes_out / turns / SEATS,
            entries_per_commit=journal.entries / max(1, journal.commits),
            finished=meter.finished * 1000 / turns,
            client_cores=spent.client / meter.seconds,
            busy=spent.machine / meter.seconds,
            errors=len(meter.trouble),
            trouble=tuple(meter.trouble[:3]),
        )

    def _at(self, number: int) -> list[Api]:
        """Returns the process of each player of a game."""
        step = 0 if self._plan.together else 1
        return [self._apis[(number + seat * step) % len(self._apis)] for seat in range(SEATS)]

    async def _prepare(self) -> None:
        gate = asyncio.Semaphore(OPENED_AT_ONCE)

        async def prepare(match: Match) -> None:
            async with gate:
                await match.prepare()

        async with asyncio.timeout(OPENING_SECONDS):
            await asyncio.gather(*map(prepare, self._matches))

    async def _end(self, playing: list[asyncio.Task[None]]) -> None:
        for task in playing:
            task.cancel()
        for ended in await asyncio.gather(*playing, return_exceptions=True):
            if isinstance(ended, Exception):
                self._meter.trouble.append(repr(ended))
        for match in self._matches:
            match.close()
        for api in self._apis:
            api.close()

    async def _spent(self) -> _Spent:
        meter = self._meter
        bytes_now = [match.bytes_now() for match in self._matches]
        client, postgres = time.process_time(), self._postgres
        return _Spent(
            await asyncio.to_thread(cpu_of, *self._servers.pids),
            0.0 if postgres is None else await asyncio.to_thread(cpu_of, postgres),
            client,
            busy_seconds(),
            meter.bytes_in + sum(received for received, _ in bytes_now),
            meter.bytes_out + sum(sent for _, sent in bytes_now),
        )


@dataclass(frozen=True, slots=True)
class _Spent:
    server: float
    postgres: float
    client: float
    machine: float
    bytes_in: int
    bytes_out: int

    def __sub__(self, early: _Spent) -> _Spent:
        return _Spent(
            self.server - early.server,
            self.postgres - early.postgres,
            self.client - early.client,
            self.machine - early.machine,
            self.bytes_in - early.bytes_in,
            self.bytes_out - early.bytes_out,
        )


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


async def measured(plan: Plan, server: URL, folder: Path, profile: Path | None = None) -> Row:
    """Runs one plan on a fresh database and fresh servers."""
    database = await fresh_database(server)
    postgres = await postgres_pid(database)
    with fleet(database, folder, plan.processes, profile) as servers:
        return await Load(
            plan, servers, postgres, profiled=profile is not None and plan.processes == 1
        ).row()


def main() -> None:
    """Measures what was asked for and prints the table."""
    given = _arguments()
    # A stopped run must still stop what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    allow_many_files()
    plans = [
        Plan(
            games,
            given.protocol,
            send,
            given.warm,
            given.measure,
            given.think,
            processes,
            given.together,
        )
        for games in map(int, given.games.split(","))
        for send in (given.send.split(",") if given.protocol == "json" else ["half"])
        for processes in map(int, given.processes.split(","))
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
    print()
    print(rows_table(rows))
    for row in rows:
        for text in row.trouble:
            print("trouble:", text)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plays many games at once and measures.")
    parser.add_argument("--games", default="60,200", help="games at once, with commas between")
    parser.add_argument("--send", default="turn,half", help="turn, half, or both")
    parser.add_argument("--protocol", default="json", choices=["json", "html"])
    parser.add_argument("--think", type=float, default=0.0, help="seconds before each turn")
    parser.add_argument("--processes", default="1", help="of the server, with commas between")
    parser.add_argument(
        "--together", action="store_true", help="both players of a game on one of the processes"
    )
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
