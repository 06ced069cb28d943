"""A whole game by script over real sockets, played on through whatever happens to the house."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random

import asyncpg
import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.realtime.people import Line, Message, Person

DECK = {"kind": "draw", "from": "deck"}
CUT = (ConnectionClosed, InvalidHandshake, OSError)
"""What a client sees when its house dies."""


@dataclass(frozen=True)
class Sent:
    """A message that may not have been answered."""

    seat: int
    message: Message


@dataclass
class Game:
    """A game of Lost Cities between two scripted players, as they know it.

    `v` is the last entry that they were told of, `sent` the message that nobody has answered yet,
    `took` the seconds that the last move took.
    """

    people: list[Person]
    code: str
    random: Random
    v: int = 0
    took: float = 0.02
    over: bool = False
    sent: Sent | None = None
    answered: list[str] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @asynccontextmanager
    async def lines(self) -> AsyncIterator[list[Line]]:
        """Opens a socket for each player."""
        one, two = self.people
        async with one.line(self.code) as first, two.line(self.code) as second:
            yield [first, second]

    def choose(self, line: Line) -> Message:
        """Decides a whole turn or half of one: any card, then mostly the deck."""
        prompt = line.prompt
        legal = prompt["legal"]
        if prompt["stage"] == "draw":
            moves = [self.random.choice(legal) if self.random.random() < 0.1 else DECK]
        else:
            moves = [self.random.choice(legal)]
            if self.random.random() < 0.5:
                moves.append(DECK)
        move_id = f"k{next(self._numbers)}"
        return {"t": "move", "id": move_id, "prompt": prompt["n"], "moves": moves}

    async def step(self, lines: list[Line]) -> None:
        """Sends one move and waits until both players see it. Raises one of `CUT`."""
        seat = next(seat for seat, line in enumerate(lines) if line.prompt)
        self.sent = Sent(seat, self.choose(lines[seat]))
        begun = time.perf_counter()
        await self.deliver(lines)
        self.took = time.perf_counter() - begun

    async def deliver(self, lines: list[Line]) -> None:
        """Sends the unanswered message and waits for its answer, and until both players see it."""
        assert self.sent is not None
        line, message = lines[self.sent.seat], self.sent.message
        await line.say(message)
        answer = await line.hear(
            lambda heard: heard["t"] == "refused" or heard.get("ack") == message["id"]
        )
        assert answer["t"] == "state", f"expected {message['id']} to count, got {answer}"
        self.note(answer)
        self.answered.append(message["id"])
        self.sent = None
        for each in lines:
            if each.state["v"] < self.v:
                await each.hear_state(self.v)

    def note(self, state: Message) -> None:
        """Takes in what a state tells."""
        self.v = state["v"]
        self.over = state["d"]["room"]["status"] == "finished"


async def reopened(person: Person, code: str) -> Message:
    """Returns what the API shows a player, as soon as it answers."""
    async with asyncio.timeout(20):
        while True:
            try:
                shown = await person.get(f"/rooms/{code}/view")
                if shown.status_code == 200:
                    message: Message = shown.json()
                    return message
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.05)


async def journal_ids(database_url: str, code: str) -> Counter[str]:
    """Returns how often each move id is in the journal of a room, straight from the database."""
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        rows = await connection.fetch(
            "select move_id from journal join rooms on rooms.id = room_id where code = $1", code
        )
    finally:
        await connection.close()
    return Counter(row["move_id"] for row in rows)
