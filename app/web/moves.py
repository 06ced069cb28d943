"""Moves and other deeds as plain forms, for pages without a script."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.games.contract import Malformed
from app.play.table import Accepted, Answer, Refusal, Table
from app.rooms.room import Room, RoomRefused
from app.web.doors import room_of
from app.web.errors import Problem
from app.web.forms import Form, read_form
from app.web.lobby import REFUSALS
from app.web.visits import Visit

router = APIRouter(include_in_schema=False)

_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NOT_OF_THE_GAME: Final = ("id", "prompt", "seat")


@router.post("/r/{code}/move")
async def move(request: Request) -> Response:
    """Plays the move that the game's own fields mean."""
    visit = await Visit.of(request)
    room = await room_of(request)
    form = await read_form(request)
    try:
        table, seat = await _table(visit, room, form)
        answer = await _played(table, seat, form)
        _check(answer, room)
    except REFUSALS as refusal:
        return await visit.room_again(room, refusal)
    return visit.redirect(f"/r/{room.code}")


@router.post("/r/{code}/do")
async def do(request: Request) -> Response:
    """Takes back or concedes."""
    visit = await Visit.of(request)
    room = await room_of(request)
    form = await read_form(request)
    try:
        table, seat = await _table(visit, room, form)
        move_id = _id(form) or secrets.token_hex(8)
        match form.get("what"):
            case "undo":
                _check(await table.undo(seat, move_id=move_id), room)
            case "concede":
                _check(await table.concede(seat, move_id=move_id), room)
            case _:
                raise Problem("malformed")
    except REFUSALS as refusal:
        return await visit.room_again(room, refusal)
    return visit.redirect(f"/r/{room.code}")


async def _table(visit: Visit, room: Room, form: Form) -> tuple[Table, int]:
    """Returns the game and the visitor's seat in it. Raises `RoomRefused`, `Problem`."""
    if not visit.house.moves.allows(str(visit.known().id)):
        raise Problem("too_fast")
    seats = room.seats_of(visit.known().id)
    wished = form.number("seat")
    if not seats or (wished is not None and wished not in seats):
        raise RoomRefused("not_seated")
    table = await visit.house.tables.get(room.id)
    if table is None:
        raise RoomRefused("not_started")
    return table, seats[0] if wished is None else wished


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
    move_id = _id(form) or f"p{prompt}-{said}"
    return await table.play(seat, [data], move_id=move_id, prompt=prompt)


def _id(form: Form) -> str | None:
    given = form.get("id")
    return given if _ID.fullmatch(given) else None


def _check(answer: Answer, room: Room) -> None:
    if not isinstance(answer, Accepted):
        raise Problem.of_refusal(answer, room.game)
