"""Whether the house lives, and whether it should be sent people."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from app.web.house import House, house_of

router = APIRouter(include_in_schema=False)

ANSWER_SECONDS = 2.0


@router.api_route("/healthz", methods=["GET", "HEAD"])
async def healthz() -> PlainTextResponse:
    """Says that the process answers."""
    return PlainTextResponse("alive\n")


@router.api_route("/readyz", methods=["GET", "HEAD"])
async def readyz(request: Request) -> PlainTextResponse:
    """Says whether games can be played: the database answers and nobody stops the house.

    Without the bus they can: what happens in other processes is then seen some seconds late.
    """
    house = house_of(request)
    if house.stopping:
        return PlainTextResponse("stopping\n", 503)
    if not await _database_answers(house):
        return PlainTextResponse("the database does not answer\n", 503)
    if not house.bus.connected:
        return PlainTextResponse("ready, but other processes are heard late: no NATS server\n")
    return PlainTextResponse("ready\n")


async def _database_answers(house: House) -> bool:
    try:
        async with asyncio.timeout(ANSWER_SECONDS), house.database.engine.connect() as connection:
            await connection.execute(text("select 1"))
    except (SQLAlchemyError, OSError, TimeoutError):
        return False
    return True
