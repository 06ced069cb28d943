"""Tables that have got somewhere already: made through the API, then looked at by people."""

from __future__ import annotations

from typing import Any

import asyncpg

from tests.browser.conftest import Meet
from tests.browser.person import Person
from tests.browser.remote import Remote, play_until
from tests.servers import Server


class Table:
    """A running game of two people with open pages. `ann` moves first, then `bo`."""

    def __init__(self, ann: Person, bo: Person, code: str, seats: tuple[Remote, Remote]) -> None:
        self.ann = ann
        self.bo = bo
        self.code = code
        self.seats = seats

    @property
    def link(self) -> str:
        """The address of the room."""
        return f"{self.ann.url}/r/{self.code}"

    async def v(self) -> int:
        """Returns the number of the last entry."""
        return int((await self.seats[0].shown(self.code))["v"])

    async def goes_on(self, left: int) -> None:
        """Plays until at most `left` cards are in the deck, and until Ann is to move."""
        await play_until(self.code, left, *self.seats)
        if (await self.seats[0].shown(self.code))["prompt"] is None:
            await self.seats[1].plays_on(self.code)


async def running(ann: Person, bo: Person, *, left: int = 60, **options: int) -> Table:
    """Has Ann and Bo in a game with at most `left` cards in the deck, Ann to move."""
    first, second = await ann.remote(), await bo.remote()
    code = await first.opens_room("lost_cities", 2, **{"first": 0, **options})
    await second.sits(code)
    await first.starts(code)
    table = Table(ann, bo, code, (first, second))
    await table.goes_on(left)
    for person in (ann, bo):
        await person.follows(table.link)
    return table


async def two(meet: Meet, **options: int) -> Table:
    """Has a new Ann and a new Bo in a game."""
    return await running(await meet("Ann"), await meet("Bo"), **options)


async def fix(server: Server, code: str, *, to: str, secret: bytes) -> None:
    """Gives a room that nobody else has seen another code, and a secret: its game is known then."""
    connection = await asyncpg.connect(server.database_url.replace("+asyncpg", ""))
    try:
        await connection.execute(
            "update rooms set code = $2, server_seed = $3 where code = $1", code, to, secret
        )
    finally:
        await connection.close()


async def dealt(
    server: Server, remotes: list[Remote], game: str, *, code: str, secret: bytes, **options: Any
) -> None:
    """Seats programs through the API at a table whose deal is known, and starts.

    A browser that sits down would add its own chance to the deal.
    """
    opened = await remotes[0].opens_room(game, len(remotes), **options)
    await fix(server, opened, to=code, secret=secret)
    for remote in remotes:
        await remote.sits(code)
    await remotes[0].starts(code)
