"""The forms of a room before its game: open one, sit down, leave, arrange, start.

Each is a plain form: it answers 303 to the page to look at, or draws the page again with a
sentence that says why nothing changed.
"""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.games.contract import Json, Meta
from app.rooms.options import options_from_text
from app.rooms.room import Room, RoomRefused
from app.web.acts import REFUSALS, answer_form
from app.web.doors import admit_room
from app.web.errors import Problem
from app.web.forms import Form, read_form
from app.web.house_key import knows_key, remember_key
from app.web.once import KEY_FIELD
from app.web.visits import Visit

router = APIRouter(include_in_schema=False)

OPTION: Final = "option."
_MOST_ORDER: Final = 100


@router.api_route("/new/{game}", methods=["GET", "HEAD"])
async def new_room(request: Request, game: str) -> Response:
    """Shows the form of a new room, filled in with what the address wishes for."""
    visit = await Visit.of(request)
    wished = {key: value for key, value in request.query_params.items() if _is_choice(key)}
    return _new_page(visit, game, wished, None)


@router.post("/new/{game}")
async def open_room(request: Request, game: str) -> Response:
    """Opens a room and seats the one who asked."""
    form = await read_form(request)
    visit = await Visit.of(request)
    if game not in visit.house.games:
        raise RoomRefused("unknown_game")
    meta = visit.house.games[game].meta
    key = form.get(KEY_FIELD)
    try:
        seats, options = _chosen(form, meta)

        async def create() -> Room:
            admit_room(visit.house, request, form.get("key"))
            player = await visit.named(form.get("name"), key)
            return await visit.house.rooms.create(player, game, seats, options)

        room = await visit.house.openings.made(key, create, said=repr((game, form.fields)))
        await visit.recall(key)
    except REFUSALS as refusal:
        return _new_page(visit, game, dict(form.fields), Problem.of(refusal))
    response = visit.redirect(f"/r/{room.code}")
    remember_key(request, response)
    return response


def _is_choice(field: str) -> bool:
    return field == "seats" or field.startswith(OPTION)


def _chosen(form: Form, meta: Meta) -> tuple[int | None, dict[str, Json]]:
    """Reads the number of seats, None if it was left out, and the options. Raises `RoomRefused`."""
    seats = form.number("seats") or 0 if form.get("seats") else None
    return seats, options_from_text(meta, form.starting(OPTION))


def _new_page(visit: Visit, game: str, values: dict[str, str], problem: Problem | None) -> Response:
    if game not in visit.house.games:
        raise RoomRefused("unknown_game")
    return visit.draw(
        "new",
        problem,
        game=visit.house.games[game].meta,
        values=values,
        house_key=not knows_key(visit.request),
    )


@router.post("/r/{code}/sit")
async def sit(request: Request) -> Response:
    """Seats the visitor. Who has no name yet is made a player only while there is a seat."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        await visit.recall(form.get(KEY_FIELD))
        if visit.player is None:
            if room.status != "open":
                raise RoomRefused("started")
            if room.free_seat() is None:
                raise RoomRefused("full", seats=room.seats)
        player = await visit.named(form.get("name"), form.get(KEY_FIELD))
        await visit.house.rooms.sit(room.id, player, form.get("hash") or None)

    return await answer_form(request, act)


@router.post("/r/{code}/leave")
async def leave(request: Request) -> Response:
    """Frees the visitor's seats; from the start on, a host's rights pass on and the seat stays."""

    async def act(visit: Visit, room: Room, form: Form) -> str | None:  # noqa: ARG001 same shape
        left = await visit.house.rooms.leave(room.id, visit.known())
        return None if left.status == "open" else "/games"

    return await answer_form(request, act)


@router.post("/r/{code}/remove")
async def remove(request: Request) -> Response:
    """Frees another's seat, for the host."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        seat = form.number("seat")
        await visit.house.rooms.remove(room.id, visit.known(), -1 if seat is None else seat)

    return await answer_form(request, act)


@router.post("/r/{code}/order")
async def reorder(request: Request) -> Response:
    """Puts people on other seats, for the host: `order` names the old seats in the new order."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        listed = form.get("order")[:_MOST_ORDER].split(",")
        numbers = [int(each) if each.strip().isdecimal() else -1 for each in listed]
        await visit.house.rooms.reorder(room.id, visit.known(), numbers)

    return await answer_form(request, act)


@router.post("/r/{code}/options")
async def configure(request: Request) -> Response:
    """Changes the number of seats and the options, for the host."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        seats, options = _chosen(form, visit.house.games[room.game].meta)
        await visit.house.rooms.configure(room.id, visit.known(), seats, options)

    return await answer_form(request, act)


@router.post("/r/{code}/start")
async def start(request: Request) -> Response:
    """Starts the game, for the host."""

    async def act(visit: Visit, room: Room, form: Form) -> None:  # noqa: ARG001 same shape for all
        await visit.house.rooms.start(room.id, visit.known())

    return await answer_form(request, act)


@router.post("/r/{code}/reveal")
async def reveal(request: Request) -> Response:
    """Takes the visitor's share of the shuffle."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        await visit.house.rooms.reveal(room.id, visit.known(), form.get("r"))

    return await answer_form(request, act)
