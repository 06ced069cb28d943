"""The pages that people look at. Looking changes nothing, however often it is done."""

from __future__ import annotations

from fastapi import APIRouter, Depends
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from app.realtime.scene import lines
from app.rooms.room import RoomRefused
from app.web.answers import json_answer
from app.web.doors import admit_replay, room_of
from app.web.forms import read_form
from app.web.headers import IMMUTABLE
from app.web.house import house_of
from app.web.language import LANGUAGE_COOKIE
from app.web.links import invite_url, qr_svg
from app.web.records import record_for
from app.web.security import COOKIE_SECONDS
from app.web.visits import Visit

router = APIRouter(include_in_schema=False)

LOOK = ["GET", "HEAD"]
REPLAY = [Depends(admit_replay)]
LINES_A_PAGE = 100


@router.api_route("/", methods=LOOK)
async def home(request: Request) -> Response:
    """Shows the games there are."""
    visit = await Visit.of(request)
    return visit.draw("home")


@router.api_route("/rules/{game}", methods=LOOK)
async def rules(request: Request, game: str) -> Response:
    """Shows the rules of a game."""
    visit = await Visit.of(request)
    if game not in visit.house.games:
        raise RoomRefused("unknown_game")
    html = visit.house.renderer.rules_page(
        game, visit.lang, player=visit.player, frame=visit.house.frame()
    )
    return visit.page(html)


@router.api_route("/r/{code}", methods=LOOK)
async def room(request: Request, code: str) -> Response:
    """Shows a room and its game; a code that was written differently leads to the right one."""
    visit = await Visit.of(request)
    found = await room_of(request)
    if code != found.code:
        return visit.redirect(f"/r/{found.code}")
    if visit.player is not None:
        visit.house.hub.arrivals.looked(found, visit.player.id)
    return await visit.room(found)


@router.api_route("/r/{code}/log", methods=LOOK, dependencies=REPLAY)
async def older_lines(request: Request) -> Response:
    """Shows the log lines before an entry, newest first like the table's own log."""
    visit = await Visit.of(request)
    found = await room_of(request)
    scene = await visit.scene(found)
    if scene.view is None:
        return visit.redirect(f"/r/{found.code}")
    asked = request.query_params.get("before", "")
    digits = asked.isascii() and asked.isdigit() and len(asked) < 10
    before = int(asked) if digits else scene.v + 1
    history = [told for told in await visit.house.tables.history(found.id) if told.seq < before]
    await visit.house.hub.newest.may_still_look(found, scene.player_id, scene.seat)
    shown = lines(history, scene.seat, LINES_A_PAGE + 1)
    html = visit.house.renderer.log_page(
        scene,
        visit.lang,
        lines=shown[-LINES_A_PAGE:],
        more=len(shown) > LINES_A_PAGE,
        player=visit.player,
        frame=visit.house.frame(),
    )
    return visit.page(html)


@router.api_route("/r/{code}/qr.svg", methods=LOOK)
async def qr(request: Request) -> Response:
    """Draws the invite link as a QR code."""
    found = await room_of(request)
    return Response(qr_svg(invite_url(request, found)), media_type="image/svg+xml")


@router.api_route("/r/{code}/record", methods=LOOK, dependencies=REPLAY)
async def record(request: Request) -> Response:
    """Gives the record of the game as a file."""
    visit = await Visit.of(request)
    found = await room_of(request)
    name = f'attachment; filename="{found.game}-{found.code}.json"'
    content = await record_for(visit.house, await visit.scene(found))
    return json_answer(content, headers={"content-disposition": name})


@router.api_route("/r/{code}/", methods=LOOK)
@router.api_route("/r/{code}/{rest}", methods=LOOK)
async def to_the_room(request: Request, code: str) -> Response:
    """Leads to the room from the address of one of its forms, where a refusal leaves a browser."""
    visit = await Visit.of(request)
    return visit.redirect(f"/r/{code}")


@router.post("/name")
async def rename(request: Request) -> Response:
    """Gives the visitor a name, or another one."""
    name = (await read_form(request)).get("name")
    visit = await Visit.of(request)
    if visit.player is None:
        await visit.named(name)
    else:
        await visit.house.players.rename(visit.player.id, name)
        visit.house.hub.changes.renamed(visit.player.id)
    return visit.back()


@router.post("/language")
async def choose_language(request: Request) -> Response:
    """Remembers the language that this browser wants to read."""
    lang = (await read_form(request)).get("lang")
    visit = await Visit.of(request)
    response = visit.back()
    if lang in visit.house.renderer.texts.languages:
        response.set_cookie(
            LANGUAGE_COOKIE, lang, max_age=COOKIE_SECONDS, httponly=True, samesite="lax"
        )
    return response


@router.api_route("/static/{path:path}", methods=LOOK)
async def static(request: Request) -> Response:
    """Serves a file of a name that carries its hash; a name of another build is not found."""
    asset = house_of(request).renderer.assets.find(request.url.path)
    if asset is None:
        return PlainTextResponse("No such file. Reload the page.\n", 404)
    return Response(asset.body, media_type=asset.media_type, headers={"cache-control": IMMUTABLE})


@router.api_route("/robots.txt", methods=LOOK)
async def robots() -> Response:
    """Keeps search engines out of the rooms."""
    return PlainTextResponse("User-agent: *\nDisallow: /r/\nDisallow: /api/\n")


@router.api_route("/favicon.ico", methods=LOOK)
async def no_icon() -> Response:
    """Says shortly that the icon is elsewhere: pages name it themselves."""
    raise HTTPException(404)
