"""A small client that plays whole games of any kind: the sample that docs/protocol.md refers to.

    python -m bench.client http://127.0.0.1:8000 --game lost_cities --games 1

It knows no rules and plays every seat itself: each is a guest with a token and a socket of its own,
who answers a question with any move of `prompt.legal`. It shows what a client needs to do:

* guests, rooms, seats and the start over HTTP (`Seat.ask`, `play`);
* a share of the shuffle: its hash on sitting down, the share itself when the room starts;
* the socket: states, move ids, prompt numbers, refusals (`Seat.play`);
* connecting again: an unanswered move goes out once more under the same id, which counts it once.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import random
import secrets
import urllib.request
from collections.abc import Sequence
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

PROTOCOL = Subprotocol("motherlode.json.v1")
RETRY_SECONDS = 0.5
HARMLESS = {"stale", "not_asked", "game_over"}  # a newer state is on its way


class Seat:
    """One guest at one seat. `url` is the address of the house."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self.outcome: dict[str, Any] = {}
        self.hash = ""
        self._share = b""
        self._token: str | None = None
        self._unanswered: dict[str, Any] | None = None

    async def arrive(self, name: str) -> None:
        """Becomes a guest of the house."""
        self._token = (await self.ask("/api/players", {"name": name}))["token"]

    def renew(self) -> None:
        """Draws a new share of the shuffle, for a new game, and shows only its hash."""
        self._share = secrets.token_bytes(32)
        self.hash = hashlib.sha256(self._share).hexdigest()
        self._unanswered = None

    async def ask(self, path: str, body: dict[str, Any]) -> Any:
        """POSTs JSON as this guest and returns the JSON of the answer."""
        headers = {"Content-Type": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)

        def send() -> Any:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)

        return await asyncio.to_thread(send)

    async def play(self, code: str, present: asyncio.Barrier) -> None:
        """Plays in a room until its game is over; `present` is reached on the first state."""
        connecting = connect(
            f"{self.url.replace('http', 'ws', 1)}/rooms/{code}/socket",
            additional_headers={"Authorization": f"Bearer {self._token}"},
            subprotocols=[PROTOCOL],
        )
        arrived = False
        async for socket in connecting:  # connects again, with growing pauses, as often as needed
            if not arrived:
                arrived = True
                await present.wait()
            with contextlib.suppress(ConnectionClosed):
                if await self._talk(socket):
                    return

    async def _talk(self, socket: ClientConnection) -> bool:
        """Answers what the house says; returns True once the game is over."""
        if self._unanswered is not None:
            await socket.send(json.dumps(self._unanswered))
        async for text in socket:
            message = json.loads(text)
            if message["t"] == "state":
                content = message["d"]
                if content["room"]["status"] == "finished":
                    self.outcome = content["room"]["outcome"]
                    return True
                if content["room"]["starting"]:
                    await socket.send(json.dumps({"t": "reveal", "r": self._share.hex()}))
                await self._answer(socket, content["prompt"])
            elif message["t"] == "refused" and message["code"] == "try_again":
                await asyncio.sleep(RETRY_SECONDS)
                await socket.send(json.dumps(self._unanswered))
            elif message["t"] == "refused" and message["code"] not in HARMLESS:
                raise RuntimeError(f"refused: {message}")
        return False

    async def _answer(self, socket: ClientConnection, prompt: dict[str, Any] | None) -> None:
        """Answers a question, once: a state may come several times with the same question."""
        if prompt is None or (self._unanswered or {}).get("prompt") == prompt["n"]:
            return
        move = {"prompt": prompt["n"], "moves": [random.choice(prompt["legal"])]}
        self._unanswered = {"t": "move", "id": secrets.token_hex(8), **move}
        await socket.send(json.dumps(self._unanswered))


async def play(seats: Sequence[Seat], game: str) -> dict[str, Any]:
    """Plays one game from the new room to its end and returns the outcome."""
    for seat in seats:
        seat.renew()
    host = seats[0]
    room = {"game": game, "seats": len(seats), "options": {}, "hash": host.hash}
    code = (await host.ask("/api/rooms", room))["code"]
    for seat in seats[1:]:
        await seat.ask(f"/api/rooms/{code}/seats", {"hash": seat.hash})
    present = asyncio.Barrier(len(seats) + 1)
    async with asyncio.TaskGroup() as playing:
        for seat in seats:
            playing.create_task(seat.play(code, present))
        await present.wait()
        await host.ask(f"/api/rooms/{code}/start", {})
    return host.outcome


async def main() -> None:
    """Plays games and prints how each ended."""
    parser = argparse.ArgumentParser(description="Plays games with random legal moves.")
    parser.add_argument("url")
    parser.add_argument("--game", default="lost_cities")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=1)
    given = parser.parse_args()
    seats = [Seat(given.url) for _ in range(given.seats)]
    for number, seat in enumerate(seats):
        await seat.arrive(f"Client {number + 1}")
    for _ in range(given.games):
        print(await play(seats, given.game))


if __name__ == "__main__":
    asyncio.run(main())
