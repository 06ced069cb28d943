"""What the host of the house announces, for pages without a socket and for programs."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.web import api_models as models
from app.web.answers import StrictJsonRoute, json_answer
from app.web.api import TheHouse, gives

router = APIRouter(prefix="/api", route_class=StrictJsonRoute)


@router.head("/announcement", include_in_schema=False)
@router.get("/announcement", **gives(models.Announced))
async def announcement(house: TheHouse) -> Response:
    """Says what the host of the house announces to everybody."""
    current = house.watch.current
    return json_answer(current.wire() if current else dict.fromkeys(models.Announced.model_fields))
