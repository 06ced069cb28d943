"""One player of the soak: answers every question, loses connections, comes back."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

import orjson

from bench.http import Answered, Api
from bench.sockets import Socket, open_socket

GAMES_OF = "games of "
"""How the book counts games: before their titles."""
HARMLESS = frozenset({"game_over", "try_again"})
"""Refusals that are none: the other player gave up meanwhile; the house says that it cannot now."""
THINK_SECONDS = (0.05, 0.5)
AGAIN_SECONDS = (0.1, 0.6)
AWAY_SECONDS = (1.0, 6.0)
ANSWER_SECONDS = 60.0
PATIENCE_SECONDS = 90.0


@dataclass(slots=True)
class Book:
    """What all players saw: moves that the house said it has, and what should not have been."""

    acked: dict[tuple[str, str], int] = field(default_factory=dict)
    """The `v` of the state that answered a move, by the room's code and the move's id."""
    counts: dict[str, int] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)

    def count(self, what: str) -> None:
        """Counts one more of something."""
        self.counts[what] = self.counts.get(what, 0) + 1

    @property
    def games(self) -> int:
        """How many games were played, or left."""
        return sum(times for what, times in self.counts.items() if what.startswith(GAMES_OF))


class World:
    """What all players share. While `open` is not set, nobody connects or asks anything."""

    def __init__(self, url: str) -> None:
        self.api = Api(url)
        self.book = Book()
        self.open = asyncio.Event()
        self.open.set()
        self.connected: set[Player] = set()

    async def ask(
        self, method: str, path: str, body: dict[str, Any] | None = None, token: str | None = None
    ) -> bytes:
        """Asks until there is an answer, also while the server is away.

        Raises `Answered` for a refusal, TimeoutError if the house cannot for too long.
        """
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                await self.open.wait()
                try:
                    return await self.api.ask(method, path, body, token)
                except (OSError, EOFError):
                    self.book.count("requests without an answer")
                except Answered as refused:
                    if refused.status != 503:
                        raise
                await asyncio.sleep(random.uniform(*AGAIN_SECONDS))

    def quiet(self) -> None:
        """Ends all connections and lets nobody in until `open` is set again."""
        self.open.clear()
        for player in list(self.connected):
            player.drop()
        self.api.close()


class Player:
    """One seat, or someone who looks on, at one table, from arriving to leaving."""

    def __init__(self, world: World, token: str, code: str, protocol: str = "json") -> None:
        self.over = asyncio.Event()
        self._world = world
        self._token = token
        self._code = code
        self._protocol = f"motherlode.{protocol}.v1"
        self._socket: Socket | None = None
        self._lost = asyncio.Event()
        self._away = False
        self._v = -1
        self._seen = 0
        self._unanswered: dict[str, Any] | None = None
        self._since = 0.0

    async def stay(self) -> None:
        """Is at the table until the game is over, or until cancelled."""
        try:
            while not self.over.is_set():
                await self._world.open.wait()
                await self._visit()
                if self._away:
                    await asyncio.sleep(random.uniform(*AWAY_SECONDS))
                await asyncio.sleep(random.uniform(*AGAIN_SECONDS))
        finally:
            self._leave()

    async def disturb(self) -> None:
        """Loses the connection, loads the page anew, or goes for a while."""
        what = random.choice(("cut", "closed", "reloaded", "away"))
        self._world.book.count(what)
        self._away = what == "away"
        self.drop(hard=what == "cut")
        if what == "reloaded":
            await self._world.ask("GET", f"/api/rooms/{self._code}/view", token=self._token)
            await self._world.ask("GET", f"/r/{self._code}", token=self._token)

    def drop(self, *, hard: bool = True) -> None:
        """Loses the connection, `hard` without a word."""
        if self._socket is not None:
            (self._socket.cut if hard else self._socket.close)()
        self._lost.set()

    def concede(self) -> None:
        """Gives up."""
        if self._socket is not None:
            self._say({"t": "do", "id": secrets.token_hex(8), "what": "concede"})

    @property
    def stuck(self) -> bool:
        """Whether the house has owed an answer for too long on an open connection."""
        waits = self._unanswered is not None and self._socket is not None
        return waits and time.monotonic() - self._since > ANSWER_SECONDS

    async def _visit(self) -> None:
        self._lost.clear()
        self._away = False
        try:
            self._socket = await open_socket(
                self._world.api.url,
                f"/rooms/{self._code}/socket?v={self._seen}",
                token=self._token,
                protocol=self._protocol,
                heard=self._heard,
                lost=lambda _: self._lost.set(),
            )
        except OSError as wrong:
            self._world.book.count("sockets that did not open")
            if str(wrong).startswith("HTTP/1.1 4"):
                self._trouble(str(wrong).partition("\r\n")[0])
            return
        self._world.connected.add(self)
        if not self._world.open.is_set():
            self.drop()
        self._since = time.monotonic()
        if self._unanswered is not None:
            self._say(self._unanswered)
        await self._lost.wait()
        self._leave()

    def _leave(self) -> None:
        if self._socket is not None:
            self._world.connected.discard(self)
            self._socket.close()
            self._socket = None

    def _heard(self, text: bytes) -> None:
        message = orjson.loads(text)
        if message["t"] == "state":
            self._state(message)
        elif message["t"] == "refused":
            self._refused(message)

    def _state(self, message: dict[str, Any]) -> None:
        self._seen = message["v"]
        if message["v"] < self._v:
            self._trouble(f"went back to {message['v']} after {self._v} was acknowledged")
        unanswered = self._unanswered
        if unanswered is not None and message["ack"] == unanswered["id"]:
            self._world.book.acked[self._code, unanswered["id"]] = message["v"]
            self._v = max(self._v, message["v"])
            self._unanswered = None
        content = message["d"]
        if "regions" in content:
            self._world.book.count("pages' states")
            return
        if content["room"]["status"] == "finished":
            self.over.set()
            self._lost.set()
        elif content["prompt"] is not None and self._unanswered is None:
            move = {"prompt": content["prompt"]["n"]}
            move["moves"] = [random.choice(content["prompt"]["legal"])]
            self._unanswered = {"t": "move", "id": secrets.token_hex(8), **move}
            self._later(random.uniform(*THINK_SECONDS))

    def _refused(self, message: dict[str, Any]) -> None:
        unanswered = self._unanswered
        self._world.book.count(f"refused: {message['code']}")
        if unanswered is None or message["id"] != unanswered["id"]:
            return
        if message["code"] == "try_again":
            self._later(random.uniform(*AGAIN_SECONDS))
            return
        self._unanswered = None
        if message["code"] not in HARMLESS:
            self._trouble(f"{orjson.dumps(unanswered).decode()} was refused: {message}")

    def _later(self, seconds: float) -> None:
        self._since = time.monotonic()
        message, socket = self._unanswered, self._socket

        def send() -> None:
            if self._unanswered is message and self._socket is socket and message is not None:
                self._say(message)

        asyncio.get_running_loop().call_later(seconds, send)

    def _say(self, message: dict[str, Any]) -> None:
        if self._socket is not None:
            self._socket.send(orjson.dumps(message))

    def _trouble(self, text: str) -> None:
        self._world.book.trouble.append(f"{self._code}: {text}")
