"""A player's own games: the page, the way to the next one that waits, and both for programs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from app.players.alike import told_apart
from app.players.service import Player
from app.rooms.keeping import Keeping
from app.rooms.mine import Against, Listed, Overview
from app.web import api_models as models
from app.web.answers import StrictJsonRoute, json_answer
from app.web.api import REFUSALS, Someone, TheHouse, gives
from app.web.doors import visitor
from app.web.visits import Visit

router = APIRouter()
_api = APIRouter(prefix="/api/games", route_class=StrictJsonRoute, responses=REFUSALS)

MOST_PAGES: Final = 100_000
SOON: Final = timedelta(days=14)
"""How long before a game is cleared away its record is offered."""
NOTHING: Final = Overview((), (), (), older=False, against=())

Viewer = Annotated[Player | None, Depends(visitor)]
Page = Annotated[int, Query(ge=0, le=MOST_PAGES)]
But = Annotated[str, Query(max_length=200)]


@router.api_route("/games", methods=["GET", "HEAD"], include_in_schema=False)
async def my_games(request: Request) -> Response:
    """Shows the visitor's games; the address may ask for a page of older ones."""
    visit = await Visit.of(request)
    asked = request.query_params.get("page", "")
    page = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 0
    overview = NOTHING
    if visit.player is not None:
        overview = await visit.house.mine.overview(visit.player.id, page)
    return visit.draw(
        "games",
        mine=overview,
        number=page,
        shown=shown_names,
        titles={key: game.meta.title for key, game in visit.house.games.items()},
        friends=by_friend(overview),
        soon=datetime.now(UTC) + SOON,
    )


@router.api_route("/games/next", methods=["GET", "HEAD"], include_in_schema=False)
async def next_game(request: Request) -> Response:
    """Leads to the game that has waited longest for the visitor, or to the list of all."""
    visit = await Visit.of(request)
    code = None
    if visit.player is not None:
        but = request.query_params.get("but", "")
        code, _number = await visit.house.mine.next_for(visit.player.id, but)
    return visit.redirect("/games" if code is None else f"/r/{code}")


def shown_names(room: Listed) -> dict[int, str]:
    """Returns the names of a room by seat; of those that look alike, later ones are marked."""
    names = told_apart([person.name for person in room.people])
    return {person.seat: name for person, name in zip(room.people, names, strict=True)}


def by_friend(overview: Overview) -> list[tuple[str, list[Against]]]:
    """Returns what there is against each friend, with names that can be told apart."""
    grouped: dict[object, list[Against]] = {}
    for one in overview.against:
        grouped.setdefault(one.player_id, []).append(one)
    names = told_apart([group[0].name for group in grouped.values()])
    return list(zip(names, grouped.values(), strict=True))


@_api.head("", include_in_schema=False)
@_api.get("", **gives(models.MyGames))
async def list_games(player: Someone, house: TheHouse, page: Page = 0) -> Response:
    """Lists my games; `page` counts pages of finished ones."""
    overview = await house.mine.overview(player.id, page)
    return json_answer(
        {
            "running": [_wire(room, house.keeping) for room in overview.running],
            "waiting": [_wire(room, house.keeping) for room in overview.waiting],
            "finished": [_wire(room, house.keeping) for room in overview.finished],
            "older": overview.older,
            "against": [
                {name: getattr(one, name) for name in models.MyResult.model_fields}
                for one in overview.against
            ],
        }
    )


@_api.head("/next", include_in_schema=False)
@_api.get("/next", **gives(models.NextGame))
async def show_next(player: Viewer, house: TheHouse, but: But = "") -> Response:
    """Names the game that has waited longest for me, the room `but` left out."""
    code, number = None, 0
    if player is not None:
        house.hub.attention.seen(player.id)
        code, number = await house.mine.next_for(player.id, but)
    return json_answer({"code": code, "waiting": number})


def _wire(room: Listed, keeping: Keeping) -> dict[str, Any]:
    return {
        "code": room.code,
        "game": room.game,
        "status": "running" if room.status == "starting" else room.status,
        "seats": room.seats,
        "you": room.seat,
        "held": room.held,
        "host": room.host,
        "actors": list(room.actors),
        "people": [
            {
                "seat": person.seat,
                "name": person.name,
                "held": person.held,
                "place": person.place,
                "total": person.total,
            }
            for person in room.people
        ],
        "since": room.since,
        "ended_at": room.ended_at,
        "kept_until": keeping.until(room.status, room.sat, room.since),
    }


router.include_router(_api)
