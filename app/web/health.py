"""Whether the house lives, and whether it should be sent people."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from app.web.house import house_of

router = APIRouter(include_in_schema=False)


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
    trouble = await house.readiness.trouble()
    if trouble is not None:
        return PlainTextResponse(f"{trouble}\n", 503)
    if not house.bus.connected:
        return PlainTextResponse("ready, but other processes are heard late: no NATS server\n")
    return PlainTextResponse("ready\n")
