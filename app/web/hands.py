"""In whose hands a page is, where several people share a device: what its browser says of that.

A page without a script has a cookie of its room for it. `client.js` has none: whatever it fetches
says so in a header, and a page that is loaded anew is covered.
"""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from app.realtime.hands import COVERED, Hand, held_on
from app.rooms.room import Room

COOKIE: Final = "motherlode_seat"
HEADER: Final = "motherlode-seat"
_KEPT: Final = re.compile(r"([0-9]{1,3})\.([0-9]{1,9})", re.ASCII)


def hand_of(request: HTTPConnection) -> Hand:
    """Returns in whose hands the page says that it is; covered where it says nothing."""
    told = request.headers.get(HEADER)
    if told is not None:
        return held_on(int(told)) if re.fullmatch("[0-9]{1,3}", told, re.ASCII) else COVERED
    kept = _KEPT.fullmatch(request.cookies.get(COOKIE, ""))
    return Hand(int(kept[1]), int(kept[2])) if kept else COVERED


def keep_hand(response: Response, room: Room, hand: Hand, *, secure: bool) -> None:
    """Lets a browser without a script keep whose hands the pages of a room are in."""
    response.set_cookie(
        COOKIE,
        f"{hand.seat}.{hand.since}",
        path=f"/r/{room.code}",
        httponly=True,
        samesite="lax",
        secure=secure,
    )


def drop_hand(request: Request, response: Response, room: Room) -> None:
    """Has the browser forget whose hands they were in, if it kept that."""
    if COOKIE in request.cookies:
        response.delete_cookie(COOKIE, path=f"/r/{room.code}", httponly=True, samesite="lax")
