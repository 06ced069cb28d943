"""Half an hour of real life: all games, people who come and go, a server that is killed.

    python -m bench.soak
    python -m bench.soak --minutes 2

Some tables play all registered games at once with random legal moves. Their people sit down late,
leave before the start, lose their connections with and without a word, load the page anew, go away
for seconds, give up or never finish; others look on at the page. In the first fifth of the time
the server is killed (SIGKILL) and started again on the same database again and again, and once more
at the end. In between it runs on, and now and then everybody goes for some seconds: then its memory
and its open files are read.

It fails (exit 1) where a legal move was refused; a player was shown less than was acknowledged
before; the house owed an answer for a minute; a move that was acknowledged is not in the journal at
the end; the server wrote an error into its log; or its memory or its open files grew after the
warm-up. How memory grows with each game is judged by the last two thirds of the readings: caches
are full by then. In less than 15 minutes they are still being filled, so memory may grow more then.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import psutil
import uvloop
from sqlalchemy.engine import URL

from bench.house import Server, connect, fresh_database
from bench.load import postgres_at
from bench.machine import allow_many_files, describe, memory_of
from bench.soak_player import Book, World
from bench.soak_table import SoakTable

KILLED_PART = 1 / 5
WARM_PART = 2 / 5
"""Of the time in which the server runs on: its caches are full after some 650 games."""
POINTS = 30
SETTLE_SECONDS = 3.0
"""Before memory and files are read: everybody has gone by then."""
LAST_SECONDS = 5.0
SHORT_MINUTES = 15.0
MORE_MEMORY_SHORT = 1.3
"""How much memory may be there at the end of a short run for what was there at its beginning."""
UNSTEADY_MB = 3.0
"""By how much readings differ though nothing is kept: games of the last two minutes, garbage that
is not collected yet, caches that are emptied when they are full."""
GAME_MB = 0.002
"""What a game may leave behind beside that: a few times what a note of its room would take."""
MORE_FILES = 10
"""Connections to the database come and go; hundreds of sockets came and went."""


@dataclass(slots=True)
class Soak:
    """What was read of the server: MB and open files while nobody was there, and its kills.

    `games` are those that had been played at each reading.
    """

    kills: int = 0
    slowest_start: float = 0.0
    memory: list[float] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    games: list[int] = field(default_factory=list)


async def soaked(server: Server, minutes: float, tables: int, seed: int) -> tuple[Soak, Book]:
    """Runs everything; returns what was read and what the players saw."""
    dice = random.Random(seed)
    soak, world = Soak(), World(server.url)
    began = time.monotonic()
    end = began + minutes * 60 - LAST_SECONDS
    killing_ends = began + minutes * 60 * KILLED_PART
    gatherings = [SoakTable(world, number) for number in range(tables)]
    playing = [asyncio.create_task(gathering.run()) for gathering in gatherings]
    looking = asyncio.create_task(_look_for_stuck(gatherings, world.book))
    shortest = minutes * 60 * KILLED_PART / 12
    while time.monotonic() < killing_ends:
        await asyncio.sleep(dice.uniform(shortest, shortest * 3))
        await _killed(server, soak)
    await asyncio.sleep((end - time.monotonic()) * WARM_PART)
    pause = (end - time.monotonic()) / POINTS
    while time.monotonic() + pause / 2 < end:
        await asyncio.sleep(max(0.0, pause - SETTLE_SECONDS))
        world.quiet()
        await asyncio.sleep(SETTLE_SECONDS)
        soak.memory.append(memory_of(server.pid))
        soak.files.append(psutil.Process(server.pid).num_fds())
        soak.games.append(world.book.games)
        world.open.set()
    await _killed(server, soak)
    await asyncio.sleep(LAST_SECONDS)
    for task in (*playing, looking):
        task.cancel()
    for ended in await asyncio.gather(*playing, looking, return_exceptions=True):
        if isinstance(ended, Exception):
            world.book.trouble.append(f"a table ended: {_innermost(ended)!r}")
    world.quiet()
    return soak, world.book


async def _killed(server: Server, soak: Soak) -> None:
    await asyncio.to_thread(server.kill)
    began = time.monotonic()
    await asyncio.to_thread(server.start)
    soak.kills += 1
    soak.slowest_start = max(soak.slowest_start, time.monotonic() - began)


async def _look_for_stuck(tables: list[SoakTable], book: Book) -> None:
    while True:
        await asyncio.sleep(10)
        stuck = sum(player.stuck for table in tables for player in table.players)
        if stuck:
            book.trouble.append(f"{stuck} players are waiting for an answer to their move")


async def missing(database: URL, book: Book) -> list[str]:
    """Returns what was acknowledged and is not in the journal."""
    connection = await connect(database)
    try:
        rows = await connection.fetch(
            "select code, move_id, seq from journal join rooms on rooms.id = room_id"
        )
    finally:
        await connection.close()
    kept = {(row["code"], row["move_id"]): row["seq"] for row in rows}
    return [
        f"{code}: the move {move} was acknowledged at {v} and is not in the journal up to there"
        for (code, move), v in book.acked.items()
        if kept.get((code, move), v + 1) > v
    ]


def each_game(soak: Soak, first: int) -> float:
    """Returns by how many MB memory grew with each game, from a reading on.

    It is the median of what any two readings say: single ones that are high or low have no say.
    """
    read = list(zip(soak.games[first:], soak.memory[first:], strict=True))
    slopes = [
        (later - memory) / (more - games)
        for (games, memory), (more, later) in combinations(read, 2)
        if more > games
    ]
    return statistics.median(slopes) if slopes else 0.0


def grown(soak: Soak, *, short: bool) -> list[str]:
    """Says what grew from one of the times when nobody was there to another."""
    third = max(1, len(soak.memory) // 3)
    said = []
    if short:
        begin, end = (soak.memory[part] for part in (slice(third), slice(-third, None)))
        first, last = statistics.median(begin), statistics.median(end)
        if last > first * MORE_MEMORY_SHORT:
            said.append(f"memory grew from {first:.1f} to {last:.1f} MB")
    else:
        games, each = soak.games[-1] - soak.games[third], each_game(soak, third)
        if each * games > UNSTEADY_MB + GAME_MB * games:
            said.append(f"memory grew by {each * 1000:.1f} kB a game in the last {games:,} games")
    before, after = max(soak.files[:third]), max(soak.files[-third:])
    if after > before + MORE_FILES:
        said.append(f"open files grew from {before} to {after}")
    return said


def summary(soak: Soak, book: Book, trouble: Iterable[str]) -> str:
    """Returns what happened in Markdown, the trouble last."""
    memory = ", ".join(f"{value:.0f}" for value in soak.memory)
    files = ", ".join(str(value) for value in soak.files)
    lines = [
        f"* moves acknowledged, and looked up in the journal: {len(book.acked):,}",
        f"* the server was killed {soak.kills} times",
        f"* its slowest start took {soak.slowest_start:.1f} s",
        f"* MB while nobody was there: {memory}",
        f"* open files while nobody was there: {files}",
        *(f"* {what}: {times:,}" for what, times in sorted(book.counts.items())),
    ]
    found = list(trouble)
    lines += [f"* TROUBLE {text}" for text in found[:20]]
    lines.append(f"\n{len(found)} troubles." if found else "\nNothing went wrong.")
    return "\n".join(lines)


def main() -> None:
    """Runs for the time that was asked for and prints what happened."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--tables", type=int, default=25, help="that play at the same time")
    parser.add_argument("--seed", type=int, default=1, help="of the times of the kills")
    parser.add_argument("--out", type=Path, help="file for the summary too")
    parser.add_argument("--database", help="a PostgreSQL server to use instead of the embedded one")
    given = parser.parse_args()
    if not 1 <= given.minutes <= 600 or not 5 <= given.tables <= 500:
        raise SystemExit("1 to 600 minutes, 5 to 500 tables")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    allow_many_files()
    with (
        tempfile.TemporaryDirectory(prefix="motherlode-soak-") as name,
        postgres_at(given.database, Path(name)) as postgres,
    ):
        database = uvloop.run(fresh_database(postgres))
        server = Server(database, Path(name))
        try:
            server.start()
            soak, book = uvloop.run(soaked(server, given.minutes, given.tables, given.seed))
        finally:
            server.stop()
        trouble = [
            *book.trouble,
            *uvloop.run(missing(database, book)),
            *grown(soak, short=given.minutes < SHORT_MINUTES),
            *(f"log: {line}" for line in server.log.read_text().splitlines() if "[error" in line),
        ]
    text = f"{describe()}, {given.minutes:g} minutes\n\n{summary(soak, book, trouble)}\n"
    print(text)
    if given.out is not None:
        given.out.write_text(text, encoding="utf-8")
    raise SystemExit(1 if trouble else 0)


def _innermost(wrong: BaseException) -> BaseException:
    while isinstance(wrong, BaseExceptionGroup):
        wrong = wrong.exceptions[0]
    return wrong


if __name__ == "__main__":
    main()
