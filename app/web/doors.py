"""Who may come in: the checks that pages and the API share."""

from __future__ import annotations

import hmac

from starlette.requests import Request

from app.players.service import Player
from app.rooms.room import Room
from app.web.errors import Problem
from app.web.house import House, house_of
from app.web.limits import address_key
from app.web.security import identify


async def the_house(request: Request) -> House:
    """Returns the house. FastAPI calls functions that are not async in a thread of their own."""
    return house_of(request)


async def require_player(request: Request) -> Player:
    """Returns who is asking. Raises `Problem` for a stranger."""
    player = await identify(request)
    if player is None:
        raise Problem("sign_in")
    return player


async def room_of(request: Request) -> Room:
    """Returns the room that the address names. Raises `RoomRefused` if there is none."""
    return await house_of(request).rooms.by_code(request.path_params["code"])


def admit_player(house: House, request: Request) -> None:
    """Counts a new guest. Raises `Problem` when this address has made too many."""
    if house.stopping:
        raise Problem("try_again")
    if not house.new_players.allows(address_key(request.scope)):
        raise Problem("too_fast")


def admit_room(house: House, request: Request, key: str | None) -> None:
    """Counts a new room. Raises `Problem` for a wrong house key or too many rooms."""
    if house.stopping:
        raise Problem("try_again")
    wanted = house.settings.house_key
    if wanted is not None:
        given = (key or "").encode("utf-8", "replace")
        if not hmac.compare_digest(given, wanted.get_secret_value().encode()):
            raise Problem("wrong_key")
    if not house.new_rooms.allows(address_key(request.scope)):
        raise Problem("too_fast")
