"""The people of the recorded games and what they do."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
from random import Random
from typing import Any

import asyncpg
import httpx

from app.games.registry import GAMES
from app.play.entry import Entry
from app.play.history import follow, start
from app.play.opening import Deal
from app.play.shuffle import game_seed
from app.realtime.protocol import HTML_PROTOCOL, JSON_PROTOCOL
from tests.realtime.people import Line, Message, Person
from tests.secrets.hooks import secrets_of
from tests.secrets.recording import NAMES, Recorder, Recording, Where

CUT_EVERYBODY_OFF = (
    "select pg_terminate_backend(pid) from pg_stat_activity "
    "where datname = current_database() and pid <> pg_backend_pid()"
)
"""Makes the house log errors of the database and recover from them."""
LOOKS_EVERY = 40
"""Entries between two rounds of looking at every address."""


def part(name: str, number: int) -> bytes:
    """Returns somebody's part of the shuffle of a game."""
    return hashlib.sha256(f"{name}'s part of game {number}".encode()).digest()


def code(key: str, number: int, games: int) -> str:
    """Returns the code of the room of a game, of one game alone or of two in a row."""
    at = 3 * list(GAMES).index(key) + number + games - 1
    return f"bado-keli-mofu-ta{'sdklmf'[at // 5]}{'aeiou'[at % 5]}"


