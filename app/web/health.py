"""Whether the house lives, and whether it should be sent people."""

from __future__ import annotations

import asyncio

import asyncpg
from fastapi import APIRouter
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from app.web.house import House, house_of

router = APIRouter(include_in_schema=False)

ANSWER_SECONDS = 2.0
_ONLY_READS = asyncpg.ReadOnlySQLTransactionError.sqlstate
# Locks nothing, but is refused wherever writing is. Being refused, the pool opens new connections:
# old ones might only read for ever, where the database writes again.
_WRITES = text("select from rooms where false for update")


@router.api_route("/healthz", methods=["GET", "HEAD"])
async def healthz() -> PlainTextResponse:
    """Says that the process answers."""
    return PlainTextResponse("alive\n")


@router.api_route("/readyz", methods=["GET", "HEAD"])
async def readyz(request: Request) -> PlainTextResponse:
    """Says whether games can be played: the database answers and writes, nobody stops us.

    Without the bus they can: what happens in other processes is then seen some seconds late.
    """
    house = house_of(request)
    if house.stopping:
        return PlainTextResponse("stopping\n", 503)
    trouble = await _trouble_of_database(house)
    if trouble is not None:
        return PlainTextResponse(f"{trouble}\n", 503)
    if not house.bus.connected:
        return PlainTextResponse("ready, but other processes are heard late: no NATS server\n")
    return PlainTextResponse("ready\n")


async def _trouble_of_database(house: House) -> str | None:
    try:
        async with asyncio.timeout(ANSWER_SECONDS), house.database.engine.connect() as connection:
            await connection.execute(_WRITES)
    except DBAPIError as error:
        only_reads = getattr(error.orig, "sqlstate", None) == _ONLY_READS
        return "the database only reads" if only_reads else "the database does not answer"
    except (SQLAlchemyError, OSError, TimeoutError):
        return "the database does not answer"
    return "the database has no room left on its disk" if house.journal.no_room else None
