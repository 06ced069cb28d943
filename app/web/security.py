"""Who is asking, and whether a request may act in their name.

A browser carries its token in an http-only cookie, a program in `Authorization: Bearer`. A cookie
travels by itself, so whatever changes something by cookie, and every socket opened by cookie, must
come from our own pages: `Sec-Fetch-Site: same-origin`, or an Origin that is ours.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection, Request, cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.players.service import Player
from app.web.errors import Problem, note_refused, problem_answer
from app.web.house import house_of
from app.web.proxies import Origin, header, outer

COOKIE: Final = "motherlode"
COOKIE_SECONDS: Final = 365 * 24 * 3600
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


def bearer(scope: Scope) -> str | None:
    """Returns the token of an `Authorization: Bearer` header, or None."""
    kind, _, token = (header(scope, b"authorization") or "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None


def cookie_token(scope: Scope) -> str | None:
    """Returns the token in our cookie, or None.

    Other services of the same host set cookies too, with whatever in them.
    """
    return cookie_parser(header(scope, b"cookie") or "").get(COOKIE) or None


async def identify(connection: HTTPConnection) -> Player | None:
    """Returns who is asking, by Bearer or else by cookie; None for a stranger."""
    token = bearer(connection.scope) or cookie_token(connection.scope)
    return await house_of(connection).players.by_token(token) if token else None


def set_cookie(response: Response, token: str, *, secure: bool) -> None:
    """Lets the browser keep `token` for a year; `secure` when its page came over https."""
    response.set_cookie(
        COOKIE, token, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure
    )


def drop_cookie(response: Response) -> None:
    """Has the browser forget its token."""
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")


def from_own_page(scope: Scope, public: Origin | None) -> bool:
    """Whether the browser says that one of our own pages sent this."""
    site = header(scope, b"sec-fetch-site")
    if site == "same-origin":
        return True
    if site not in {None, "none"}:
        return False
    origin = Origin.read(header(scope, b"origin") or "")
    return origin is not None and origin.host in _own_hosts(scope, public, origin.scheme)


def may_act(scope: Scope, public: Origin | None) -> bool:
    """Whether a request that changes something, or a socket, may go on.

    A request with neither cookie nor any sign of a browser is a program without a token yet.
    """
    if bearer(scope) is not None:
        return True
    from_program = all(
        header(scope, name) is None for name in (b"cookie", b"origin", b"sec-fetch-site")
    )
    return from_program or from_own_page(scope, public)


class SameOrigin:
    """ASGI: refuses what a foreign page sends in a player's name, a socket before it is open."""

    def __init__(self, app: ASGIApp, *, public: Origin | None) -> None:
        self._app = app
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or socket."""
        kind = scope["type"]
        harmless = kind == "lifespan" or (kind == "http" and scope["method"] in _SAFE)
        if harmless or may_act(scope, self._public):
            await self._app(scope, receive, send)
        elif kind == "websocket":
            await receive()
            note_refused(HTTPConnection(scope), "foreign_page", 403)
            await send({"type": "websocket.close", "code": 1008, "reason": "foreign page"})
        else:
            answer = problem_answer(Request(scope), Problem("foreign_page"))
            await answer(scope, receive, send)


def _own_hosts(scope: Scope, public: Origin | None, scheme: str) -> set[str]:
    """Returns the hosts that are ours, with default ports left out as `scheme` would."""
    hosts = {outer(scope, public).host}
    asked = Origin.read(f"{scheme}://{header(scope, b'host') or ''}")
    if asked is not None:
        hosts.add(asked.host)
    if public is not None:
        hosts.add(public.host)
    return hosts
