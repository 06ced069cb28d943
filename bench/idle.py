"""What is kept of those who only wait: memory of open tables and of idle sockets.

    python -m bench.idle --tables 1000
    python -m bench.idle --tables 200 --game splendor --seats 4 --moves 40

That many rooms are started on one fresh server, and nobody moves (`--moves`: any more, once so many
moves were made in each). Memory is that of the server alone, as the growth over a step: every game
is looked at once, so that its table is in memory (before the server drops tables that nobody is
at); one player of each connects; the others do. The first socket brings what the room keeps for
those who are there.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import orjson
import uvloop
from sqlalchemy.engine import URL

from app.games.registry import GAMES
from bench.house import fresh_database, serving
from bench.http import Api
from bench.load import postgres_at
from bench.machine import allow_many_files, describe, memory_of
from bench.rows import table
from bench.sockets import Socket, open_socket

AT_ONCE = 16
MOST_TABLES = 5000
STEP_SECONDS = 120.0
SETTLE_SECONDS = 1.5
"""Before memory is read: what is still on its way has arrived."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Games of a kind, each some random moves deep."""

    game: str
    seats: int
    moves: int

    def __str__(self) -> str:
        return f"{GAMES[self.game].meta.title} for {self.seats}, {self.moves} moves"


LOST_CITIES = Kind("lost_cities", 2, 0)


@dataclass(frozen=True, slots=True)
class Idle:
    """Kilobytes for each table, the first socket at it, and each further socket."""

    kind: Kind
    protocol: str
    tables: int
    table: float
    first: float
    socket: float

    @property
    def game(self) -> float:
        """Kilobytes of a game at which all players are connected."""
        return self.table + self.first + self.socket * (self.kind.seats - 1)


class Waiting:
    """Rooms on a running server in which nobody moves."""

    def __init__(self, url: str, kind: Kind, rooms: int, protocol: str) -> None:
        self._url = url
        self._kind = kind
        self._rooms = range(rooms)
        self._protocol = f"motherlode.{protocol}.v1"
        self._api = Api(url)
        self._tokens: dict[int, list[str]] = {}
        self._codes: dict[int, str] = {}
        self._sockets: list[Socket] = []

    async def start(self) -> None:
        """Starts all games, and plays them as far as they are to be played."""
        await self._all(self._start)
        await self._all(self._play)

    async def look(self) -> None:
        """Looks at each game once."""
        await self._all(self._look)

    async def connect(self, seat: int) -> None:
        """Connects the player of a seat to each game."""
        await self._all(lambda number: self._connect(number, seat))

    def go(self) -> None:
        """Closes all connections."""
        for socket in self._sockets:
            socket.close()
        self._api.close()

    async def _all(self, act: Callable[[int], Awaitable[None]]) -> None:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> None:
            async with gate:
                await act(number)

        async with asyncio.timeout(STEP_SECONDS):
            await asyncio.gather(*map(one, self._rooms))
        await asyncio.sleep(SETTLE_SECONDS)

    async def _start(self, number: int) -> None:
        names = [f"Host {number}", *"BCDEF"[: self._kind.seats - 1]]
        made = [await self._api.post("/api/players", {"name": name}) for name in names]
        host, *guests = self._tokens[number] = [player["token"] for player in made]
        room = {"game": self._kind.game, "seats": self._kind.seats, "options": {}}
        code = (await self._api.post("/api/rooms", room, host))["code"]
        for guest in guests:
            await self._api.post(f"/api/rooms/{code}/seats", {}, guest)
        await self._api.post(f"/api/rooms/{code}/start", {}, host)
        self._codes[number] = code

    async def _play(self, number: int) -> None:
        dice = Random(number)
        turns = cycle(self._tokens[number])
        for move in range(self._kind.moves):
            asked = None
            while asked is None:
                token = next(turns)
                asked = (await self._view(number, token))["prompt"]
            body = {"id": f"m{move}", "prompt": asked["n"], "moves": [dice.choice(asked["legal"])]}
            await self._api.post(f"/api/rooms/{self._codes[number]}/moves", body, token)

    async def _look(self, number: int) -> None:
        await self._view(number, self._tokens[number][0])

    async def _view(self, number: int, token: str) -> Any:
        path = f"/api/rooms/{self._codes[number]}/view"
        return orjson.loads(await self._api.ask("GET", path, token=token))

    async def _connect(self, number: int, seat: int) -> None:
        first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        socket = await open_socket(
            self._url,
            f"/rooms/{self._codes[number]}/socket",
            token=self._tokens[number][seat],
            protocol=self._protocol,
            heard=lambda _: None if first.done() else first.set_result(None),
            lost=lambda why: print("trouble:", why),
        )
        self._sockets.append(socket)
        await first


