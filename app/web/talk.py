"""The chat of a room: a page and a form without a script, and the same for programs."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from app.chat.lines import Line, checked_reaction, clean_text, mark_of
from app.chat.refused import ChatRefused
from app.players.service import Player
from app.realtime.talk import writer_of
from app.rooms.room import Room, RoomRefused
from app.web import api_models as models
from app.web.acts import REFUSALS as FORM_REFUSALS
from app.web.answers import StrictJsonRoute, json_answer
from app.web.api import REFUSALS, Someone, TheHouse, TheRoom, gives
from app.web.doors import room_of, visitor
from app.web.errors import Problem
from app.web.forms import Form, read_form
from app.web.house import House
from app.web.moves import form_id
from app.web.once import KEY_FIELD
from app.web.visits import Visit

router = APIRouter()
_api = APIRouter(prefix="/api/rooms/{code}", route_class=StrictJsonRoute, responses=REFUSALS)

Viewer = Annotated[Player | None, Depends(visitor)]
_TO_THE_TABLE: Final = "table"
"""What a form on the table's page says in `back`; its own page else shows the chat again."""


async def lines_for(
    house: House, room: Room, player: Player | None, after: UUID | None = None
) -> list[Line]:
    """Returns what `player` may read in the chat. Raises `RoomRefused`: not_watching."""
    if not room.may_look(player.id if player else None):
        raise RoomRefused("not_watching")
    return await house.chat.lines(room.id, after=after)


async def _say(
    house: House,
    room: Room,
    player: Player | None,
    *,
    text: str | None,
    what: str | None,
    message_id: str | None,
    seat: int | None,
) -> Line:
    """Writes a line, or a reaction where there is no text: whoever does that is there."""
    writer = writer_of(await house.hub.newest.sure(room), player.id if player else None, seat)
    if text is None:
        line = await house.chat.react(room.id, writer, what or "", message_id=message_id)
    else:
        line = await house.chat.say(room.id, writer, text, message_id=message_id)
    house.hub.arrivals.acted(room, writer.player_id)
    return line


@router.api_route("/r/{code}/chat", methods=["GET", "HEAD"], include_in_schema=False)
async def chat_page(request: Request) -> Response:
    """Shows the chat on a page of its own, which also works without a script."""
    visit = await Visit.of(request)
    return await _page(visit, await room_of(request))


@router.post("/r/{code}/chat", include_in_schema=False)
async def say_by_form(request: Request) -> Response:
    """Says something. Who has no name yet is made a player only where that helps."""
    form = await read_form(request)
    visit = await Visit.of(request)
    room = await room_of(request)
    what = form.get("what") or None
    text = None if what is not None else form.get("text")
    try:
        await _name_writer(visit, room, form, text, what)
        await _say(
            visit.house,
            room,
            visit.player,
            text=text,
            what=what,
            message_id=form_id(form),
            seat=_seat(visit, room, form),
        )
    except (*FORM_REFUSALS, ChatRefused) as refusal:
        return await _page(visit, room, Problem.of(refusal), text or "")
    table = form.get("back") == _TO_THE_TABLE
    return visit.redirect(f"/r/{room.code}" if table else f"/r/{room.code}/chat")


def _seat(visit: Visit, room: Room, form: Form) -> int | None:
    """Returns for which of several seats a form speaks; None: for the first one."""
    seat, hand = form.number("seat"), visit.hand.seat
    seats = room.seats_of(visit.player.id if visit.player else None)
    return hand if seat is None and hand in seats else seat


async def _name_writer(
    visit: Visit, room: Room, form: Form, text: str | None, what: str | None
) -> None:
    """Gives a watcher who may write here a name, once there is something to be said under it."""
    await visit.recall(form.get(KEY_FIELD))
    if visit.player is None and room.watchers_chat and room.may_look(None):
        checked_reaction(what) if what is not None else clean_text(text or "")
        await visit.named(form.get("name"), form.get(KEY_FIELD))


async def _page(
    visit: Visit, room: Room, problem: Problem | None = None, text: str = ""
) -> Response:
    player_id = visit.player.id if visit.player else None
    room = await visit.house.hub.newest.sure(room)
    if not room.may_look(player_id):
        return visit.closed(room)
    seats = room.seats_of(player_id)
    return visit.draw(
        "chat",
        problem,
        room=room,
        game=visit.house.games[room.game].meta,
        lines=await visit.house.chat.lines(room.id),
        may_write=bool(seats) or room.watchers_chat,
        speakers=seats,
        plain=room.names,
        me=visit.hand.seat,
        own_mark=mark_of(player_id) if player_id else None,
        text=text,
    )


@_api.head("/chat", include_in_schema=False)
@_api.get("/chat", **gives(models.LinesShown))
async def show_lines(
    room: TheRoom, player: Viewer, house: TheHouse, after: UUID | None = None
) -> Response:
    """Shows what was said, oldest first; only what came after a line, if that is named."""
    lines = await lines_for(house, room, player, after)
    return json_answer({"lines": [line.wire() for line in lines]})


@_api.post("/chat", **gives(models.LineShown))
async def say(room: TheRoom, body: models.NewLine, player: Someone, house: TheHouse) -> Response:
    """Says something: a line of `text`, or one of the reactions."""
    line = await _say(
        house, room, player, text=body.text, what=body.what, message_id=body.id, seat=body.seat
    )
    return json_answer(line.wire())


router.include_router(_api)
