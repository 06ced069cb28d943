"""The time for a move, chosen by the host before the start: the form in the lobby, and the API."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.rooms.room import Room
from app.web import api_models as models
from app.web.acts import answer_form
from app.web.answers import StrictJsonRoute, json_answer
from app.web.api import REFUSALS, Someone, TheHouse, TheRoom, gives
from app.web.forms import Form
from app.web.showing import shown
from app.web.visits import Visit

router = APIRouter()
_api = APIRouter(prefix="/api/rooms/{code}", route_class=StrictJsonRoute, responses=REFUSALS)


@router.post("/r/{code}/clock", include_in_schema=False)
async def choose(request: Request) -> Response:
    """Sets the time for a move for the host; `none` stands for no clock."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        none = form.get("clock") == "none"
        seconds = None if none else form.number("clock") or 0
        await visit.house.rooms.time(room.id, visit.known(), seconds)

    return await answer_form(request, act)


@_api.post("/clock", **gives(models.RoomShown))
async def time(room: TheRoom, body: models.Clock, player: Someone, house: TheHouse) -> Response:
    """Sets the time for a move for the host; null stands for no clock."""
    changed = await house.rooms.time(room.id, player, body.seconds)
    return json_answer((await shown(house, changed, player))["room"])


router.include_router(_api)
