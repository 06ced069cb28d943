"""Has bots play the seats that were handed to them, while a person is at the table."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from functools import partial
from typing import Final
from uuid import UUID

import structlog

from app.bots.bot import Bot
from app.bots.playout_bot import PlayoutBot
from app.bots.random_bot import RandomBot
from app.games.chance import Chance
from app.games.contract import Json
from app.games.registry import AnyGame
from app.play.position import Asked, Position
from app.play.table import Accepted, Table

log = structlog.get_logger()

PAUSE_SECONDS: Final = 0.8
"""How long a bot lets people look at the table before it moves."""
MOST_FAILURES: Final = 5
"""Moves that may come to nothing in a row until something else has changed at the table."""


class Driver:
    """Moves for bots, one at a time in each room, one thinking at a time in the process.

    `attended` tells whether a person who plays for themselves is at a table: without one its bots
    are idle, and go on when somebody is back. `bot_for` makes the bot of a game.
    """

    def __init__(
        self,
        attended: Callable[[Table], bool],
        *,
        pause: float = PAUSE_SECONDS,
        bot_for: Callable[[AnyGame], Bot] = PlayoutBot,
    ) -> None:
        self._attended = attended
        self._pause = pause
        self._bot_for = bot_for
        self._playing: dict[UUID, asyncio.Task[None]] = {}
        self._thinking = asyncio.Semaphore(1)

    def look(self, table: Table) -> None:
        """Looks at a table that has changed, or that somebody has come to."""
        if self._seat(table) is None or table.room_id in self._playing:
            return
        task = asyncio.create_task(self._play(table))
        self._playing[table.room_id] = task
        task.add_done_callback(lambda _: self._playing.pop(table.room_id, None))

    async def stop(self) -> None:
        """Ends all of it. A move under way is the table's to finish."""
        tasks = list(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _seat(self, table: Table) -> int | None:
        """Returns a seat that a bot has to move for now."""
        position = table.position
        if table.broken is not None or not position.bots or not self._attended(table):
            return None
        return next((seat for seat in position.asked if seat in position.bots), None)

    async def _play(self, table: Table) -> None:
        failures = 0
        while failures < MOST_FAILURES:
            await asyncio.sleep(self._pause)
            seat = self._seat(table)
            if seat is None:
                return
            position = table.position
            asked = position.asked[seat]
            async with self._thinking:
                moves = await asyncio.to_thread(self._chosen, position, seat, asked)
            answer = await table.play(
                seat, moves, move_id=f"bot-{secrets.token_hex(8)}", prompt=asked.n, bot=True
            )
            failures = 0 if isinstance(answer, Accepted) else failures + 1

    def _chosen(self, position: Position, seat: int, asked: Asked) -> list[dict[str, Json]]:
        """Returns what the bot of this game would do; any legal move where it fails."""
        game = position.game
        chance = Chance(secrets.token_bytes(32), 0)
        sample = partial(game.guess, position.state, seat, chance)
        view = game.view(position.state, seat)
        try:
            return self._bot_for(game).choose(view, asked, chance, sample)
        except Exception:
            log.exception("bot_failed", game=game.meta.key)
            return RandomBot().choose(view, asked, chance, sample)