class Evening:
    """Games, one or two, that the same people play in a row, watched by others."""

    def __init__(self, key: str, games: int, url: str, database_url: str) -> None:
        self.games = games
        self.url = url
        self.key = key
        self.secrets = secrets_of(key)
        self.seated = NAMES[: self.secrets.SEATS]
        self.tokens: dict[str, str] = {}
        self.random = Random(7)
        self._database_url = database_url.replace("+asyncpg", "")
        self._http = httpx.AsyncClient(timeout=20, event_hooks={"response": [self._answer]})
        self.people: dict[str, Person] = {"nobody": Person(url, None, self._http)}
        self._begin(0)

    def _begin(self, number: int) -> None:
        self.number = number
        self.where = Where(self.key, code(self.key, number, self.games))
        self.recorder = Recorder(self.tokens)
        self._lines: dict[tuple[str, str], Line] = {}
        self._ids = itertools.count()
        self._undone = False

    async def _answer(self, response: httpx.Response) -> None:
        await self.recorder.answer(response)

    async def record(self) -> list[Recording]:
        """Plays the games; returns everything."""
        recordings = []
        async with self._http:
            for number in range(self.games):
                self._begin(number)
                async with contextlib.AsyncExitStack() as stack:
                    await self._gather(stack)
                    await self._start()
                    await self._play()
                    await self._look_at_everything()
                recordings.append(await self._truth())
        return recordings

    # Before the game

    async def _arrive(self, name: str) -> Person:
        if name not in self.people:
            made = (await self.people["nobody"].post("/players", {"name": name})).json()
            self._known(name, made["token"])
        return self.people[name]

    def _known(self, name: str, token: str) -> None:
        self.tokens[name] = token
        self.people[name] = Person(self.url, token, self._http)

    async def _gather(self, stack: contextlib.AsyncExitStack) -> None:
        ann, di, cy = [await self._arrive(name) for name in ("Ann", "Di", "Cy")]
        new = {"game": self.key, "seats": self.secrets.SEATS, "options": self.secrets.OPTIONS}
        given = (await ann.post("/rooms", new)).json()["code"]
        fix = "update rooms set code = $2, server_seed = $3 where code = $1"
        await self._query(fix, given, self.where.code, part("the server", self.number))
        room = f"/rooms/{self.where.code}/seats"
        await ann.post(room, {"hash": self._hash("Ann")})
        await di.post(room, {})
        for viewer in ("Ann", "Di", "Cy", "nobody"):
            await self._open(stack, viewer)
        await self._look_at_everything()
        await self._form(ann, "remove", seat="1")
        for name in self.seated[1:]:
            if name in self.people:
                await self.people[name].post(room, {"hash": self._hash(name)})
            else:
                await self._comes_by_the_page(name)
            await self._open(stack, name)
        assert (await cy.post(room, {})).status_code == 409
        assert (await self._form(cy, "sit")).status_code == 409
        await self._look_at_everything()

    async def _comes_by_the_page(self, name: str) -> None:
        """A new guest gets the token as a cookie."""
        nobody = self.people["nobody"]
        sat = await self._form(nobody, "sit", name=name, hash=self._hash(name))
        self._known(name, sat.cookies["motherlode"])
        self._http.cookies.clear()

    def _hash(self, name: str) -> str:
        return hashlib.sha256(part(name, self.number)).hexdigest()

    async def _open(self, stack: contextlib.AsyncExitStack, viewer: str) -> None:
        for protocol in (JSON_PROTOCOL, HTML_PROTOCOL):
            line = self.people[viewer].line(self.where.code, protocol=protocol)
            self._lines[viewer, protocol] = await stack.enter_async_context(line)

    async def _start(self) -> None:
        room = f"/rooms/{self.where.code}"
        assert (await self.people["Ann"].post(f"{room}/start")).json()["starting"]
        await self._look_at_everything()
        for name in self.seated:
            r = part(name, self.number).hex()
            await self.people[name].post(f"{room}/reveal", {"r": r})
        await self._all_hear(0)
        await self._look_at_everything()

    # The game

    async def _play(self) -> None:
        looked = 0
        while await self._step():
            if self.recorder.v < looked + LOOKS_EVERY:
                continue
            if not looked:
                await self._query(CUT_EVERYBODY_OFF)
            looked = self.recorder.v
            await self._look_at_everything()
            await self._try_what_is_refused()

    async def _step(self) -> bool:
        """Plays an entry, takes back some that leave the turn open; False once the game is over."""
        for name in self.seated:
            line = self._lines[name, JSON_PROTOCOL]
            if not line.prompt:
                continue
            legal = line.prompt["legal"]
            moves = self.secrets.choose(self.random, line.prompt["stage"], legal)
            await self._send(line, moves=moves)
            if line.prompt and (not self._undone or self.random.random() < 0.5):
                self._undone |= await self._send(line, what="undo")
            return True
        return False

    async def _send(self, line: Line, *, moves: list[Any] | None = None, what: str = "") -> bool:
        move_id = f"e{next(self._ids)}"
        message: Message = {"t": "do", "id": move_id, "what": what}
        if moves is not None:
            message = {"t": "move", "id": move_id, "prompt": line.prompt["n"], "moves": moves}
        while True:
            await line.say(message)
            answer = await line.hear(
                lambda heard: heard["t"] == "refused" or heard.get("ack") == move_id
            )
            if answer["t"] == "state":
                await self._all_hear(answer["v"])
                return True
            if what:
                return False  # not everything can be taken back
            assert answer["code"] == "try_again", answer

    async def _all_hear(self, v: int) -> None:
        for (viewer, protocol), line in self._lines.items():
            if line.state["v"] < v:
                await line.hear_state(v)
            self.recorder.messages(viewer, line, f"socket {protocol}")
        self.recorder.v = v

    async def _try_what_is_refused(self) -> None:
        """Moves for others, out of turn, with others' cards: nothing is let slip in a refusal."""
        prompts = {name: self._lines[name, JSON_PROTOCOL].prompt for name in self.seated}
        n = max(prompt["n"] for prompt in prompts.values() if prompt)
        for name, person in self.people.items():
            asked = prompts.get(name)
            for number, move in enumerate(self.secrets.TRIES):
                if asked and (asked["open"] or move in asked["legal"]):
                    continue
                for seat in (None, 0, 1):
                    tried = {"id": f"{name}-{n}-{number}-{seat}", "prompt": n, "moves": [move]}
                    body = {**tried, "seat": seat}
                    answer = await person.post(f"/rooms/{self.where.code}/moves", body)
                    assert 400 <= answer.status_code < 500, answer.text
                fields = {key: str(value) for key, value in move.items()}
                await self._form(person, "move", prompt=str(n), **fields)
            line = self._lines[name, JSON_PROTOCOL]
            await line.say({"t": "move", "id": f"w{n}", "prompt": n, "seat": 1, "moves": [{}]})
            await line.say({"t": "sync"})
            await line.hear_of("refused")
            await self._lines[name, HTML_PROTOCOL].say({"t": "sync"})

    async def _look_at_everything(self) -> None:
        for person in self.people.values():
            for path in self.where.addresses():
                await self._http.get(self.url + path, headers=person.headers)

    async def _form(self, person: Person, what: str, **fields: str) -> httpx.Response:
        address = f"{self.url}/r/{self.where.code}/{what}"
        return await self._http.post(address, data=fields, headers=person.headers)

    # The truth

    async def _query(self, sql: str, *arguments: object) -> list[asyncpg.Record]:
        connection = await asyncpg.connect(self._database_url)
        try:
            return list(await connection.fetch(sql, *arguments))
        finally:
            await connection.close()

    async def _truth(self) -> Recording:
        sql = (
            "select journal.* from journal join rooms on rooms.id = journal.room_id "
            "where rooms.code = $1 order by seq"
        )
        rows = await self._query(sql, self.where.code)
        entries = [Entry(**{**row, "actors": tuple(row["actors"])}) for row in rows]
        game, options = GAMES[self.key], json.loads(entries[0].body)["options"]
        secrets = {f"{name}'s part": part(name, self.number) for name in self.seated}
        server_seed = part("the server", self.number)
        r = tuple(each.hex() for each in secrets.values())
        seed = game_seed(
            server_seed,
            room=self.where.code,
            game=self.key,
            rules_version=game.meta.rules_version,
            options=options,
            r=r,
        )
        deal = Deal(entries[0].room_id, self.where.code, game, len(r), options, r, seed)
        position, first = start(deal)
        positions, told = [position], [first]
        for entry in entries[1:]:
            position, more = follow(position, entry)
            positions.append(position)
            told.append(more)
        return Recording(
            self.where,
            self.seated,
            {"server seed": server_seed, **secrets},
            self.recorder.heard,
            self.tokens,
            seed,
            positions,
            told,
        )
