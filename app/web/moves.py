"""Moves and other deeds as plain forms, for pages without a script."""

from __future__ import annotations

import hashlib
import re
import secrets
from functools import partial
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.games.contract import Malformed
from app.play.table import Accepted, Answer, Refusal, Table
from app.realtime.deeds import deed
from app.realtime.protocol import MOVE_ID
from app.rooms.room import Room
from app.web.acts import answer_form
from app.web.doors import seat_for
from app.web.errors import Problem
from app.web.forms import Form
from app.web.visits import Visit

router = APIRouter(include_in_schema=False)

_NOT_OF_THE_GAME: Final = ("id", "prompt", "seat")


@router.post("/r/{code}/move")
async def move(request: Request) -> Response:
    """Plays the move that the game's own fields mean."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        table, seat = await seat_for(visit.house, room, visit.known(), visit.seat(room, form))
        _check(visit, await _played(table, seat, form), room)

    return await answer_form(request, act)


@router.post("/r/{code}/do")
async def do(request: Request) -> Response:
    """Takes back, concedes, or agrees to end the game."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        table, seat = await seat_for(visit.house, room, visit.known(), visit.seat(room, form))
        move_id = form_id(form) or secrets.token_hex(8)
        missing = partial(visit.house.hub.presence.missing, room, table)
        what, of = form.get("what"), form.number("of")
        answer = await deed(table, seat, what, move_id=move_id, of=of, missing=missing)
        _check(visit, answer, room)

    return await answer_form(request, act)


async def _played(table: Table, seat: int, form: Form) -> Answer:
    prompt = form.number("prompt")
    if prompt is None:
        return Refusal("malformed", {"detail": "expected the number of a prompt"})
    fields = form.without(*_NOT_OF_THE_GAME)
    try:
        data = table.game.from_form(fields)
    except Malformed as malformed:
        return Refusal("malformed", {"detail": str(malformed)})
    # A form pressed twice is one move: without an id of its own it is named by what it says.
    said = hashlib.sha256(repr(fields).encode()).hexdigest()[:16]
    move_id = form_id(form) or f"p{prompt}-{said}"
    return await table.play(seat, [data], move_id=move_id, prompt=prompt)


def form_id(form: Form) -> str | None:
    """Returns the id that a form gave itself, if it is one."""
    given = form.get("id")
    return given if re.fullmatch(MOVE_ID, given) else None


def _check(visit: Visit, answer: Answer, room: Room) -> None:
    if not isinstance(answer, Accepted):
        raise Problem.of_refusal(answer, room.game)
    visit.house.hub.arrivals.acted(room, visit.known().id)
