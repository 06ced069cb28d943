"""Browsers that want to be told of their player's turn, also while no page is open."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from app.notify.endpoints import BadSubscription
from app.players.service import Player
from app.web import player_models as models
from app.web.answers import StrictJsonRoute, json_answer
from app.web.api import REFUSALS, TheHouse, gives
from app.web.doors import admit_change, require_player
from app.web.errors import Problem
from app.web.house import house_of

router = APIRouter()
_api = APIRouter(prefix="/api/notifications", route_class=StrictJsonRoute, responses=REFUSALS)


async def counted(request: Request) -> Player:
    """Returns who is asking, and counts it. Raises `Problem` for a stranger or too much at once."""
    player = await require_player(request)
    admit_change(house_of(request), player)
    return player


Counted = Annotated[Player, Depends(counted)]


@_api.head("", include_in_schema=False)
@_api.get("", **gives(models.PushKey))
async def show_key(house: TheHouse) -> Response:
    """Shows the key that a browser subscribes with at its push service."""
    return json_answer({"key": await asyncio.to_thread(lambda: house.pushes.key.public)})


@_api.post("", **gives(models.PushState))
async def begin(body: models.NewSubscription, player: Counted, house: TheHouse) -> Response:
    """Has a browser told when it is my turn; once more changes nothing."""
    keys = body.keys
    try:
        house.pushes.endpoints.check(body.endpoint, keys.p256dh, keys.auth)
    except BadSubscription as bad:
        raise Problem(bad.code) from None
    await house.pushes.subscriptions.add(player.id, body.endpoint, keys.p256dh, keys.auth)
    return json_answer({"on": True})


@_api.post("/end", **gives(models.PushState))
async def end(body: models.OldSubscription, player: Counted, house: TheHouse) -> Response:
    """Tells that browser nothing any more; where it was not told before, nothing changes."""
    await house.pushes.subscriptions.end(player.id, body.endpoint)
    return json_answer({"on": False})


@router.api_route("/push.js", methods=["GET", "HEAD"], include_in_schema=False)
async def worker(request: Request) -> Response:
    """Serves the script that shows a push.

    Its address has no hash and lies at the top, since browsers know it by the one and let it
    speak for the pages below the other.
    """
    assets = house_of(request).renderer.assets
    asset = assets.find(assets.url("push.js"))
    assert asset is not None
    return Response(asset.body, media_type=asset.media_type)


router.include_router(_api)
