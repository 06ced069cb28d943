"""Everything that was sent to everybody about a seeded game, and the truth about it.

The test fixes the secret of each room in the database before anybody has seen it, so that it knows
every card's place. The same people play two games, one after the other; a stranger, a player who
was removed and one who found the table full look on, each by page, API, JSON socket and HTML
socket. What a game keeps secret is told by its `tests/games/<key>/secrets.py`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson

from app.config import Settings
from app.play.history import Told
from app.play.position import Position
from app.server import create_app
from tests.realtime.people import Line

NAMES = ("Ann", "Bo", "Gus", "Ivo", "Kim", "Lea")
WATCHING = ("Cy", "Di", "nobody")
"""Cy found the table full, Di was removed from it, nobody has no name but the link."""


@dataclass(frozen=True)
class Heard:
    """One answer or message: to whom, where, after which entry, all its bytes, and the request."""

    viewer: str
    where: str
    v: int
    head: bytes
    body: bytes
    asked: bytes = b""

    @property
    def seat(self) -> int | None:
        """The seat of the one who heard it."""
        return NAMES.index(self.viewer) if self.viewer in NAMES else None


@dataclass
class Recorder:
    """Keeps all that is sent; `v` is the game's last entry at the moment."""

    tokens: dict[str, str]
    v: int = -1
    heard: list[Heard] = field(default_factory=list)
    _taken: dict[int, int] = field(default_factory=dict)

    async def answer(self, response: httpx.Response) -> None:
        """Keeps an HTTP answer."""
        await response.aread()
        sent = response.request.headers.get("authorization", "").removeprefix("Bearer ")
        names = {token: name for name, token in self.tokens.items()}
        head = b"\r\n".join(key + b": " + value for key, value in response.headers.raw)
        where = f"{response.request.method} {response.request.url.raw_path.decode()}"
        v = self.v
        with contextlib.suppress(ValueError):
            data = response.json()
            v = max(v, data.get("v", v)) if isinstance(data, dict) else v
        viewer, asked = names.get(sent, "nobody"), response.request.content
        self.heard.append(Heard(viewer, where, v, head, response.content, asked))

    def messages(self, viewer: str, line: Line, where: str) -> None:
        """Keeps what a socket was sent since the last time."""
        response = line.socket.response
        head = repr(response.headers).encode() if response is not None else b""
        begin = self._taken.get(id(line), 0)
        self._taken[id(line)] = len(line.heard)
        for message in line.heard[begin:]:
            v = message.get("v", self.v)
            self.heard.append(Heard(viewer, where, v, head, orjson.dumps(message)))


@dataclass(frozen=True)
class Where:
    """The game and its room."""

    game: str
    code: str

    def addresses(self) -> list[str]:
        """Returns every address that can be looked at, and with other seats asked for."""
        view, log = f"/api/rooms/{self.code}/view", f"/r/{self.code}/log"
        others = [f"{view}?seat=0", f"{view}?seat=1", f"{log}?before=3", f"{log}?before=99999"]
        # All steps of a long game are many bytes to search, and those of its beginning are as old.
        asked = {"back": "?as=1", "steps": "?as=1&seat=1&until=12"}
        paths = [
            path + asked.get(path.rsplit("/", 1)[-1], "")
            for path in dict.fromkeys(_paths(create_app(Settings()).routes))
        ]
        filled = {"code": self.code, "game": self.game, "rest": "sit"}
        return [path.format(**filled) for path in paths if "static" not in path] + others


@dataclass(frozen=True, eq=False)
class Recording:
    """What was heard, and the truth: positions and what was told, by entry.

    `secrets` are the parts of the shuffle, by name; `tokens` were given before the first game.
    """

    where: Where
    seated: tuple[str, ...]
    secrets: dict[str, bytes]
    heard: list[Heard]
    tokens: dict[str, str]
    game_seed: bytes
    positions: list[Position]
    told: list[Told]

    @property
    def last(self) -> int:
        """The entry that ended the game: from then on everything is public."""
        return self.positions[-1].v


def _paths(routes: Iterable[Any]) -> Iterator[str]:
    for route in routes:
        included = getattr(route, "original_router", None)
        if included is not None:
            yield from _paths(included.routes)
        elif "GET" in (getattr(route, "methods", None) or ()):
            yield route.path


def between(heard: Iterable[Heard], last: int) -> list[Heard]:
    """Returns what was heard before everything became public."""
    return [each for each in heard if each.v < last]
