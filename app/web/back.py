"""Looking back at a game: as a page, as steps for its script, and as data for programs."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from app.realtime.kept import NOTHING
from app.realtime.looking import Past, past
from app.realtime.scene import Scene
from app.rooms.room import RoomRefused
from app.web import api_models as models
from app.web.answers import StrictJsonRoute, json_answer
from app.web.api import REFUSALS, REPLAY, TheHouse, TheRoom, Viewer, gives
from app.web.doors import room_of
from app.web.house import House
from app.web.pages import LOOK
from app.web.showing import scene_of
from app.web.visits import Visit

router = APIRouter()
_api = APIRouter(prefix="/api/rooms/{code}", route_class=StrictJsonRoute, responses=REFUSALS)

MOST_STEPS: Final = 300
"""Steps in one answer, the newest ones of those that were asked for."""
DRAWN_AT_ONCE: Final = 8
"""Steps drawn before others get their turn on the loop."""
EVERYBODY: Final = "all"
"""What stands in an address for the view of a spectator."""
_MOST_DIGITS: Final = 9


@router.api_route("/r/{code}/back", methods=LOOK, dependencies=REPLAY, include_in_schema=False)
async def page(request: Request) -> Response:
    """Shows one step, with links to the others; once the game is over also as others saw it."""
    visit = await Visit.of(request)
    found = await room_of(request)
    scene = await visit.scene(found)
    if scene.view is None:
        return visit.redirect(f"/r/{found.code}")
    seen = await _past(visit.house, scene, request.query_params.get("as"))
    at = _number(request.query_params.get("at"))
    index = len(seen.looks) - 1 if at is None else seen.at(at)
    html = visit.house.renderer.back_page(
        scene.room,
        seen,
        index,
        visit.lang,
        own=scene.seat,
        player=visit.player,
        frame=visit.house.frame(),
    )
    return visit.page(html)


@router.api_route("/r/{code}/steps", methods=LOOK, dependencies=REPLAY, include_in_schema=False)
async def steps(request: Request) -> Response:
    """Gives the steps up to one as regions, of all but the first one those that differ."""
    visit = await Visit.of(request)
    scene = await visit.scene(await room_of(request))
    if scene.view is None:
        raise RoomRefused("not_started")
    seen = await _past(visit.house, scene, request.query_params.get("as"))
    first, end = _part(seen, _number(request.query_params.get("until")))
    shown = NOTHING
    drawn: list[dict[str, Any]] = []
    for index in range(first, end):
        if index % DRAWN_AT_ONCE == 0:
            await asyncio.sleep(0)
        said, changed, shown = visit.house.renderer.step(scene.room, seen, index, visit.lang, shown)
        drawn.append({"seq": seen.looks[index].seq, "said": said, "regions": changed})
    counted = {"more": first > 0, "index": first, "total": len(seen.looks)}
    return json_answer({**_frame(seen), **counted, "steps": drawn})


@_api.head("/steps", include_in_schema=False, dependencies=REPLAY)
@_api.get("/steps", dependencies=REPLAY, **gives(models.Steps))
async def data(
    room: TheRoom,
    player: Viewer,
    house: TheHouse,
    seat: int | None = None,
    until: Annotated[int | None, Query(ge=0)] = None,
) -> Response:
    """Gives the steps up to one as data: what I saw; once the game is over what `seat` saw."""
    scene = await scene_of(house, room, player, seat=seat)
    if scene.view is None:
        raise RoomRefused("not_started")
    seen = await _past(house, scene, None if seat is None else str(seat))
    first, end = _part(seen, until)
    drawn = [look.wire() for look in seen.looks[first:end]]
    return json_answer({**_frame(seen), "more": first > 0, "steps": drawn})


async def _past(house: House, scene: Scene, wished: str | None) -> Past:
    """Returns what the viewer of a scene may look at; of a game that is over, as `wished` saw it.

    Whether it is over is asked of the entries that are shown, not of the scene. Raises
    `RoomRefused` where the viewer lost what they saw it by meanwhile.
    """
    replayed = await house.tables.replay(scene.room.id)
    await house.hub.newest.may_still_look(scene.room, scene.player_id, scene.seat)
    viewer = scene.seat
    if wished is not None and replayed[-1].position.over:
        seat = _number(wished)
        if wished == EVERYBODY or (seat is not None and seat < scene.room.seats):
            viewer = seat
    return past(replayed, viewer)


def _part(seen: Past, until: int | None) -> tuple[int, int]:
    """Returns which steps go into one answer: from, and up to but not with."""
    end = len(seen.looks) if until is None else seen.at(until) + 1
    return max(0, end - MOST_STEPS), end


def _frame(seen: Past) -> dict[str, Any]:
    return {
        "v": seen.v,
        "seat": seen.viewer,
        "over": seen.over,
        "closed": seen.closed,
        "own": seen.own,
    }


def _number(text: str | None) -> int | None:
    digits = text is not None and text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if text is not None and digits else None


router.include_router(_api)
