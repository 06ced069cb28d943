"""Bots at a table: they move when somebody is there, also where one of them fails."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from uuid import UUID

from app.bots.bot import Question, Sample
from app.bots.driver import Driver
from app.database import Database, new_id
from app.games.chance import Chance
from app.games.contract import Json, View
from app.games.registry import GAMES
from app.play.journal import Journal
from app.play.opening import Deal, opening
from app.play.table import Table
from app.play.tables import Tables

GAME = GAMES["lost_cities"]
SEED = bytes(range(32))


class Failing:
    """A bot that looks at what it gets and then fails."""

    def __init__(self, seen: list[tuple[View, Json, Json]]) -> None:
        self._seen = seen

    def choose(
        self, view: View, prompt: Question, chance: Chance, sample: Sample
    ) -> list[dict[str, Json]]:
        self._seen.append((view, GAME.dump(sample()), prompt.legal))
        raise RuntimeError("a bot that fails")


async def test_a_bot_that_fails_moves_by_chance_and_never_saw_what_is_hidden(
    database: Database,
) -> None:
    async def seed_of(_: UUID) -> bytes:
        return SEED

    options = {option.key: option.default for option in GAME.meta.options} | {"first": 0}
    deal = Deal(new_id(), "code", GAME, 2, options, (None, None), SEED)
    journal = Journal(database)
    await journal.start()
    await journal.append(opening(deal, datetime.now(UTC)))
    there, moved = False, asyncio.Event()
    seen: list[tuple[View, Json, Json]] = []
    driver = Driver(lambda _: there, pause=0.01, bot_for=lambda _: Failing(seen))

    def changed(table: Table) -> None:
        driver.look(table)
        if table.v == 3:
            moved.set()

    tables = Tables(journal, {GAME.meta.key: GAME}, seed_of, changed, lambda _: True)
    table = await tables.get(deal.room_id)
    assert table is not None
    truth = table.position.state
    view = table.view(0)

    await table.hand(0, "bot", by=1, move_id="h")
    await asyncio.sleep(0.1)
    assert (table.v, seen) == (1, []), "nobody is there"
    there = True
    driver.look(table)
    async with asyncio.timeout(10):
        await moved.wait()
    assert table.position.actors == (1,)
    shown, guessed, legal = seen[0]
    assert shown == view
    assert guessed != GAME.dump(truth)
    assert GAME.view(GAME.load(guessed), 0) == view
    entries = await journal.read(deal.room_id, after=1)
    assert [(entry.seat, entry.kind) for entry in entries] == [(0, "move"), (0, "move")]
    assert legal
    await driver.stop()
    await tables.stop()
    await journal.stop()
