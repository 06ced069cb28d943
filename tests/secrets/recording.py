"""A seeded game, and everything that was sent to everybody about it.

The test fixes the secret of the room in the database before anybody has seen it, so that it knows
every card's place. Two play three rounds; a stranger, a player who was removed and one who found
the table full look on, each by page, API, JSON socket and HTML socket.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import asyncpg
import httpx
import orjson

from app.config import Settings
from app.games.registry import GAMES
from app.play.entry import Entry
from app.play.history import Told, follow, start
from app.play.opening import Deal
from app.play.position import Position
from app.play.shuffle import game_seed
from app.realtime.protocol import HTML_PROTOCOL, JSON_PROTOCOL
from app.server import create_app
from tests.realtime.people import Line, Message, Person

CODE = "bado-keli-mofu-tasi"
GAME = "lost_cities"
OPTIONS = {"rounds": 3, "colours": 5, "first": 0}
SERVER_SEED = hashlib.sha256(b"the server's part").digest()
R = [hashlib.sha256(name).digest() for name in (b"Ann's part", b"Bo's part")]
SEATED = ("Ann", "Bo")
WATCHING = ("Cy", "Di", "nobody")
"""Cy found the table full, Di was removed from it, nobody has no name."""
DECK = {"kind": "draw", "from": "deck"}
CUT_EVERYBODY_OFF = (
    "select pg_terminate_backend(pid) from pg_stat_activity "
    "where datname = current_database() and pid <> pg_backend_pid()"
)
"""Makes the house log errors of the database and recover from them."""
LOOKS_EVERY = 40
"""Entries between two rounds of looking at every address."""


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
        return SEATED.index(self.viewer) if self.viewer in SEATED else None


@dataclass
class Recorder:
    """Keeps all that is sent; `v` is the game's last entry at the moment."""

    v: int = -1
    heard: list[Heard] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)
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


@dataclass(frozen=True, eq=False)
class Recording:
    """What was heard, and the truth: positions and what was told, by entry."""

    heard: list[Heard]
    tokens: dict[str, str]
    game_seed: bytes
    positions: list[Position]
    told: list[Told]

    @property
    def last(self) -> int:
        """The entry that ended the game: from then on everything is public."""
        return self.positions[-1].v


def addresses() -> list[str]:
    """Returns every address of the house that can be looked at, and with other seats asked for."""
    view, log = f"/api/rooms/{CODE}/view", f"/r/{CODE}/log"
    others = [f"{view}?seat=0", f"{view}?seat=1", f"{log}?before=3", f"{log}?before=99999"]
    paths = dict.fromkeys(_paths(create_app(Settings()).routes))
    filled = {"code": CODE, "game": GAME, "rest": "sit"}
    return [path.format(**filled) for path in paths if "static" not in path] + others


def _paths(routes: Iterable[Any]) -> Iterator[str]:
    for route in routes:
        included = getattr(route, "original_router", None)
        if included is not None:
            yield from _paths(included.routes)
        elif "GET" in (getattr(route, "methods", None) or ()):
            yield route.path


