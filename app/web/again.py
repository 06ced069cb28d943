"""Playing again with the same people, and who is the host while the host is away."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.players.service import Player
from app.rooms.room import Room, RoomRefused
from app.web import api_models as models
from app.web.acts import answer_form
from app.web.answers import StrictJsonRoute, json_answer
from app.web.api import REFUSALS, Someone, TheHouse, TheRoom, gives
from app.web.doors import admit_rematch
from app.web.forms import Form
from app.web.house import House
from app.web.links import invite_url
from app.web.showing import shown
from app.web.visits import Visit

router = APIRouter()
_api = APIRouter(prefix="/api/rooms/{code}", route_class=StrictJsonRoute, responses=REFUSALS)


async def next_room(house: House, request: Request, room: Room, player: Player) -> Room:
    """Returns the one room where the people of `room` play again, made now if need be.

    Raises `RoomRefused`, `Problem` for too many rooms, `Unavailable`.
    """
    if not room.seats_of(player.id):
        raise RoomRefused("not_seated")
    table = await house.tables.get(room.id)
    if table is None or table.position.outcome is None:
        raise RoomRefused("not_over")
    # The mark follows the last entry a moment later; whether it is over, the game itself says.
    await house.rooms.finish(room.id, table.position.outcome)
    if room.next is None:
        admit_rematch(house, request)
    present = house.hub.presence.players(room)
    return await house.rooms.rematch(room.id, player, starts=table.starts, present=present)


@router.post("/r/{code}/rematch", include_in_schema=False)
async def press_rematch(request: Request) -> Response:
    """Leads to the room where the same people play again."""

    async def act(visit: Visit, room: Room, form: Form) -> str:  # noqa: ARG001 same shape for all
        following = await next_room(visit.house, request, room, visit.known())
        return f"/r/{following.code}"

    return await answer_form(request, act)


@router.post("/r/{code}/host", include_in_schema=False)
async def press_host(request: Request) -> Response:
    """Makes the visitor the host while the host is away."""

    async def act(visit: Visit, room: Room, form: Form) -> None:  # noqa: ARG001 same shape for all
        present = visit.house.hub.presence.players(room)
        await visit.house.rooms.take_over(room.id, visit.known(), present)

    return await answer_form(request, act)


@_api.post("/rematch", **gives(models.RematchMade))
async def rematch(
    request: Request,
    room: TheRoom,
    player: Someone,
    house: TheHouse,
    body: models.NewSeat | None = None,
) -> Response:
    """Opens the room where the same people play again, or finds it."""
    following = await next_room(house, request, room, player)
    if body is not None and body.hash is not None and following.seats_of(player.id):
        following, _seat = await house.rooms.sit(following.id, player, body.hash)
    seats: Final = following.seats_of(player.id)
    made: dict[str, Any] = {
        "code": following.code,
        "url": invite_url(request, following),
        "seat": seats[0] if seats else None,
    }
    return json_answer(made)


@_api.post("/host", **gives(models.RoomShown))
async def take_over(room: TheRoom, player: Someone, house: TheHouse) -> Response:
    """Makes me the host while the host is away."""
    changed = await house.rooms.take_over(room.id, player, house.hub.presence.players(room))
    return json_answer((await shown(house, changed, player))["room"])


@_api.post("/leave", **gives(models.RoomShown))
async def leave(room: TheRoom, player: Someone, house: TheHouse) -> Response:
    """Frees my seats; from the start on, passes on the host's rights and nothing else."""
    changed = await house.rooms.leave(room.id, player)
    return json_answer((await shown(house, changed, player))["room"])


router.include_router(_api)
