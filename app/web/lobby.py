"""The forms of a room before its game: open one, sit down, leave, arrange, start.

Each is a plain form: it answers 303 to the page to look at, or draws the page again with a
sentence that says why nothing changed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.players.names import BadName
from app.rooms.options import options_from_text
from app.rooms.room import Room, RoomRefused
from app.web.doors import admit_room, room_of
from app.web.errors import Problem
from app.web.forms import Form, read_form
from app.web.visits import Visit

router = APIRouter(include_in_schema=False)

OPTION: Final = "option."
REFUSALS: Final = (Problem, RoomRefused, BadName)
_MOST_ORDER: Final = 100


@router.api_route("/new/{game}", methods=["GET", "HEAD"])
async def new_room(request: Request, game: str) -> Response:
    """Shows the form of a new room."""
    visit = await Visit.of(request)
    return _new_page(visit, game, {}, None)


@router.post("/new/{game}")
async def open_room(request: Request, game: str) -> Response:
    """Opens a room and seats the one who asked."""
    visit = await Visit.of(request)
    form = await read_form(request)
    if game not in visit.house.games:
        raise RoomRefused("unknown_game")
    meta = visit.house.games[game].meta
    try:
        seats = form.number("seats") or 0 if form.get("seats") else None
        options = options_from_text(meta, form.starting(OPTION))
        admit_room(visit.house, request, form.get("key"))
        player = await visit.named(form.get("name"))
        room = await visit.house.rooms.create(player, game, seats, options)
    except REFUSALS as refusal:
        return _new_page(visit, game, dict(form.fields), Problem.of(refusal))
    return visit.redirect(f"/r/{room.code}")


def _new_page(visit: Visit, game: str, values: dict[str, str], problem: Problem | None) -> Response:
    if game not in visit.house.games:
        raise RoomRefused("unknown_game")
    return visit.draw(
        "new",
        problem,
        game=visit.house.games[game].meta,
        values=values,
        house_key=visit.house.settings.house_key is not None,
    )


Act = Callable[[Visit, Room, Form], Awaitable[object]]


async def _do(request: Request, act: Act) -> Response:
    """Runs one form of a room."""
    visit = await Visit.of(request)
    room = await room_of(request)
    form = await read_form(request)
    try:
        await act(visit, room, form)
    except REFUSALS as refusal:
        return await visit.room_again(room, refusal)
    return visit.redirect(f"/r/{room.code}")


@router.post("/r/{code}/sit")
async def sit(request: Request) -> Response:
    """Seats the visitor. Who has no name yet is made a player only while there is a seat."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        if visit.player is None:
            if room.status != "open":
                raise RoomRefused("started")
            if room.free_seat() is None:
                raise RoomRefused("full", seats=room.seats)
        player = await visit.named(form.get("name"))
        await visit.house.rooms.sit(room.id, player, form.get("hash") or None)

    return await _do(request, act)


@router.post("/r/{code}/leave")
async def leave(request: Request) -> Response:
    """Frees the visitor's seats."""

    async def act(visit: Visit, room: Room, form: Form) -> None:  # noqa: ARG001 same shape for all
        await visit.house.rooms.leave(room.id, visit.known())

    return await _do(request, act)


@router.post("/r/{code}/remove")
async def remove(request: Request) -> Response:
    """Frees another's seat, for the host."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        seat = form.number("seat")
        await visit.house.rooms.remove(room.id, visit.known(), -1 if seat is None else seat)

    return await _do(request, act)


@router.post("/r/{code}/order")
async def reorder(request: Request) -> Response:
    """Puts people on other seats, for the host: `order` names the old seats in the new order."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        listed = form.get("order")[:_MOST_ORDER].split(",")
        numbers = [int(each) if each.strip().isdecimal() else -1 for each in listed]
        await visit.house.rooms.reorder(room.id, visit.known(), numbers)

    return await _do(request, act)


@router.post("/r/{code}/options")
async def configure(request: Request) -> Response:
    """Changes the number of seats and the options, for the host."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        meta = visit.house.games[room.game].meta
        seats = form.number("seats") or 0 if form.get("seats") else None
        options = options_from_text(meta, form.starting(OPTION))
        await visit.house.rooms.configure(room.id, visit.known(), seats, options)

    return await _do(request, act)


@router.post("/r/{code}/start")
async def start(request: Request) -> Response:
    """Starts the game, for the host."""

    async def act(visit: Visit, room: Room, form: Form) -> None:  # noqa: ARG001 same shape for all
        await visit.house.rooms.start(room.id, visit.known())

    return await _do(request, act)


@router.post("/r/{code}/reveal")
async def reveal(request: Request) -> Response:
    """Takes the visitor's share of the shuffle."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        await visit.house.rooms.reveal(room.id, visit.known(), form.get("r"))

    return await _do(request, act)
