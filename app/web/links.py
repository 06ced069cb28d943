"""Addresses that leave the house: the invite link and its QR code."""

from __future__ import annotations

import io

import segno
from starlette.requests import Request

from app.rooms.room import Room
from app.web.house import house_of
from app.web.proxies import outer


def invite_url(request: Request, room: Room) -> str:
    """Returns the link to send: on PUBLIC_URL, else where this request reached us."""
    house = house_of(request)
    origin = house.public or outer(request.scope, None)
    return f"{origin.url}/r/{room.code}"


def device_url(request: Request, code: str) -> str:
    """Returns the link that adds a device. What stands after the # reaches no server."""
    house = house_of(request)
    origin = house.public or outer(request.scope, None)
    return f"{origin.url}/me#code={code}"


def seat_url(request: Request, room: Room, secret: str) -> str:
    """Returns the link that takes over a seat which was opened. The secret reaches no server."""
    return f"{invite_url(request, room)}#seat={secret}"


def qr_svg(url: str) -> bytes:
    """Draws `url` as a QR code: dark on light in both colour schemes, as scanners want it."""
    drawn = io.BytesIO()
    segno.make(url, error="m", micro=False).save(
        drawn, kind="svg", border=3, dark="#22201c", light="#ffffff", omitsize=True, title=None
    )
    return drawn.getvalue()
