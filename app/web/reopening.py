"""A new link for the seat of a friend who has lost their way back, and taking it over."""

from __future__ import annotations

from secrets import token_hex

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from app.play.answers import Accepted, Answer, Refusal
from app.play.position import Position, Refused
from app.players.service import Player
from app.rooms.reopening import opened_by
from app.rooms.room import Room, RoomRefused
from app.web import api_models as models
from app.web.acts import REFUSALS as REFUSED
from app.web.acts import answer_form
from app.web.answers import StrictJsonRoute, json_answer
from app.web.api import REFUSALS, Someone, TheHouse, TheRoom, gives
from app.web.doors import admit_code, room_of
from app.web.errors import Problem
from app.web.forms import Form, read_form
from app.web.house import House
from app.web.links import qr_svg, seat_url
from app.web.once import KEY_FIELD
from app.web.visits import Visit

router = APIRouter()
_api = APIRouter(prefix="/api/rooms/{code}", route_class=StrictJsonRoute, responses=REFUSALS)


async def opened(house: House, request: Request, room: Room, by: Player, seat: int) -> str:
    """Opens a seat for the host, tells everybody, and returns the secret of its link.

    Raises `RoomRefused`, `Problem`, `Unavailable`.
    """
    admit_code(house, request)
    presence = house.hub.presence
    changed, secret = await house.rooms.reopen(room.id, by, seat, presence.long_away(room))
    told, back, answer = False, False, None
    try:
        answer = await _tell_opened(house, changed, changed.seats_of(by.id)[0], seat)
        # A second link for the same seat needs no second entry.
        told = isinstance(answer, Accepted) or answer.code == "already_handed"
    finally:
        # Its player may have come since it was found that they have long been away.
        back = seat in presence.seats(changed)
        if back or not told:
            await house.rooms.close_links(room.id, (seat,))
    if back:
        raise RoomRefused("not_long_away")
    if isinstance(answer, Refusal) and not told:
        raise Problem.of_refusal(answer, room.game)
    return secret


async def _tell_opened(house: House, room: Room, by: int, seat: int) -> Answer:
    """Has the log tell that a seat was opened, unless its player is there."""
    table = await house.tables.get(room.id)
    if table is None:
        raise RoomRefused("not_started")

    def check(_: Position) -> None:
        if seat in house.hub.presence.seats(room):
            raise Refused("not_away")

    move_id = f"open-{token_hex(8)}"
    return await table.hand(seat, "open", by=by, move_id=move_id, check=check)


async def taken(house: House, room: Room, player: Player, secret: str) -> int:
    """Gives a player the seat that a secret opens, tells everybody, and returns it.

    Raises `RoomRefused`, `Unavailable`.
    """
    table = await house.tables.get(room.id)
    if table is not None and table.over:
        # The room is marked a moment later; whether it is over, the game itself says.
        raise RoomRefused("game_over")
    presence = house.hub.presence
    changed = await house.rooms.claim(room.id, player, secret, lambda: presence.players(room))
    (seat,) = changed.seats_of(player.id)
    if table is not None:
        # Where this fails, coming to the table will say it again: the seat is theirs already.
        await table.hand(seat, "player", by=None, move_id=f"take-{token_hex(8)}")
    return seat


@router.post("/r/{code}/reopen", include_in_schema=False)
async def press_reopen(request: Request) -> Response:
    """Opens a seat for the host, and shows its link: to him, this once."""
    form = await read_form(request)
    visit = await Visit.of(request)
    room = await room_of(request)
    seat = form.number("seat")
    try:
        secret = await opened(
            visit.house, request, room, visit.known(), -1 if seat is None else seat
        )
    except REFUSED as refusal:
        return await visit.room_again(room, refusal, form)
    person = room.at(-1 if seat is None else seat)
    url = seat_url(request, room, secret)
    return visit.draw(
        "reopened",
        room=room,
        whose="" if person is None else person.name,
        url=url,
        qr=Markup(qr_svg(url).decode()),  # noqa: S704 our own drawing
    )


@router.post("/r/{code}/take", include_in_schema=False)
async def press_take(request: Request) -> Response:
    """Takes an open seat over. Who has no name yet is made a player only for a right code."""

    async def act(visit: Visit, room: Room, form: Form) -> None:
        admit_code(visit.house, request)
        key, secret = form.get(KEY_FIELD), form.get("secret")
        await visit.recall(key)
        if visit.player is None:
            opened_by(room, secret)
        player = await visit.named(form.get("name"), key)
        await taken(visit.house, room, player, secret)

    return await answer_form(request, act)


@_api.post("/reopen", **gives(models.SeatOpened))
async def reopen(
    request: Request, room: TheRoom, body: models.OpenSeat, player: Someone, house: TheHouse
) -> Response:
    """Opens the seat of somebody who has long been away, as the host."""
    secret = await opened(house, request, room, player, body.seat)
    return json_answer({"secret": secret, "url": seat_url(request, room, secret)})


@_api.post("/take", **gives(models.SeatTaken))
async def take(
    request: Request, room: TheRoom, body: models.TakeSeat, player: Someone, house: TheHouse
) -> Response:
    """Takes over the seat that a secret opens."""
    admit_code(house, request)
    return json_answer({"seat": await taken(house, room, player, body.secret)})


router.include_router(_api)
