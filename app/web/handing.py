"""People who share a device: adding one to the table, and handing the device over."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.realtime.hands import COVERED, Hand
from app.rooms.room import Room, RoomRefused
from app.web.acts import answer_form
from app.web.forms import Form
from app.web.visits import Visit

router = APIRouter(include_in_schema=False)


@router.post("/r/{code}/add")
async def add(request: Request) -> Response:
    """Seats somebody who plays on the visitor's device."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        await visit.house.rooms.add(room.id, visit.known(), form.get("called"))

    return await answer_form(request, act)


@router.post("/r/{code}/seat")
async def take(request: Request) -> Response:
    """Shows one of the visitor's seats, as whoever sits there says, or covers the page."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        seat = form.number("seat")
        seats = room.seats_of(visit.known().id)
        if seat is not None and seat not in seats:
            raise RoomRefused("not_seated", yours=list(seats))
        table = await visit.house.tables.get(room.id)
        hand = COVERED if seat is None or table is None else Hand(seat, table.v)
        visit.hands_over(room, hand)

    return await answer_form(request, act)