class Evening:
    """The people of the recorded game and what they do."""

    def __init__(self, url: str, database_url: str) -> None:
        self.url = url
        self.recorder = Recorder()
        self.random = Random(7)
        self._database_url = database_url.replace("+asyncpg", "")
        self._lines: dict[tuple[str, str], Line] = {}
        self._http = httpx.AsyncClient(timeout=20, event_hooks={"response": [self.recorder.answer]})
        self.people: dict[str, Person] = {"nobody": Person(url, None, self._http)}

    async def record(self) -> Recording:
        """Plays the whole game; returns everything."""
        async with self._http, contextlib.AsyncExitStack() as stack:
            await self._gather_people(stack)
            await self._start()
            looked = 0
            while await self._step():
                if self.recorder.v < looked + LOOKS_EVERY:
                    continue
                if not looked:
                    await self._query(CUT_EVERYBODY_OFF)
                looked = self.recorder.v
                await self._look_at_everything()
                await self._try_what_is_refused()
            await self._look_at_everything()
        return await self._truth()

    # Before the game

    async def _arrive(self, name: str) -> Person:
        made = (await self.people["nobody"].post("/players", {"name": name})).json()
        self.recorder.tokens[name] = made["token"]
        self.people[name] = Person(self.url, made["token"], self._http)
        return self.people[name]

    async def _gather_people(self, stack: contextlib.AsyncExitStack) -> None:
        ann, di, cy = [await self._arrive(name) for name in ("Ann", "Di", "Cy")]
        new = {"game": GAME, "options": OPTIONS}
        code = (await ann.post("/rooms", new)).json()["code"]
        await self._query(
            "update rooms set code = $2, server_seed = $3 where code = $1", code, CODE, SERVER_SEED
        )
        await ann.post(f"/rooms/{CODE}/seats", {"hash": hashlib.sha256(R[0]).hexdigest()})
        await di.post(f"/rooms/{CODE}/seats", {})
        for viewer in ("Ann", "Di", "Cy", "nobody"):
            await self._open(stack, viewer)
        await self._look_at_everything()
        await self._form(ann, "remove", seat="1")
        # Bo comes by the page and gets his token as a cookie.
        sat = await self._form(
            self.people["nobody"], "sit", name="Bo", hash=hashlib.sha256(R[1]).hexdigest()
        )
        self.recorder.tokens["Bo"] = sat.cookies["motherlode"]
        self._http.cookies.clear()
        self.people["Bo"] = Person(self.url, sat.cookies["motherlode"], self._http)
        await self._open(stack, "Bo")
        assert (await cy.post(f"/rooms/{CODE}/seats", {})).status_code == 409
        assert (await self._form(cy, "sit")).status_code == 409
        await self._look_at_everything()

    async def _open(self, stack: contextlib.AsyncExitStack, viewer: str) -> None:
        for protocol in (JSON_PROTOCOL, HTML_PROTOCOL):
            line = await stack.enter_async_context(
                self.people[viewer].line(CODE, protocol=protocol)
            )
            self._lines[viewer, protocol] = line

    async def _start(self) -> None:
        ann, bo = self.people["Ann"], self.people["Bo"]
        assert (await ann.post(f"/rooms/{CODE}/start")).json()["starting"]
        await self._look_at_everything()
        for person, r in ((ann, R[0]), (bo, R[1])):
            await person.post(f"/rooms/{CODE}/reveal", {"r": r.hex()})
        await self._all_hear(0)
        await self._look_at_everything()

    # The game

    async def _step(self) -> bool:
        """Plays a turn or half of one, or takes a half back; False once the game is over."""
        for name in SEATED:
            line = self._lines[name, JSON_PROTOCOL]
            if not line.prompt:
                continue
            legal = line.prompt["legal"]
            if line.prompt["stage"] == "draw":
                await self._send(line, moves=[self.random.choice([DECK, DECK, *legal[1:]])])
                return True
            card = self.random.choice(legal)
            if self.recorder.v % 5:
                await self._send(line, moves=[card, DECK])
            else:
                await self._send(line, moves=[card])
                if self.recorder.v % 10 < 5:
                    await self._send(line, what="undo")
            return True
        return False

    async def _send(
        self, line: Line, *, moves: list[Message] | None = None, what: str = ""
    ) -> None:
        move_id = f"e{self.recorder.v + 1}"
        message: Message = {"t": "do", "id": move_id, "what": what}
        if moves is not None:
            message = {"t": "move", "id": move_id, "prompt": line.prompt["n"], "moves": moves}
        while True:
            await line.say(message)
            answer = await line.hear(
                lambda heard: heard["t"] == "refused" or heard.get("ack") == move_id
            )
            if answer["t"] == "state":
                return await self._all_hear(answer["v"])
            assert answer["code"] == "try_again", answer

    async def _all_hear(self, v: int) -> None:
        for (viewer, protocol), line in self._lines.items():
            if line.state["v"] < v:
                await line.hear_state(v)
            self.recorder.messages(viewer, line, f"socket {protocol}")
        self.recorder.v = v

    async def _try_what_is_refused(self) -> None:
        """Moves for others, out of turn, with others' cards: nothing is let slip in a refusal."""
        asked = [self._lines[name, JSON_PROTOCOL].prompt for name in SEATED]
        n = max(prompt["n"] for prompt in asked if prompt)
        for name, person in self.people.items():
            line = self._lines[name, JSON_PROTOCOL]
            for card in {"R7", "Y2", "W10", "G3"}.difference(line.state["d"]["view"]["hand"]):
                move = {"kind": "play", "card": card}
                for seat in (None, 0, 1):
                    body = {"id": f"{name}-{n}-{card}-{seat}", "prompt": n, "moves": [move]}
                    answer = await person.post(f"/rooms/{CODE}/moves", {**body, "seat": seat})
                    assert 400 <= answer.status_code < 500, answer.text
                await self._form(person, "move", prompt=str(n), card=card, action="discard")
            await line.say({"t": "move", "id": f"w{n}", "prompt": n, "seat": 1, "moves": [{}]})
            await line.say({"t": "sync"})
            await line.hear_of("refused")
            await self._lines[name, HTML_PROTOCOL].say({"t": "sync"})

    async def _look_at_everything(self) -> None:
        for person in self.people.values():
            for path in addresses():
                await self._http.get(self.url + path, headers=person.headers)

    async def _form(self, person: Person, what: str, **fields: str) -> httpx.Response:
        return await self._http.post(
            f"{self.url}/r/{CODE}/{what}", data=fields, headers=person.headers
        )

    # The truth

    async def _query(self, sql: str, *arguments: object) -> list[asyncpg.Record]:
        connection = await asyncpg.connect(self._database_url)
        try:
            return list(await connection.fetch(sql, *arguments))
        finally:
            await connection.close()

    async def _truth(self) -> Recording:
        rows = await self._query("select * from journal order by seq")
        entries = [Entry(**{**row, "actors": tuple(row["actors"])}) for row in rows]
        game = GAMES[GAME]
        r = tuple(each.hex() for each in R)
        seed = game_seed(
            SERVER_SEED,
            room=CODE,
            game=GAME,
            rules_version=game.meta.rules_version,
            options=OPTIONS,
            r=r,
        )
        deal = Deal(entries[0].room_id, CODE, game, len(SEATED), OPTIONS, r, seed)
        position, first = start(deal)
        positions, told = [position], [first]
        for entry in entries[1:]:
            position, more = follow(position, entry)
            positions.append(position)
            told.append(more)
        return Recording(self.recorder.heard, self.recorder.tokens, seed, positions, told)


def between(heard: Iterable[Heard], last: int) -> list[Heard]:
    """Returns what was heard before everything became public."""
    return [each for each in heard if each.v < last]
