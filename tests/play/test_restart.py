"""What a process that comes after another one finds: the same clocks, and the same hands."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from app.database import Database, new_id
from app.games.registry import GAMES, Registry
from app.play.ending import MOST_CHANGES
from app.play.journal import Journal
from app.play.opening import Deal, opening
from app.play.table import Accepted, Refusal, Table
from app.play.tables import Tables
from tests.tiny.games import TINY, TORTURE

ALL: Registry = {**GAMES, **TINY}
SEED = bytes(range(32))


async def seed_of(_: UUID) -> bytes:
    return SEED


async def loaded(database: Database, room_id: UUID) -> tuple[Journal, Table]:
    """Returns the table as a process of its own has it."""
    journal = Journal(database)
    await journal.start()
    tables = Tables(journal, ALL, seed_of, lambda _: None, lambda _: False)
    table = await tables.get(room_id)
    assert table is not None
    return journal, table


async def test_a_clock_goes_on_and_a_bot_stays_where_they_were(database: Database) -> None:
    options = {option.key: option.default for option in TORTURE.meta.options}
    deal = Deal(new_id(), "code", TORTURE, 3, options, (None,) * 3, SEED)
    began = datetime.now(UTC) - timedelta(seconds=50)
    journal = Journal(database)
    await journal.start()
    await journal.append(opening(deal, began, 60))
    await journal.stop()

    journal, table = await loaded(database, deal.room_id)
    first, second, third = table.position.actors
    assert table.times.due(table.position, first) == began + timedelta(seconds=60)
    assert await table.wait(first, by=second, move_id="w") == Accepted(1)
    assert await table.hand(third, "bot", by=second, move_id="h") == Accepted(2)
    stored = await journal.read(deal.room_id)
    await journal.stop()

    journal, again = await loaded(database, deal.room_id)
    await journal.stop()
    assert again.times == table.times
    assert again.position.bots == {third}
    assert again.asked(third) is None
    renewed = again.times.due(again.position, first)
    assert renewed == stored[1].at + timedelta(seconds=60)
    assert [entry.due for entry in stored] == [began + timedelta(seconds=60)] * 3


async def test_changes_of_mind_are_counted_in_the_journal(database: Database) -> None:
    options = {option.key: option.default for option in TORTURE.meta.options}
    deal = Deal(new_id(), "code", TORTURE, 3, options, (None,) * 3, SEED)
    journal = Journal(database)
    await journal.start()
    await journal.append(opening(deal, datetime.now(UTC), None))
    await journal.stop()
    journal, table = await loaded(database, deal.room_id)
    for turn in range(MOST_CHANGES):
        answer = await table.end(0, agrees=turn % 2 == 0, move_id=f"e{turn}")
        assert answer == Accepted(turn + 1)
    await journal.stop()
    journal, again = await loaded(database, deal.room_id)
    refused = Refusal("too_many_changes", {"most": MOST_CHANGES})
    assert await again.end(0, agrees=True, move_id="more") == refused
    assert again.v == MOST_CHANGES
    await journal.stop()
