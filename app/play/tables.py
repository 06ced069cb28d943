"""The tables in memory: each loaded once however many ask, dropped when nobody does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError

from app.games.registry import Registry
from app.play.history import Replayed, Told, applied, dealt
from app.play.journal import Entry, Journal, Unavailable
from app.play.opening import Deal, read_opening
from app.play.others import Others
from app.play.snapshots import read_snapshot
from app.play.standing import Standing, this_program
from app.play.table import Table

LOADS_AT_ONCE = 4
"""How many games are replayed side by side; after a restart everybody comes back at once."""
REPLAYED_AT_ONCE = 32
"""Entries replayed before others get their turn on the loop."""
IDLE_SECONDS = 120.0
SWEEP_SECONDS = 30.0

SeedOf = Callable[[UUID], Awaitable[bytes]]
Changed = Callable[[Table], None]


class Tables:
    """Finds or loads the table of a room.

    `seed_of` returns the secret game seed of a started room. `changed` is called with a table
    after each change; `wanted` tells whether somebody is connected to a room, whose table is then
    kept. `others` is for a house with several processes: a table in memory is then no truth, and
    the journal is asked each time that one is wanted.
    """

    def __init__(
        self,
        journal: Journal,
        games: Registry,
        seed_of: SeedOf,
        changed: Changed,
        wanted: Callable[[UUID], bool],
        *,
        others: Others | None = None,
    ) -> None:
        self._journal = journal
        self._games = games
        self._seed_of = seed_of
        self._changed = changed
        self._wanted = wanted
        self._others = others
        self._tables: dict[UUID, Table] = {}
        self._loads: dict[UUID, asyncio.Task[Table | None]] = {}
        self._pace = asyncio.Semaphore(LOADS_AT_ONCE)
        self._sweeper: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to drop idle tables."""
        self._sweeper = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        """Ends the sweep. Decisions under way are the journal's to finish."""
        if self._sweeper is not None:
            self._sweeper.cancel()

    async def settle(self, seconds: float) -> None:
        """Returns once the decisions that are under way now are taken, or after some seconds."""
        deciding = [task for table in self._tables.values() for task in table.deciding]
        if deciding:
            await asyncio.wait(deciding, timeout=seconds)

    def __len__(self) -> int:
        return len(self._tables)

    async def get(self, room_id: UUID) -> Table | None:
        """Returns the room's table as it is now, or None before the start.

        Raises `Unavailable` when the database does not answer.
        """
        load = self._loads.get(room_id)
        if load is not None and self._others is not None:
            # It was begun before this question, and others may have written since then. The next
            # one was not: whoever asks waits for two loads at most.
            await asyncio.wait((load,))
        table = self._tables.get(room_id)
        if table is not None:
            table.used = time.monotonic()
            if self._others is not None:
                await table.catch_up()
            return table
        load = self._loads.get(room_id)
        if load is None or load.done():
            load = self._loads[room_id] = asyncio.create_task(self._load(room_id))
            load.add_done_callback(partial(self._loaded, room_id))
        return await asyncio.shield(load)

    def known(self, room_id: UUID) -> Table | None:
        """Returns the room's table as it was when it was last asked for, if it is in memory."""
        return self._tables.get(room_id)

    def forget(self, room_id: UUID) -> None:
        """Drops the table of a room that is there no longer."""
        self._tables.pop(room_id, None)

    async def history(self, room_id: UUID) -> list[Told]:
        """Replays a started game and returns all that was ever told, oldest first.

        Raises as `replay` does.
        """
        return [entry.told for entry in await self.replay(room_id)]

    async def replay(self, room_id: UUID) -> list[Replayed]:
        """Plays a started game again and returns what came of each entry, oldest first.

        Raises `Unavailable` when the database does not answer, `Broken` where an entry no longer
        applies.
        """
        async with self._pace:
            entries = await self._journal.read(room_id)
            replayed = [dealt(await self._deal(room_id, entries[0]))]
            for at, entry in enumerate(entries[1:]):
                if at % REPLAYED_AT_ONCE == 0:
                    await asyncio.sleep(0)
                replayed.append(applied(replayed[-1].position, entry))
            return replayed

    def _loaded(self, room_id: UUID, load: asyncio.Task[Table | None]) -> None:
        if self._loads.get(room_id) is load:
            del self._loads[room_id]

    async def _load(self, room_id: UUID) -> Table | None:
        async with self._pace:
            entries, snapshot = await self._journal.read_lately(room_id, this_program())
            if not entries:
                return None
            table = None
            found = read_snapshot(snapshot, entries, self._games)
            if found is not None:
                deal, standing = found
                table = await self._followed(deal, entries[0], entries[2:], standing)
            if table is None or table.broken is not None:
                # Where the game does not go on, the snapshot may be to blame.
                if snapshot is not None:
                    entries = await self._journal.read(room_id)
                deal = await self._deal(room_id, entries[0])
                table = await self._followed(deal, entries[0], entries[1:])
            self._tables[room_id] = table
            if table.over:
                # Whoever marks ended games may have been killed before.
                self._changed(table)
            return table

    async def _followed(
        self, deal: Deal, opening: Entry, later: Sequence[Entry], standing: Standing | None = None
    ) -> Table:
        table = Table(
            deal, self._journal, self._changed, opening, others=self._others, standing=standing
        )
        for at in range(0, len(later), REPLAYED_AT_ONCE):
            table.follow(later[at : at + REPLAYED_AT_ONCE])
            await asyncio.sleep(0)
        return table

    async def _deal(self, room_id: UUID, entry: Entry) -> Deal:
        try:
            seed = await self._seed_of(room_id)
        except (SQLAlchemyError, OSError) as wrong:
            raise Unavailable(f"The seed cannot be read ({type(wrong).__name__}).") from wrong
        return read_opening(entry, seed, self._games)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            for room_id, table in list(self._tables.items()):
                idle = now - table.used > IDLE_SECONDS and not table.busy
                if idle and not self._wanted(room_id):
                    del self._tables[room_id]
