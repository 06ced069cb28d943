"""The visitor's own page: their name, their devices, and how one more becomes theirs."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from app.players.devices import BadCode
from app.web.devices import redeemed, signed_out
from app.web.doors import admit_code
from app.web.errors import Problem
from app.web.forms import read_form
from app.web.links import device_url, qr_svg
from app.web.security import drop_cookie
from app.web.visits import Visit

router = APIRouter(include_in_schema=False)

LOOK: Final = ["GET", "HEAD"]


@router.api_route("/me", methods=LOOK)
async def me(request: Request) -> Response:
    """Shows the visitor's name and devices, and the way here from another device."""
    return await _page(await Visit.of(request))


@router.api_route("/me/{rest}", methods=LOOK)
async def to_me(request: Request) -> Response:
    """Leads to the page from the address of one of its forms."""
    return (await Visit.of(request)).redirect("/me")


@router.post("/me/code")
async def new_code(request: Request) -> Response:
    """Makes a code that adds a device, and shows it: to its owner, this once."""
    visit = await Visit.of(request)
    if visit.player is None:
        return visit.redirect("/me")
    try:
        admit_code(visit.house, request)
    except Problem as problem:
        return await _page(visit, problem)
    code, _ends = await visit.house.devices.new_code(visit.player)
    url = device_url(request, code)
    return await _page(visit, code=code, url=url, qr=Markup(qr_svg(url).decode()))  # noqa: S704 ours


@router.post("/me/device")
async def use_code(request: Request) -> Response:
    """Makes this browser a device of the player whose code was typed or linked."""
    form = await read_form(request)
    visit = await Visit.of(request)
    code, instead = form.get("code"), form.get("instead") == "yes"
    try:
        made = await redeemed(visit.house, request, visit.player, code, instead=instead)
    except (Problem, BadCode) as error:
        problem = Problem.of(error)
        other = problem.facts.get("name") if problem.code == "other_player" else None
        return await _page(visit, problem, typed=code, other=other)
    if made is not None:
        visit.becomes(*made)
    return visit.redirect("/games")


@router.post("/me/revoke")
async def revoke(request: Request) -> Response:
    """Takes a device away; this one too, which makes the browser a stranger's."""
    form = await read_form(request)
    visit = await Visit.of(request)
    if visit.player is None:
        return visit.redirect("/me")
    try:
        device = UUID(form.get("device"))
    except ValueError:
        return await _page(visit, Problem("unknown_device"))
    if not await signed_out(visit.house, visit.player.id, device):
        return await _page(visit, Problem("unknown_device"))
    response = visit.redirect("/me")
    if device == visit.player.device:
        drop_cookie(response)
    return response


async def _page(visit: Visit, problem: Problem | None = None, **shown: object) -> Response:
    devices = await visit.house.devices.of(visit.player.id) if visit.player is not None else []
    empty = {"code": "", "url": "", "qr": "", "typed": "", "other": None}
    return visit.draw("me", problem, devices=devices, **{**empty, **shown})
