"""One table of the soak: games of all kinds, one after the other, with people who come and go."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import Any

import orjson

from app.games.registry import GAMES
from bench.http import Answered
from bench.soak_player import GAMES_OF, Player, World

LATE_SECONDS = (0.0, 0.4)
GAME_SECONDS = (15.0, 120.0)
"""A game that is not over by then is given up, or left as it is."""
DISTURBED_SECONDS = 6.0
"""How often somebody at the table loses the connection, on average."""


class SoakTable:
    """Plays until cancelled; each game has new people and a room of its own."""

    def __init__(self, world: World, number: int) -> None:
        self._world = world
        self._number = number
        self.players: list[Player] = []

    async def run(self) -> None:
        """Opens one room after the other."""
        games = list(GAMES.values())
        at = self._number
        while True:
            game = games[at % len(games)]
            at += 1
            seats = random.randint(*game.meta.seats)
            try:
                tokens, code = await self._opened(game.meta.key, seats)
                await self._played(tokens, code)
                self._world.book.count(f"{GAMES_OF}{game.meta.title}")
            except Answered as refused:
                self._world.book.trouble.append(str(refused))

    async def _opened(self, game: str, seats: int) -> tuple[list[str], str]:
        tokens = [await self._guest(f"Guest {seat}") for seat in range(seats)]
        room = {"game": game, "seats": seats, "options": {}}
        code = str((await self._post("/api/rooms", room, tokens[0]))["code"])
        for token in tokens[1:]:
            await asyncio.sleep(random.uniform(*LATE_SECONDS))
            await self._post(f"/api/rooms/{code}/seats", {}, token)
            if random.random() < 0.2:
                self._world.book.count("left before the start")
                await self._post(f"/api/rooms/{code}/leave", {}, token)
                await self._post(f"/api/rooms/{code}/seats", {}, token)
        try:
            await self._post(f"/api/rooms/{code}/start", {}, tokens[0])
        except Answered as refused:
            # Asked again after the server was killed: it had started.
            if refused.status != 409:
                raise
        return tokens, code

    async def _guest(self, name: str) -> str:
        return str((await self._post("/api/players", {"name": name}, None))["token"])

    async def _post(self, path: str, body: dict[str, Any], token: str | None) -> Any:
        return orjson.loads(await self._world.ask("POST", path, body, token))

    async def _played(self, tokens: list[str], code: str) -> None:
        self.players = [Player(self._world, token, code) for token in tokens]
        async with asyncio.TaskGroup() as tasks:
            staying = [tasks.create_task(player.stay()) for player in self.players]
            around = [tasks.create_task(self._disturbed()), tasks.create_task(self._watched(code))]
            over = [tasks.create_task(player.over.wait()) for player in self.players]
            _, unfinished = await asyncio.wait(over, timeout=random.uniform(*GAME_SECONDS))
            if not unfinished:
                self._world.book.count("played to the end")
            elif len(tokens) == 2 and random.random() < 0.5:
                self._world.book.count("given up")
                self.players[0].concede()
                await asyncio.sleep(1)
            for task in (*staying, *around, *over):
                task.cancel()

    async def _disturbed(self) -> None:
        while True:
            await asyncio.sleep(random.expovariate(1 / DISTURBED_SECONDS))
            with suppress(Answered):
                await random.choice(self.players).disturb()

    async def _watched(self, code: str) -> None:
        while True:
            await asyncio.sleep(random.expovariate(1 / DISTURBED_SECONDS))
            watcher = Player(self._world, await self._guest("Watcher"), code, "html")
            self._world.book.count("looked on")
            with suppress(TimeoutError):
                await asyncio.wait_for(watcher.stay(), random.uniform(1, 10))
