"""One plain form of a room: it does something and leads back to the room, or says why not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from app.players.names import BadName
from app.rooms.room import Room, RoomRefused
from app.web.doors import room_of
from app.web.errors import Problem
from app.web.forms import Form, read_form
from app.web.visits import Visit

REFUSALS: Final = (Problem, RoomRefused, BadName)
Act = Callable[[Visit, Room, Form], Awaitable[str | None]]
"""Does it; returns the path to look at then, None for the room's own."""


async def answer_form(request: Request, act: Act) -> Response:
    """Does what one form of a room asks.

    What `act` refuses, by one of `REFUSALS`, is said on the room's page.
    """
    # A form may take its time to arrive: who sends it, and the room, are as they are after that.
    form = await read_form(request)
    visit = await Visit.of(request)
    room = await room_of(request)
    try:
        path = await act(visit, room, form)
    except REFUSALS as refusal:
        return await visit.room_again(room, refusal, form)
    return visit.redirect(path or f"/r/{room.code}")
