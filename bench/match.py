"""One game of the load: its players, who answer at once whenever they are asked."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import orjson

from bench.http import Api
from bench.meter import Meter
from bench.sockets import Socket, open_socket

SEATS = 2


@dataclass(frozen=True, slots=True)
class Reply:
    """What a bot does about a state: the number of the question, and the message without its id."""

    prompt: int
    message: dict[str, Any]


class Reader(Protocol):
    """Follows one seat's states and knows how to answer; one for each socket."""

    over: bool
    """Whether the game has ended."""

    def read(self, content: dict[str, Any]) -> None:
        """Takes the `d` of a state message."""
        ...

    def reply(self, dice: random.Random) -> Reply | None:
        """Returns the answer to the open question, if there is one."""
        ...


class _Seat:
    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.socket: Socket | None = None
        self.answered = -1
        self.sent: deque[tuple[int, float]] = deque()


class Match:
    """A pair of players, and the games they play one after the other, each in a new room.

    `apis` are the processes of the server, one for each player. `think` is how many
    seconds a player waits before each turn; who begins, a random part.
    """

    def __init__(
        self,
        apis: Sequence[Api],
        meter: Meter,
        *,
        protocol: str,
        reader: Callable[[], Reader],
        number: int,
        think: float = 0.0,
    ) -> None:
        self._apis = apis
        self._meter = meter
        self._think = think
        self._protocol = protocol
        self._reader = reader
        self._number = number
        self._dice = random.Random(number)
        self._tokens: list[str] = []
        self._seats: list[_Seat] = []
        self._messages = 0
        self._going = asyncio.Event()
        self._over = asyncio.Event()

    async def prepare(self) -> None:
        """Makes the players and opens their first game, without a move yet."""
        for seat in range(SEATS):
            name = {"name": f"Bot {self._number}.{seat}"}
            made = await self._apis[seat].post("/api/players", name)
            self._tokens.append(made["token"])
        await self._open()

    async def run(self) -> None:
        """Plays until cancelled."""
        self._going.set()
        while True:
            for seat in range(SEATS):
                self._answer(seat, 0, self._dice.random() * self._think)
            await self._over.wait()
            self._meter.finished += self._meter.counting
            self.close()
            await self._open()

    def close(self) -> None:
        """Closes the sockets."""
        for seat in self._seats:
            if seat.socket is not None:
                self._meter.bytes_in += seat.socket.received
                self._meter.bytes_out += seat.socket.sent
                seat.socket.close()
        self._seats = []

    def bytes_now(self) -> tuple[int, int]:
        """Returns the bytes received and sent on the sockets that are open."""
        sockets = [seat.socket for seat in self._seats if seat.socket is not None]
        return sum(each.received for each in sockets), sum(each.sent for each in sockets)

    def unseen(self) -> list[float]:
        """Returns for how many seconds each move that is on its way has been so."""
        now = time.perf_counter()
        return [now - began for seat in self._seats for _, began in seat.sent]

    async def _open(self) -> None:
        host, guest = self._tokens
        room = {"game": "lost_cities", "seats": SEATS, "options": {}}
        first, second = self._apis
        code = (await first.post("/api/rooms", room, host))["code"]
        await second.post(f"/api/rooms/{code}/seats", {}, guest)
        await first.post(f"/api/rooms/{code}/start", {}, host)
        self._over.clear()
        self._seats = [_Seat(self._reader()) for _ in range(SEATS)]
        for seat, token in enumerate(self._tokens):
            path = f"/rooms/{code}/socket"
            heard = partial(self._heard, seat)
            self._seats[seat].socket = await open_socket(
                self._apis[seat].url,
                path,
                token=token,
                protocol=self._protocol,
                heard=heard,
                lost=self._trouble,
            )

    def _heard(self, number: int, text: bytes) -> None:
        message = orjson.loads(text)
        now = time.perf_counter()
        if message["t"] == "refused":
            self._trouble(text.decode())
        if message["t"] != "state" or not self._seats:
            return
        seat = self._seats[number]
        seat.reader.read(message["d"])
        v = message["v"]
        for other in self._seats:
            while other is not seat and other.sent and other.sent[0][0] <= v:
                self._meter.seen(now - other.sent.popleft()[1])
        # Between the two halves of a turn nobody thinks.
        think = self._think if message["ack"] is None else 0.0
        answered = self._going.is_set() and self._answer(number, v, think)
        if message["ack"] is not None:
            self._meter.accepted(whole=not answered)
        if seat.reader.over and all(each.reader.over for each in self._seats):
            self._over.set()

    def _answer(self, number: int, v: int, think: float) -> bool:
        seat = self._seats[number]
        reply = seat.reader.reply(self._dice)
        if reply is None or reply.prompt <= seat.answered:
            return False
        seat.answered = reply.prompt
        if think:
            asyncio.get_running_loop().call_later(think, self._send, seat, reply, v)
        else:
            self._send(seat, reply, v)
        return True

    def _send(self, seat: _Seat, reply: Reply, v: int) -> None:
        if seat not in self._seats or seat.socket is None:
            return
        self._messages += 1
        text = orjson.dumps({**reply.message, "id": str(self._messages), "prompt": reply.prompt})
        seat.sent.append((v + 1, time.perf_counter()))
        seat.socket.send(text)

    def _trouble(self, text: str) -> None:
        self._meter.trouble.append(text)
