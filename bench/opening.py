"""What rooms cost before anybody plays: CPU time to open one, memory while it stands idle.

    python -m bench.opening --rooms 500
    python -m bench.opening --rooms 500 --profile profile.txt

Every room is one of Lost Cities for two. All rooms take one step before the next step begins, so
each step is measured by itself: the room is created, the second player sits down, the host starts,
both connect and get their first state, both go. Memory is that of the server alone, as the growth
over a step: what it keeps of a room that is not played in, and of a socket that only listens.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import uvloop
from sqlalchemy.engine import URL

from bench.house import House, fresh_database, postgres_pid, serving
from bench.http import Api
from bench.load import postgres_at
from bench.machine import cpu_of, describe, memory_of
from bench.sockets import Socket, open_socket

AT_ONCE = 16
MOST_ROOMS = 5000
STEP_SECONDS = 120.0
SETTLE_SECONDS = 0.5
"""Before memory is read: what is still on its way has arrived."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one step took, for one room: CPU milliseconds, and kB of memory that stay."""

    name: str
    server: float
    postgres: float
    memory: float


@dataclass(slots=True)
class Pair:
    """Two players, and their room."""

    tokens: list[str] = field(default_factory=list)
    code: str = ""
    sockets: list[Socket] = field(default_factory=list)


class Opening:
    """Takes `rooms` rooms through all steps on a running server."""

    def __init__(self, house: House, postgres: int | None, rooms: int, protocol: str) -> None:
        self._house = house
        self._postgres = postgres
        self._protocol = protocol
        self._api = Api(house.url)
        self._pairs = [Pair() for _ in range(rooms)]
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def steps(self) -> list[Step]:
        """Does and measures them all."""
        try:
            return [
                await self._step("players", self._players),
                await self._step("create", self._create),
                await self._step("sit", self._sit),
                await self._step("start", self._start),
                await self._step("connect both", self._connect),
                await self._step("go", self._go),
            ]
        finally:
            for pair in self._pairs:
                for socket in pair.sockets:
                    socket.close()
            self._api.close()

    async def _step(self, name: str, act: Callable[[Pair], Awaitable[None]]) -> Step:
        before = await self._spent()

        async def one(pair: Pair) -> None:
            async with self._gate:
                await act(pair)

        async with asyncio.timeout(STEP_SECONDS):
            await asyncio.gather(*map(one, self._pairs))
        await asyncio.sleep(SETTLE_SECONDS)
        after = await self._spent()
        server, postgres, memory = (
            (late - early) / len(self._pairs) for early, late in zip(before, after, strict=True)
        )
        return Step(name, server * 1000, postgres * 1000, memory * 1000)

    async def _spent(self) -> tuple[float, float, float]:
        def look() -> tuple[float, float, float]:
            postgres = 0.0 if self._postgres is None else cpu_of(self._postgres)
            return cpu_of(self._house.pid), postgres, memory_of(self._house.pid)

        return await asyncio.to_thread(look)

    async def _players(self, pair: Pair) -> None:
        for name in ("Host", "Guest"):
            made = await self._api.post("/api/players", {"name": name})
            pair.tokens.append(made["token"])

    async def _create(self, pair: Pair) -> None:
        room = {"game": "lost_cities", "seats": 2, "options": {}}
        pair.code = (await self._api.post("/api/rooms", room, pair.tokens[0]))["code"]

    async def _sit(self, pair: Pair) -> None:
        await self._api.post(f"/api/rooms/{pair.code}/seats", {}, pair.tokens[1])

    async def _start(self, pair: Pair) -> None:
        await self._api.post(f"/api/rooms/{pair.code}/start", {}, pair.tokens[0])

    async def _connect(self, pair: Pair) -> None:
        for token in pair.tokens:
            first: asyncio.Future[None] = asyncio.get_running_loop().create_future()

            def heard(_: bytes, first: asyncio.Future[None] = first) -> None:
                if not first.done():
                    first.set_result(None)

            socket = await open_socket(
                self._house.url,
                f"/rooms/{pair.code}/socket",
                token=token,
                protocol=f"motherlode.{self._protocol}.v1",
                heard=heard,
                lost=lambda why: print("trouble:", why),
            )
            pair.sockets.append(socket)
            await first

    async def _go(self, pair: Pair) -> None:
        for socket in pair.sockets:
            socket.close()
        pair.sockets.clear()


def table(steps: Iterable[Step]) -> str:
    """Returns what was measured as a table in Markdown, the opening of a room summed up below."""
    listed = list(steps)
    opening = [step for step in listed if step.name != "players"]
    listed.append(
        Step(
            "a room in all",
            sum(step.server for step in opening),
            sum(step.postgres for step in opening),
            sum(step.memory for step in opening),
        )
    )
    head = "| step, for a room | server CPU ms | Postgres CPU ms | server memory kB |"
    rows = [
        f"| {step.name} | {step.server:.2f} | {step.postgres:.2f} | {step.memory:+.1f} |"
        for step in listed
    ]
    return "\n".join([head, "|---|--:|--:|--:|", *rows])


async def measured(
    server: URL, folder: Path, rooms: int, protocol: str, profile: Path | None
) -> list[Step]:
    """Measures on a fresh database and a fresh server, after a tenth as many rooms to warm up."""
    database = await fresh_database(server)
    postgres = await postgres_pid(database)
    with serving(database, folder, profile) as house:
        await Opening(house, postgres, max(AT_ONCE, rooms // 10), protocol).steps()
        return await Opening(house, postgres, rooms, protocol).steps()


def main() -> None:
    """Measures what was asked for and prints the table."""
    parser = argparse.ArgumentParser(description="Opens many rooms and measures each step.")
    parser.add_argument("--rooms", type=int, default=500)
    parser.add_argument("--protocol", default="json", choices=["json", "html"])
    parser.add_argument("--database", help="a PostgreSQL server to use instead of the embedded one")
    parser.add_argument("--profile", type=Path, help="file for what took the server's time")
    given = parser.parse_args()
    if not 1 <= given.rooms <= MOST_ROOMS:
        raise SystemExit(f"1 to {MOST_ROOMS} rooms")
    with (
        tempfile.TemporaryDirectory(prefix="motherlode-bench-") as name,
        postgres_at(given.database, Path(name)) as server,
    ):
        work = measured(server, Path(name), given.rooms, given.protocol, given.profile)
        steps = uvloop.run(work)
    print(describe())
    print()
    print(table(steps))


if __name__ == "__main__":
    main()
