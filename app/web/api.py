"""The HTTP API for programs: everything a page can do, without a socket if need be."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from app.play.table import Refusal
from app.players.service import Player
from app.realtime.deeds import deed
from app.rooms.room import Room
from app.web import api_models as models
from app.web.answers import StrictJsonRoute, json_answer
from app.web.doors import (
    admit_player,
    admit_replay,
    admit_room,
    require_player,
    room_named,
    seat_for,
    the_house,
    visitor,
)
from app.web.errors import Problem
from app.web.house import House
from app.web.labels import device_label
from app.web.links import invite_url
from app.web.player_models import NewPlayer, PlayerMade
from app.web.records import record_for
from app.web.showing import scene_of, shown

REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    "4XX": {
        "model": models.Wrong,
        "description": "Refused: `code` is stable, `message` for people.",
    },
    "503": {"model": models.Wrong, "description": "Try again; the same move id is safe."},
}

router = APIRouter(prefix="/api", route_class=StrictJsonRoute, responses=REFUSALS)

TheHouse = Annotated[House, Depends(the_house)]
Viewer = Annotated[Player | None, Depends(visitor)]
Someone = Annotated[Player, Depends(require_player)]
TheRoom = Annotated[Room, Depends(room_named)]
REPLAY: Final = [Depends(admit_replay)]


def gives(model: type, status: int = 200) -> dict[str, Any]:
    """Describes an answer that is written without passing through its model again."""
    return {"status_code": status, "responses": {status: {"model": model}}}


@router.post("/players", **gives(PlayerMade, 201))
async def new_player(request: Request, body: NewPlayer, house: TheHouse) -> Response:
    """Makes a guest."""
    admit_player(house, request)
    player, token = await house.players.create(body.name, device_label(request))
    return json_answer({"id": str(player.id), "token": token}, status=201)


@router.post("/rooms", **gives(models.RoomMade, 201))
async def new_room(
    request: Request, body: models.NewRoom, player: Someone, house: TheHouse
) -> Response:
    """Opens a room and seats its maker."""
    admit_room(house, request, body.key)
    room = await house.rooms.create(player, body.game, body.seats, body.options, clock=body.clock)
    if body.hash is not None:
        await house.rooms.sit(room.id, player, body.hash)
    return json_answer({"code": room.code, "url": invite_url(request, room)}, status=201)


@router.post("/rooms/{code}/seats", **gives(models.SeatTaken))
async def sit(
    room: TheRoom, player: Someone, house: TheHouse, body: models.WishedSeat | None = None
) -> Response:
    """Takes a free seat; who has one already keeps it, or takes one more under another name."""
    if body is not None and body.name is not None:
        _room, seat = await house.rooms.add(room.id, player, body.name)
    else:
        _room, seat = await house.rooms.sit(room.id, player, body.hash if body else None)
    return json_answer({"seat": seat})


@router.post("/rooms/{code}/start", **gives(models.RoomShown))
async def start(room: TheRoom, player: Someone, house: TheHouse) -> Response:
    """Starts the game, as the host."""
    started = await house.rooms.start(room.id, player)
    return json_answer((await shown(house, started, player))["room"])


@router.post("/rooms/{code}/reveal", **gives(models.RoomShown))
async def reveal(room: TheRoom, body: models.Reveal, player: Someone, house: TheHouse) -> Response:
    """Gives the share of the shuffle whose hash was given on sitting down."""
    revealed = await house.rooms.reveal(room.id, player, body.r)
    return json_answer((await shown(house, revealed, player))["room"])


@router.head("/rooms/{code}", include_in_schema=False)
@router.get("/rooms/{code}", **gives(models.RoomShown))
async def show_room(room: TheRoom, player: Viewer, house: TheHouse) -> Response:
    """Shows the room."""
    return json_answer((await shown(house, room, player))["room"])


@router.head("/rooms/{code}/view", include_in_schema=False)
@router.get("/rooms/{code}/view", **gives(models.Shown))
async def show_view(
    room: TheRoom, player: Viewer, house: TheHouse, seat: int | None = None
) -> Response:
    """Shows the game as I may see it, and the question to me."""
    return json_answer(await shown(house, room, player, seat=seat))


@router.post("/rooms/{code}/moves", **gives(models.Shown))
async def play(room: TheRoom, body: models.NewMoves, player: Someone, house: TheHouse) -> Response:
    """Plays moves without a socket, and shows what came of them."""
    table, seat = await seat_for(house, room, player, body.seat)
    answer = await table.play(seat, body.moves, move_id=body.id, prompt=body.prompt)
    if isinstance(answer, Refusal):
        raise Problem.of_refusal(answer, room.game)
    house.hub.arrivals.acted(room, player.id)
    return json_answer(await shown(house, room, player, seat=seat, ack=body.id))


@router.post("/rooms/{code}/deeds", **gives(models.Shown))
async def do(room: TheRoom, body: models.Deed, player: Someone, house: TheHouse) -> Response:
    """Takes back, gives up, agrees to end the game or plays on, and shows what came of it."""
    table, seat = await seat_for(house, room, player, body.seat)
    missing = partial(house.hub.presence.missing, room, table)
    answer = await deed(table, seat, body.what, move_id=body.id, of=body.of, missing=missing)
    if isinstance(answer, Refusal):
        raise Problem.of_refusal(answer, room.game)
    house.hub.arrivals.acted(room, player.id)
    return json_answer(await shown(house, room, player, seat=seat, ack=body.id))


@router.head("/rooms/{code}/record", include_in_schema=False, dependencies=REPLAY)
@router.get("/rooms/{code}/record", dependencies=REPLAY, **gives(dict[str, Any]))
async def record(
    room: TheRoom, player: Viewer, house: TheHouse, seat: int | None = None
) -> Response:
    """Gives the record: what I may know while the game runs, everything once it is over."""
    return json_answer(await record_for(house, await scene_of(house, room, player, seat=seat)))
