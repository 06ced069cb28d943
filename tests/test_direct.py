"""The short way to the database: what it answers, and what it does about trouble."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import time
import weakref
from contextlib import suppress

import asyncpg
import pytest
from sqlalchemy import Integer, bindparam, literal, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError

from app.database import Database
from app.direct import REST_SECONDS, Direct, DriverConnection, Lookup, Statement

SUM = Statement(select((bindparam("one") + literal(2)).label("sum")))
DOUBLE = Statement(
    text("select key, key * 2 as double from unnest(:keys) key where key > 0").bindparams(
        bindparam("keys", type_=ARRAY(Integer()))
    )
)
WHO = Statement(text("select pg_backend_pid() as pid"))
SLEEP = Statement(text("select pg_sleep(30)"))
SHORT_SLEEP = Statement(text("select pg_sleep(0.3)"))
TWICE = Statement(
    text("insert into house (key, value) select 'twice', 'x' from generate_series(1, 2)")
)
WRONG = Statement(text("select 1 / 0"))
WRONG_KEYS = Statement(
    text("select key / 0 as key from unnest(:keys) key").bindparams(
        bindparam("keys", type_=ARRAY(Integer()))
    )
)
CUT = Statement(
    text(
        "select pg_terminate_backend(pid) from pg_stat_activity "
        "where datname = current_database() and pid <> pg_backend_pid()"
    )
)


async def pid(direct: Direct) -> int:
    return int((await direct.rows(WHO, {}))[0]["pid"])


async def test_values_are_given_by_name_and_constants_with_them(database: Database) -> None:
    before = database.direct.statements
    rows = await database.direct.rows(SUM, {"one": 40})
    assert [tuple(row) for row in rows] == [(42,)]
    assert database.direct.statements == before + 1
    with pytest.raises(KeyError):
        await database.direct.rows(SUM, {})


async def test_what_a_constraint_forbids_is_told_and_ends_no_connection(
    database: Database,
) -> None:
    first = await pid(database.direct)
    with pytest.raises(IntegrityError):
        await database.direct.rows(TWICE, {})
    assert await pid(database.direct) == first


async def test_after_any_other_trouble_a_connection_is_not_used_again(database: Database) -> None:
    first = await pid(database.direct)
    with pytest.raises(DBAPIError):
        await database.direct.rows(WRONG, {})
    assert await pid(database.direct) != first


async def test_who_goes_away_takes_the_connection_along(database: Database) -> None:
    first = await pid(database.direct)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await database.direct.rows(SLEEP, {})
    assert await pid(database.direct) != first


async def test_a_connection_that_was_cut_is_replaced(database: Database) -> None:
    first = await pid(database.direct)
    async with database.engine.connect() as other:
        await other.execute(text(CUT.sql))
    await asyncio.sleep(0.1)
    assert await pid(database.direct) != first


async def test_there_are_only_so_many_connections_and_others_wait(database: Database) -> None:
    few = Direct(database.connect, seconds=5, most=2)
    assert len(set(await asyncio.gather(*(pid(few) for _ in range(8))))) == 2
    await few.close()


async def test_a_database_that_hangs_is_waited_for_once(database: Database) -> None:
    """Not for each connection that rests, as long as no answer comes."""
    hasty = Direct(database.connect, seconds=0.4)
    pids = await asyncio.gather(*(pid(hasty) for _ in range(4)))
    assert len(set(pids)) == 4
    await asyncio.sleep(REST_SECONDS)
    for each in pids:
        os.kill(each, signal.SIGSTOP)
    try:
        begun = time.monotonic()
        with pytest.raises(TimeoutError):
            await hasty.rows(WHO, {})
        assert time.monotonic() - begun < 0.8
    finally:
        for each in pids:
            os.kill(each, signal.SIGCONT)
    assert await pid(hasty) > 0
    await hasty.close()


async def test_connections_that_hang_are_cut_together(database_url: URL) -> None:
    """Whichever way they were opened. One after the other they would take a second each."""
    database = Database(database_url)
    pids = await asyncio.gather(*(pid(database.direct) for _ in range(4)))
    links = [await database.engine.connect() for _ in range(4)]
    pids += [(await link.execute(text(WHO.sql))).scalar_one() for link in links]
    for link in links:
        await link.close()
    assert len(set(pids)) == 8
    for each in pids:
        os.kill(each, signal.SIGSTOP)
    try:
        begun = time.monotonic()
        await database.close()
        assert time.monotonic() - begun < 2
    finally:
        for each in pids:
            os.kill(each, signal.SIGCONT)


async def test_no_answer_is_waited_for_too_long(database: Database) -> None:
    hasty = Direct(database.connect, seconds=0.3, most=1)
    with pytest.raises(TimeoutError):
        await hasty.rows(SLEEP, {})
    assert await pid(hasty) > 0
    await hasty.close()


async def test_where_the_database_gives_no_more_our_own_are_waited_for(database: Database) -> None:
    opened = 0

    async def connect() -> DriverConnection:
        nonlocal opened
        if opened == 2:
            raise asyncpg.TooManyConnectionsError
        opened += 1
        return await database.connect()

    scarce = Direct(connect, seconds=5)
    await asyncio.gather(pid(scarce), pid(scarce))
    assert len(set(await asyncio.gather(*(pid(scarce) for _ in range(8))))) == 2
    await scarce.close()
    with pytest.raises(DBAPIError):
        await scarce.rows(WHO, {})


async def test_who_stops_waiting_for_a_connection_takes_none_along(database: Database) -> None:
    opened = asyncio.get_running_loop().create_future()

    async def connect() -> DriverConnection:
        if opened.done():
            raise asyncpg.TooManyConnectionsError
        link = await database.connect()
        opened.set_result(link.get_server_pid())
        return link

    scarce = Direct(connect, seconds=5)
    slow = asyncio.create_task(scarce.rows(SHORT_SLEEP, {}))
    only = await opened
    impatient = asyncio.create_task(scarce.rows(WHO, {}))
    await asyncio.sleep(0.05)
    impatient.cancel()
    await slow
    assert await pid(scarce) == only
    await scarce.close()


async def test_who_asks_at_the_same_time_is_answered_by_one_statement(database: Database) -> None:
    doubles, before = Lookup(database.direct, DOUBLE, "key"), database.direct.statements
    gone, *others = [asyncio.create_task(doubles.rows(key)) for key in (1, 2, 2, 0)]
    await asyncio.sleep(0)
    gone.cancel()
    rows = await asyncio.gather(*others)
    assert [[row["double"] for row in found] for found in rows] == [[4], [4], []]
    assert database.direct.statements == before + 1
    assert [row["double"] for row in await doubles.rows(3)] == [6]
    assert database.direct.statements == before + 2


async def test_a_lookup_tells_each_who_asks_of_trouble(database: Database) -> None:
    broken = Lookup(database.direct, WRONG_KEYS, "key")
    for told in await asyncio.gather(broken.rows(1), broken.rows(2), return_exceptions=True):
        assert isinstance(told, DBAPIError)


class Asker:
    """Somebody who waits for an answer."""

    async def asks(self, lookup: Lookup) -> None:
        """Asks, and has something to do with it."""
        await lookup.rows(1)


async def test_trouble_holds_nobody_who_asked(database: Database) -> None:
    broken = Lookup(database.direct, WRONG_KEYS, "key")

    async def ask() -> weakref.ref[Asker]:
        asker = Asker()
        with suppress(DBAPIError):
            await asker.asks(broken)
        return weakref.ref(asker)

    gc.collect()
    gc.disable()
    try:
        assert [each() for each in await asyncio.gather(ask(), ask())] == [None, None]
    finally:
        gc.enable()
