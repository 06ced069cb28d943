"""A player's devices for programs: listing them, adding one by a code, taking one away."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.players.service import Player
from app.web import player_models as models
from app.web.answers import StrictJsonRoute, json_answer
from app.web.api import REFUSALS, Someone, TheHouse, gives
from app.web.doors import admit_code, visitor
from app.web.errors import Problem
from app.web.house import House
from app.web.labels import device_label
from app.web.links import device_url

router = APIRouter(prefix="/api/devices", route_class=StrictJsonRoute, responses=REFUSALS)


async def redeemed(
    house: House, request: Request, known: Player | None, code: str, *, instead: bool
) -> tuple[Player, str] | None:
    """Makes the asking browser a device of the player whose code it is; returns its token.

    None: it is one of theirs already, and the code is as good as before. Whoever it acts for so
    far has to say that they want that (`instead`); their device is taken away then, as its token
    is gone with the old cookie. Raises `Problem`, `BadCode`.
    """
    admit_code(house, request)
    owner = await house.devices.owner(code)
    if known is not None and known.id == owner.id:
        return None
    if known is not None and not instead:
        raise Problem("other_player", {"name": owner.name})
    player, token = await house.devices.redeem(code, device_label(request))
    if known is not None and known.device is not None:
        await signed_out(house, known.id, known.device)
    return player, token


async def signed_out(house: House, player_id: UUID, device_id: UUID) -> bool:
    """Takes a device away from a player, and closes its sockets; says whether there was one."""
    if not await house.devices.revoke(player_id, device_id):
        return False
    house.hub.signed_out.add(device_id)
    # Which of the player's browsers that was is not known; the others tell of themselves again.
    await house.pushes.subscriptions.end_all(player_id)
    return True


@router.head("", include_in_schema=False)
@router.get("", **gives(models.MyDevices))
async def list_devices(player: Someone, house: TheHouse) -> Response:
    """Lists what acts for me."""
    devices = [
        {
            "id": str(device.id),
            "label": device.label,
            "created_at": device.created_at,
            "seen_at": device.seen_at,
            "this": device.id == player.device,
        }
        for device in await house.devices.of(player.id)
    ]
    return json_answer({"devices": devices})


@router.post("", **gives(models.DeviceMade, 201))
async def add_device(request: Request, body: models.NewDevice, house: TheHouse) -> Response:
    """Becomes a device of the player whose code it is."""
    known = await visitor(request)
    made = await redeemed(house, request, known, body.code, instead=body.instead)
    if made is None:
        raise Problem("same_player")
    player, token = made
    return json_answer({"id": str(player.id), "name": player.name, "token": token}, status=201)


@router.post("/codes", **gives(models.CodeMade, 201))
async def new_code(request: Request, player: Someone, house: TheHouse) -> Response:
    """Makes a code that adds one device to mine."""
    admit_code(house, request)
    code, ends = await house.devices.new_code(player)
    url = device_url(request, code)
    return json_answer({"code": code, "url": url, "expires_at": ends}, status=201)


@router.post("/{device}/revoke", **gives(models.MyDevices))
async def revoke(device: UUID, player: Someone, house: TheHouse) -> Response:
    """Takes a device away from me; its sockets close at once."""
    if not await signed_out(house, player.id, device):
        raise Problem("unknown_device")
    return await list_devices(player, house)
