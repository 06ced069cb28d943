"""A restart while many games run: all players come back at once, and wait for their states.

    python -m bench.restart --rooms 3000
    python -m bench.restart --rooms 3000 --profile profile.txt

The rooms are played on paper first, some moves deep, and written into a fresh database, with those
snapshots that a server would have written meanwhile (`--deal`: none, as after an update). Then the
server starts, and every player connects as soon as it answers, as pages do that lost it. Measured
are the start itself, and how long players wait from the moment when it answers to their state.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

import uvloop
from sqlalchemy.engine import URL

from app.database import Database, asyncpg_url
from app.games.registry import GAMES
from app.play.decisions import playing
from app.play.entry import Entry
from app.play.journal import Journal
from app.play.opening import Deal, read_opening
from app.play.snapshots import EVERY, Snapshots
from app.play.table import Table
from app.players.service import Players
from app.rooms.service import Rooms
from bench.house import House, begin_profiles, fresh_database, serving
from bench.load import postgres_at
from bench.machine import allow_many_files, cpu_of, describe, memory_of
from bench.rows import percentiles
from bench.sockets import Socket, open_socket

GAME = "lost_cities"
SEATS = 2
PREPARED_AT_ONCE = 16
COMING_AT_ONCE = 256
"""Connections being opened at the same time; the others knock as soon as one of them is in."""
MOST_ROOMS = 5000
MOST_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Person:
    """A player who comes back to a room."""

    code: str
    token: str


@dataclass(frozen=True, slots=True)
class Return:
    """How they came back: seconds from when the server answered to each one's first state.

    `start` is how long the server took to answer, `start_cpu` what it spent on that, `cpu` what it
    spent from then until the last state, `memory` what it has then, in MB.
    """

    start: float
    waits: list[float]
    start_cpu: float
    cpu: float
    memory: float


async def prepared(database: URL, rooms: int, moves: int, *, kept: bool) -> list[Person]:
    """Writes `rooms` running games of `moves` entries each; returns all who play them.

    `kept`: with the snapshots that a server would have written.
    """
    people: list[Person] = []
    entries: list[Entry] = []
    gate = asyncio.Semaphore(PREPARED_AT_ONCE)
    url = asyncpg_url(database.render_as_string(hide_password=False))
    async with Database(url) as opened:
        await opened.migrate()
        players, house, journal = Players(opened), Rooms(opened, GAMES), Journal(opened)
        snapshots = Snapshots(opened)

        async def open_room(number: int) -> None:
            async with gate:
                pair = [await players.create(f"Bot {number}.{seat}") for seat in range(SEATS)]
                (host, _), (guest, _) = pair
                room = await house.create(host, GAME, SEATS, {})
                await house.sit(room.id, guest)
                await house.start(room.id, host)
                (first,) = await journal.read(room.id)
                deal = read_opening(first, await house.seed(room.id), GAMES)
                mine = played(deal, moves, random.Random(number))
                entries.extend(mine)
                if kept:
                    table = Table(deal, journal, lambda _: None, first)
                    table.follow(mine[: moves // EVERY * EVERY])
                    snapshots.note(table)
                people.extend(Person(room.code, token) for _, token in pair)

        await asyncio.gather(*map(open_room, range(rooms)))
        await snapshots.write()
        link = await opened.connect()
        try:
            await link.copy_records_to_table(
                "journal",
                records=map(astuple, entries),
                columns=[field.name for field in fields(Entry)],
            )
            await link.execute("vacuum analyze")
        finally:
            await link.close()
    return people


def played(deal: Deal, moves: int, dice: random.Random) -> list[Entry]:
    """Plays a game that was dealt up to `moves` random moves deep, each an entry."""
    position = deal.open()
    entries: list[Entry] = []
    while len(entries) < moves and not position.over:
        seat, asked = next(iter(position.asked.items()))
        decided = playing(seat, [dice.choice(asked.legal)], asked.n)(position)
        position = decided.advance.position
        entries.append(
            Entry(
                room_id=deal.room_id,
                seq=position.v,
                seat=seat,
                kind=decided.kind,
                move_id=f"m{position.v}",
                body=decided.body,
                draws=decided.advance.drew,
                actors=position.actors,
                due=None,
                at=datetime.now(UTC),
            )
        )
    return entries


async def returned(house: House, people: list[Person], protocol: str) -> list[float]:
    """Has everybody connect; returns how long each one waited for a state."""
    gate = asyncio.Semaphore(COMING_AT_ONCE)
    sockets: list[Socket] = []
    begun = time.perf_counter()

    async def come(person: Person) -> float:
        first: asyncio.Future[float] = asyncio.get_running_loop().create_future()

        def heard(_: bytes) -> None:
            if not first.done():
                first.set_result(time.perf_counter() - begun)

        def lost(why: str) -> None:
            if not first.done():
                first.set_exception(ConnectionError(why))

        async with gate:
            sockets.append(
                await open_socket(
                    house.url,
                    f"/rooms/{person.code}/socket",
                    token=person.token,
                    protocol=f"motherlode.{protocol}.v1",
                    heard=heard,
                    lost=lost,
                )
            )
            return await first

    try:
        async with asyncio.timeout(MOST_SECONDS):
            return await asyncio.gather(*map(come, people))
    finally:
        for socket in sockets:
            socket.close()


def measured(server: URL, folder: Path, given: argparse.Namespace) -> Return:
    """Prepares a fresh database, starts the server on it and has everybody come back."""
    database = uvloop.run(fresh_database(server))
    people = uvloop.run(prepared(database, given.rooms, given.moves, kept=not given.deal))
    random.Random(0).shuffle(people)
    begun = time.perf_counter()
    with serving(database, folder, given.profile) as house:
        start = time.perf_counter() - begun
        start_cpu = cpu_of(house.pid)
        if given.profile is not None:
            begin_profiles(house.pid)
        waits = uvloop.run(returned(house, people, given.protocol))
        cpu = cpu_of(house.pid) - start_cpu
        return Return(start, waits, start_cpu, cpu, memory_of(house.pid))


def main() -> None:
    """Measures what was asked for and prints it."""
    parser = argparse.ArgumentParser(description="Restarts the server under running games.")
    parser.add_argument("--rooms", type=int, default=3000)
    parser.add_argument("--moves", type=int, default=50, help="entries of each game so far")
    parser.add_argument("--protocol", default="json", choices=["json", "html"])
    parser.add_argument("--deal", action="store_true", help="without any snapshots")
    parser.add_argument("--database", help="a PostgreSQL server to use instead of the embedded one")
    parser.add_argument("--profile", type=Path, help="file for what took the server's time")
    given = parser.parse_args()
    if not 1 <= given.rooms <= MOST_ROOMS:
        raise SystemExit(f"1 to {MOST_ROOMS} rooms")
    allow_many_files()
    with (
        tempfile.TemporaryDirectory(prefix="motherlode-bench-") as name,
        postgres_at(given.database, Path(name)) as server,
    ):
        back = measured(server, Path(name), given)
    shown = " / ".join(f"{wait:.2f}" for wait in (*percentiles(back.waits), max(back.waits)))
    print(describe())
    print()
    print(
        "| rooms | players | entries a room | start s (CPU s) "
        "| state after: p50 / p95 / p99 / last s | server CPU s after the start | server MB |"
    )
    print("|--:|--:|--:|---|---|--:|--:|")
    print(
        f"| {given.rooms} | {len(back.waits)} | {given.moves} "
        f"| {back.start:.2f} ({back.start_cpu:.2f}) | {shown} "
        f"| {back.cpu:.2f} | {back.memory:.0f} |"
    )


if __name__ == "__main__":
    main()
