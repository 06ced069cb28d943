"""Who may watch a table, and whether those may write in its chat: the host's form, and the API."""

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


@router.post("/r/{code}/watching", include_in_schema=False)
async def choose(request: Request) -> Response:
    """Says for the host who may watch and write: a box that is not ticked is not sent."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        await visit.house.rooms.watch(
            room.id,
            visit.known(),
            watching=bool(form.get("watching")),
            watchers_chat=bool(form.get("watchers_chat")),
        )

    return await answer_form(request, act)


@_api.post("/watching", **gives(models.RoomShown))
async def watch(room: TheRoom, body: models.Watching, player: Someone, house: TheHouse) -> Response:
    """Says for the host who may watch and write."""
    changed = await house.rooms.watch(
        room.id, player, watching=body.watching, watchers_chat=body.watchers_chat
    )
    return json_answer((await shown(house, changed, player))["room"])


router.include_router(_api)
