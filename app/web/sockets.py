"""The door to the sockets: who is it, which room, which protocol; the hub does the rest."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketState
from structlog.contextvars import bind_contextvars

from app.play.history import Broken
from app.play.journal import Unavailable
from app.realtime.protocol import HTML_PROTOCOL, JSON_PROTOCOL
from app.rooms.room import RoomRefused
from app.web.answers import json_answer
from app.web.doors import visitor
from app.web.errors import Problem, note_refused
from app.web.house import house_of
from app.web.language import language_of
from app.web.limits import address_key

PROTOCOLS: Final = (HTML_PROTOCOL, JSON_PROTOCOL)
_MOST_DIGITS: Final = 9
_PLACE: Final = ("", "rooms", "socket")
"""The address of a socket, `/rooms/{code}/socket`, without its code."""


class SocketDoor:
    """ASGI: serves the sockets of rooms itself, everything else goes on.

    What lies further in is for requests: a route of FastAPI's, with its exit stacks and handlers
    of exceptions, took a quarter of the CPU time of a handshake and wrapped each message after it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or socket."""
        if scope["type"] == "websocket":
            match scope["path"].split("/"):
                case [start, rooms, code, end] if code and (start, rooms, end) == _PLACE:
                    await serve(WebSocket(scope, receive, send), code)
                    return
        await self._app(scope, receive, send)


async def serve(websocket: WebSocket, code: str) -> None:
    """Serves a socket in a room.

    Refused before it is open, with an HTTP status: 400 without one of our protocols, 401 for a
    token that is nobody's, 403 for a table that is not watched, 404 for an unknown room,
    410 for one that was cleared away, 409 for a game that cannot go on, 429 for too many sockets
    from one address, 503 while the database does not answer or the house stops. A browser cannot
    tell these apart; a program can.
    """
    house = house_of(websocket)
    offered = websocket.scope.get("subprotocols", [])
    protocol = next((each for each in offered if each in PROTOCOLS), None)
    if protocol is None:
        await _deny(websocket, 400, "bad_message")
        return
    if house.stopping:
        await _deny(websocket, 503, "try_again")
        return
    try:
        room = await house.rooms.by_code(code)
        # Whatever is logged on behalf of this socket tells where it belongs.
        bind_contextvars(room=room.code)
        player = await visitor(websocket)
    except Problem:
        await _deny(websocket, 401, "sign_in")
        return
    except RoomRefused as refusal:
        status = 410 if refusal.code == "room_removed" else 404
        await _deny(websocket, status, refusal.code)
        return
    except (SQLAlchemyError, OSError):
        await _deny(websocket, 503, "try_again")
        return
    if not room.may_look(player.id if player else None):
        await _deny(websocket, 403, "not_watching")
        return
    address = address_key(websocket.scope)
    if not house.sockets.enter(address):
        await _deny(websocket, 429, "too_many_sockets")
        return
    try:
        await house.hub.serve(
            websocket,
            room,
            player,
            protocol=protocol,
            language=language_of(websocket),
            known=_known(websocket.query_params.get("v")),
            seat=_known(websocket.query_params.get("seat")),
        )
    except Broken:
        await _deny(websocket, 409, "broken")
    except RoomRefused as refusal:  # cleared away meanwhile
        await _deny(websocket, 404, refusal.code)
    except (Unavailable, SQLAlchemyError, OSError):
        if websocket.application_state is not WebSocketState.CONNECTING:
            raise
        await _deny(websocket, 503, "try_again")
    finally:
        house.sockets.leave(address)


def _known(text: str | None) -> int | None:
    """Reads the `v` that the client saw last, or its seat; anything odd means that it saw none."""
    digits = (text or "").removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > _MOST_DIGITS:
        return None
    return int(text or "")


async def _deny(websocket: WebSocket, status: int, code: str) -> None:
    """Takes note of a refusal, and answers the handshake with it."""
    note_refused(websocket, code, status)
    message = {
        "bad_message": f"Ask for one of the protocols {', '.join(PROTOCOLS)}.",
        "sign_in": "This token is nobody's. Make a player first.",
        "not_watching": "Only those who sit at this table see it.",
        "unknown_room": "There is no such room. Check the code.",
        "room_removed": "This room has been cleared away.",
        "broken": "This program cannot go on with this game. Tell the host of the house.",
        "too_many_sockets": "Too many sockets are open from your address. Close some first.",
        "try_again": "The house cannot answer now. Try again in a moment.",
    }[code]
    headers = {"Retry-After": "60"} if status == 429 else None
    answer = json_answer({"code": code, "message": message}, status=status, headers=headers)
    await websocket.send_denial_response(answer)
