"""What one address may ask of the house, over all of its requests and sockets."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from app.web.answers import json_answer
from app.web.errors import Problem, refuse
from app.web.limits import Rate, address_key

NOTHING_THERE: Final = 20
"""What is asked for and is not there counts as so many requests: nobody guesses codes for long."""
_MISSED: Final = 404
_TRY_LATER: Final = 1013
"""Not 1008, after which pages stay away: it may be somebody else at the address who floods."""
_FREE: Final = "/healthz"
"""Who looks whether the house is alive learns that also while somebody floods it."""


class AddressLimits:
    """ASGI: bounds the requests and handshakes of one address, and its messages on sockets.

    What is too much is answered with 429, which costs far less than a page; a socket is closed
    with 1013, which has pages connect again a little later.
    """

    def __init__(self, app: ASGIApp, *, requests: int, messages: int) -> None:
        """Allows so many `requests` a minute and `messages` a second (0: no limit)."""
        self._app = app
        self._requests = Rate(requests, 60)
        self._messages = Rate(messages, 1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or socket."""
        if scope["type"] == "lifespan" or scope["path"] == _FREE:
            await self._app(scope, receive, send)
            return
        key = address_key(scope)
        seconds = self._requests.wait(key)
        if not seconds:
            await self._app(scope, self._counted(key, receive, send, scope), self._seen(key, send))
        elif scope["type"] == "websocket":
            answer = _refusal(scope, seconds, program=True)
            await WebSocket(scope, receive, send).send_denial_response(answer)
        else:
            program = scope["path"].startswith("/api/")
            await _refusal(scope, seconds, program=program)(scope, receive, send)

    def _seen(self, key: str, send: Send) -> Send:
        """Returns a `send` that counts what was not found."""

        async def seen(message: Message) -> None:
            if message.get("status") == _MISSED:
                self._requests.add(key, NOTHING_THERE - 1)
            await send(message)

        return seen

    def _counted(self, key: str, receive: Receive, send: Send, scope: Scope) -> Receive:
        """Returns a `receive` that counts a socket's messages, and closes it after too many."""
        if scope["type"] != "websocket":
            return receive

        async def counted() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and self._messages.wait(key):
                reason = "too many messages from your address: slow down"
                await send({"type": "websocket.close", "code": _TRY_LATER, "reason": reason})
                return {"type": "websocket.disconnect", "code": _TRY_LATER}
            return message

        return counted


def _refusal(scope: Scope, seconds: float, *, program: bool) -> Response:
    problem = Problem("too_fast", seconds=seconds)
    said = refuse(HTTPConnection(scope), problem)
    if program:
        content = {"code": problem.code, "message": said}
        return json_answer(content, status=problem.status, headers=problem.headers)
    return PlainTextResponse(said, problem.status, problem.headers)
