"""The page that checks a record in the browser; the server only hands it over."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.rooms.codes import parse_code
from app.web.pages import LOOK
from app.web.visits import Visit

router = APIRouter(include_in_schema=False)


@router.api_route("/verify", methods=LOOK)
async def verify(request: Request) -> Response:
    """Shows the page; `room` is the code of the table whose record is checked at once."""
    visit = await Visit.of(request)
    return visit.draw("verify", code=parse_code(request.query_params.get("room", "")))
