"""Who may come in: the checks that pages and the API share."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from starlette.requests import HTTPConnection, Request

from app.play.table import Table
from app.players.service import Player
from app.rooms.room import Room, RoomRefused
from app.web.errors import Problem
from app.web.house import House, house_of
from app.web.house_key import knows_key
from app.web.limits import Rate, address_key
from app.web.security import bearer, identify


async def the_house(request: Request) -> House:
    """Returns the house. FastAPI calls functions that are not async in a thread of their own."""
    return house_of(request)


async def visitor(request: HTTPConnection) -> Player | None:
    """Returns who is asking, None for a stranger. Raises `Problem` for a token of nobody."""
    player = await identify(request)
    if player is None and bearer(request.scope) is not None:
        raise Problem("sign_in")
    return player


async def require_player(request: Request) -> Player:
    """Returns who is asking. Raises `Problem` for a stranger."""
    player = await identify(request)
    if player is None:
        raise Problem("sign_in")
    return player


async def room_of(request: Request) -> Room:
    """Returns the room that the address names. Raises `RoomRefused` if there is none."""
    return await house_of(request).rooms.by_code(request.path_params["code"])


async def room_named(
    request: Request, code: Annotated[str, Path(description="The code of the room.")]
) -> Room:
    """Returns the room of a code that the API describes. Raises `RoomRefused` if there is none."""
    return await house_of(request).rooms.by_code(code)


def admit_player(house: House, request: Request) -> None:
    """Counts a new guest. Raises `Problem` when this address has made too many."""
    if house.stopping:
        raise Problem("try_again")
    _count(house.new_players, address_key(request.scope))


def admit_room(house: House, request: Request, key: str | None) -> None:
    """Counts a new room, or a try: nobody guesses keys without end.

    Raises `Problem` for a wrong house key or too many rooms.
    """
    if house.stopping:
        raise Problem("try_again")
    _count(house.new_rooms, address_key(request.scope))
    if not knows_key(request, key):
        raise Problem("wrong_key")


def admit_rematch(house: House, request: Request) -> None:
    """Counts a room where people play again; who has played here needs no key for that.

    Raises `Problem` for too many rooms.
    """
    if house.stopping:
        raise Problem("try_again")
    _count(house.new_rooms, address_key(request.scope))


def admit_code(house: House, request: Request) -> None:
    """Counts a code that is made or tried. Raises `Problem` for too many from one address."""
    _count(house.codes, address_key(request.scope))


async def admit_replay(request: Request) -> None:
    """Counts a look at what a whole game is played again for. Raises `Problem` for too many."""
    _count(house_of(request).replays, address_key(request.scope))


def admit_change(house: House, player: Player) -> None:
    """Counts a change that a player makes outside of games. Raises `Problem` for too many."""
    _count(house.moves, str(player.id))


async def seat_for(
    house: House, room: Room, player: Player, wished: int | None
) -> tuple[Table, int]:
    """Counts a move, and returns the game and the seat it is for: `wished` or the first one.

    Raises `Problem` for too many moves, `RoomRefused` where there is no such seat or no game yet.
    """
    _count(house.moves, str(player.id))
    _held(room, player, wished)
    table = await house.tables.get(room.id)
    if table is None:
        raise RoomRefused("not_started")
    # Somebody may have taken the seat over meanwhile.
    return table, _held(await house.hub.newest.sure(room), player, wished)


def _held(room: Room, player: Player, wished: int | None) -> int:
    seats = room.seats_of(player.id)
    if not seats or (wished is not None and wished not in seats):
        raise RoomRefused("not_seated", yours=list(seats))
    return seats[0] if wished is None else wished


def _count(rate: Rate, key: str) -> None:
    seconds = rate.wait(key)
    if seconds:
        raise Problem("too_fast", seconds=seconds)
