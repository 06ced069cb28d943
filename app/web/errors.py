"""What went wrong, for people and programs: a status, a stable code and a sentence.

Every refusal of the house ends here, raised as whatever its part raises. Programs (`/api`) get
`{"code", "message"}`, people a page. What was sent is never repeated in the answer: it may hold
anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Final

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from app.chat.refused import ChatRefused
from app.games.contract import Json
from app.play.history import Broken
from app.play.journal import Unavailable
from app.play.table import Refusal
from app.players.devices import BadCode
from app.players.names import BadName
from app.rooms.codes import parse_code
from app.rooms.room import RoomRefused
from app.web.answers import json_answer
from app.web.house import house_of
from app.web.language import language_of
from app.web.measured import pattern_of

log = structlog.get_logger()

_STATUS: Final[Mapping[str, int]] = {
    "sign_in": 401,
    "foreign_page": 403,
    "not_host": 403,
    "not_seated": 403,
    "not_watching": 403,
    "chat_seated_only": 403,
    "wrong_key": 403,
    "not_found": 404,
    "unknown_room": 404,
    "unknown_game": 404,
    "unknown_device": 404,
    "method_not_allowed": 405,
    "room_removed": 410,
    "full": 409,
    "host_present": 409,
    "name_taken": 409,
    "not_over": 409,
    "started": 409,
    "not_started": 409,
    "too_few": 409,
    "too_many": 409,
    "too_large": 413,
    "wrong_type": 415,
    "malformed": 422,
    "bad_row": 422,
    "no_such_seat": 422,
    "chat_empty": 422,
    "chat_too_long": 422,
    "name_empty": 422,
    "name_too_long": 422,
    "too_fast": 429,
    "internal": 500,
    "try_again": 503,
}
_BY_STATUS: Final[Mapping[int, str]] = {
    401: "sign_in",
    403: "foreign_page",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "wrong_type",
    429: "too_fast",
    503: "try_again",
}
_PAGE_CODES: Final[Mapping[str, str]] = {
    "foreign_page": "forbidden",
    "internal": "server_error",
    "malformed": "bad_request",
    "method_not_allowed": "bad_request",
    "too_fast": "too_many",
    "try_again": "unavailable",
    "unknown_game": "no_such_game",
    "wrong_key": "house_key",
    "wrong_type": "bad_request",
}


class Problem(Exception):
    """A request that is refused. `facts` and `index` are public.

    `game` is the key of the game whose rules refused it, if they did. `seconds` tells when to try
    again.
    """

    def __init__(
        self,
        code: str,
        facts: Mapping[str, Json] | None = None,
        *,
        index: int | None = None,
        game: str | None = None,
        seconds: float = 2.0,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.facts = dict(facts or {})
        self.index = index
        self.game = game
        self.seconds = seconds

    @property
    def status(self) -> int:
        """The HTTP status: 422 for what can never be right, 409 for what is not right now."""
        return _STATUS.get(self.code, 422 if self.code.startswith("bad_") else 409)

    @property
    def headers(self) -> dict[str, str]:
        """The headers that an answer carries because of it."""
        return {"retry-after": str(ceil(self.seconds))} if self.status in {429, 503} else {}

    @classmethod
    def of(cls, error: Exception) -> Problem:
        """Returns what an exception of any part means to the one who asked."""
        match error:
            case Problem():
                return error
            case RoomRefused() | BadName() | BadCode():
                return cls(error.code, error.facts)
            case ChatRefused():
                return cls(error.code, error.facts, seconds=error.seconds or 2.0)
            case RequestValidationError():
                return cls("malformed", {"body": _where(error)})
            case HTTPException():
                return cls(_BY_STATUS.get(error.status_code, "malformed"))
            case Broken():
                return cls("broken")
            case Unavailable() | SQLAlchemyError() | OSError() | TimeoutError():
                return cls("try_again")
        return cls("internal")

    @classmethod
    def of_refusal(cls, refusal: Refusal, game: str) -> Problem:
        """Returns the answer of a table as a problem."""
        return cls(refusal.code, refusal.facts, index=refusal.index, game=game)


def note_refused(connection: HTTPConnection, code: str, status: int) -> None:
    """Takes note of a request that is refused, or of a socket before it is open."""
    house, scope = house_of(connection), connection.scope
    door = "http" if scope["type"] == "http" else "socket"
    counts = house.requests.refusals if door == "http" else house.hub.refusals
    counts[code] += 1
    room = parse_code(connection.path_params.get("code", ""))
    about = {} if room is None else {"room": room}
    if door == "http":
        about["path"] = pattern_of(scope)
    log.debug("refused", code=code, status=status, door=door, **about)


def refuse(connection: HTTPConnection, problem: Problem) -> str:
    """Takes note of a refusal, and returns what a person reads: what happened and what to do."""
    note_refused(connection, problem.code, problem.status)
    renderer = house_of(connection).renderer
    return renderer.refusal(problem.game, problem.code, problem.facts, language_of(connection))


def problem_answer(request: Request, error: Exception) -> Response:
    """Answers a refused request as JSON to a program, as a page to a person."""
    problem = Problem.of(error)
    message = refuse(request, problem)
    headers = problem.headers
    if isinstance(error, HTTPException) and error.headers:
        headers.update(error.headers)
    if request.url.path.startswith("/api/"):
        answer: dict[str, Json] = {"code": problem.code, "message": message}
        if problem.index is not None:
            answer["index"] = problem.index
        return json_answer(answer, status=problem.status, headers=headers)
    page = problem_page(request, problem, message)
    page.headers.update(headers)
    return page


def problem_page(request: Request, problem: Problem, message: str) -> Response:
    """Draws the page that says what went wrong."""
    house = house_of(request)
    html = house.renderer.page(
        "error",
        language_of(request),
        **{
            **problem.facts,
            "code": _PAGE_CODES.get(problem.code, problem.code),
            "message": message,
            **house.frame(),
        },
    )
    return HTMLResponse(html, problem.status)


def add_handlers(app: FastAPI) -> None:
    """Has every exception that a part of the house may raise answered here."""

    async def known(request: Request, error: Exception) -> Response:
        return problem_answer(request, error)

    async def outage(request: Request, error: Exception) -> Response:
        if not isinstance(error, ClientDisconnected):
            log.warning("database_trouble", path=request.url.path, error=type(error).__name__)
        return problem_answer(request, error)

    refusals = (Problem, RoomRefused, ChatRefused, BadName, BadCode, Broken)
    for refused in (*refusals, RequestValidationError, HTTPException):
        app.add_exception_handler(refused, known)
    for down in (Unavailable, SQLAlchemyError, OSError, TimeoutError):
        app.add_exception_handler(down, outage)


class OurFault:
    """ASGI: answers an exception that nobody expected, and logs it.

    Stands inside the other middlewares, so that this answer carries their headers as well.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except ClientDisconnect:
            return
        except Exception as error:
            log.exception("request_failed", path=scope["path"])
            if begun:
                raise
            await problem_answer(Request(scope), error)(scope, receive, send)


def _where(error: RequestValidationError) -> str:
    """Returns the places in the body that are wrong and what was expected, without the values."""
    found = [
        f"{'.'.join(str(part) for part in one['loc'][1:4])[:60]}: {one['msg'][:120]}"
        for one in error.errors()[:5]
    ]
    return "; ".join(found).encode("ascii", "replace").decode()