async def measured(
    server: URL, folder: Path, tables: int, protocol: str, kind: Kind = LOST_CITIES
) -> Idle:
    """Measures on a fresh server, after a tenth as many games to warm up."""
    database = await fresh_database(server)
    with serving(database, folder) as house:

        def memory() -> float:
            return memory_of(house.pid) * 1000 / tables

        warm = Waiting(house.url, kind, max(AT_ONCE, tables // 10), protocol)
        waiting = Waiting(house.url, kind, tables, protocol)
        try:
            await warm.start()
            for seat in range(kind.seats):
                await warm.connect(seat)
            before = await asyncio.to_thread(memory)
            await waiting.start()
            await waiting.look()
            alone = await asyncio.to_thread(memory)
            await waiting.connect(0)
            one = await asyncio.to_thread(memory)
            for seat in range(1, kind.seats):
                await waiting.connect(seat)
            all_of_them = await asyncio.to_thread(memory)
        finally:
            warm.go()
            waiting.go()
    another = (all_of_them - one) / (kind.seats - 1)
    return Idle(kind, protocol, tables, alone - before, one - alone, another)


def idle_table(rows: list[Idle]) -> str:
    """Returns what was measured as a table in Markdown."""
    headings = (
        "games",
        "protocol",
        "tables",
        "kB for an open table",
        "kB for its first socket",
        "kB for another socket",
        "kB for a game and all its sockets",
    )
    lines = [
        (
            str(row.kind),
            row.protocol,
            f"{row.tables:,}",
            f"{row.table:.1f}",
            f"{row.first:.1f}",
            f"{row.socket:.1f}",
            f"{row.game:.1f}",
        )
        for row in rows
    ]
    return table(headings, lines)


def main() -> None:
    """Measures what was asked for and prints the table."""
    parser = argparse.ArgumentParser(description="Memory of tables and sockets that only wait.")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--protocol", default="json,html", help="json, html, or both")
    parser.add_argument("--game", choices=list(GAMES), default="lost_cities")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--moves", type=int, default=0, help="of each game, fewer than end it")
    parser.add_argument("--database", help="a PostgreSQL server to use instead of the embedded one")
    parser.add_argument("--quick", action="store_true", help="50 tables, JSON only")
    given = parser.parse_args()
    tables, protocols = (50, "json") if given.quick else (given.tables, given.protocol)
    kind = Kind(given.game, given.seats, given.moves)
    fewest, most = GAMES[kind.game].meta.seats
    if not fewest <= kind.seats <= most:
        raise SystemExit(f"{fewest} to {most} seats")
    if not 1 <= tables <= MOST_TABLES:
        raise SystemExit(f"1 to {MOST_TABLES} tables")
    allow_many_files()
    with (
        tempfile.TemporaryDirectory(prefix="motherlode-bench-") as name,
        postgres_at(given.database, Path(name)) as server,
    ):
        rows = [
            uvloop.run(measured(server, Path(name), tables, protocol, kind))
            for protocol in protocols.split(",")
        ]
    print(describe())
    print()
    print(idle_table(rows))


if __name__ == "__main__":
    main()
