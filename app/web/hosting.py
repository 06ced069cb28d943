"""What the host of a room changes before the start, for programs; pages have forms in the lobby."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from app.web import api_models as models
from app.web.answers import StrictJsonRoute, json_answer
from app.web.api import REFUSALS, Someone, TheHouse, TheRoom, gives
from app.web.showing import shown

Seat: TypeAlias = Annotated[int, Field(ge=0, le=100)]

router = APIRouter(prefix="/api/rooms/{code}", route_class=StrictJsonRoute, responses=REFUSALS)


class Options(models.Body):
    """How many seats there are, and the game's options."""

    seats: int | None = Field(None, description="Number of seats; as it is if left out.")
    options: dict[str, bool | int | str] = Field(
        default_factory=dict, max_length=40, description="Those not named stay as they are."
    )


class Freed(models.Body):
    """The seat that is to be free."""

    seat: Seat


class Order(models.Body):
    """Who sits where."""

    order: list[Seat] = Field(
        max_length=100, description="For each seat, the seat of whoever shall sit there."
    )


@router.post("/options", **gives(models.RoomShown))
async def configure(room: TheRoom, body: Options, player: Someone, house: TheHouse) -> Response:
    """Changes the number of seats and the options, as the host."""
    changed = await house.rooms.configure(room.id, player, body.seats, body.options)
    return json_answer((await shown(house, changed, player))["room"])


@router.post("/remove", **gives(models.RoomShown))
async def remove(room: TheRoom, body: Freed, player: Someone, house: TheHouse) -> Response:
    """Frees another's seat, as the host, or one of several of mine."""
    changed = await house.rooms.remove(room.id, player, body.seat)
    return json_answer((await shown(house, changed, player))["room"])


@router.post("/order", **gives(models.RoomShown))
async def reorder(room: TheRoom, body: Order, player: Someone, house: TheHouse) -> Response:
    """Puts people on other seats, as the host."""
    changed = await house.rooms.reorder(room.id, player, body.order)
    return json_answer((await shown(house, changed, player))["room"])
