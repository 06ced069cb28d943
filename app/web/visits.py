"""A person looking at a page: who they are, their language, and drawing what they get."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.players.service import Player
from app.realtime.hands import COVERED, Hand
from app.realtime.scene import Scene
from app.rooms.room import Room, RoomRefused
from app.web.doors import admit_player
from app.web.errors import Problem, problem_answer, refuse
from app.web.forms import Form
from app.web.hands import drop_hand, hand_of, keep_hand
from app.web.house import House, house_of
from app.web.labels import device_label
from app.web.language import language_of
from app.web.links import invite_url
from app.web.proxies import Origin, outer
from app.web.security import identify, set_cookie
from app.web.showing import scene_of

_OF_A_FORM: Final = re.compile(r"^(/r/[^/]+)/(?!(?:log|chat)$).*")
"""The address of one of a room's forms, which a refused one leaves in the address bar."""


class Visit:
    """One request of a browser. `player` is None until a name was given."""

    def __init__(self, request: Request, house: House, player: Player | None) -> None:
        self.request = request
        self.house = house
        self.player = player
        self.lang = language_of(request)
        self.hand = hand_of(request)
        self._token: str | None = None
        self._handed: tuple[Room, Hand] | None = None

    @classmethod
    async def of(cls, request: Request) -> Visit:
        """Finds out who is asking."""
        return cls(request, house_of(request), await identify(request))

    async def named(self, name: str, key: str = "") -> Player:
        """Returns the player, made now from `name` if this browser had none. Raises `BadName`.

        `key` is that of the page's form: whatever it is sent with again is the same player.
        """
        await self.recall(key)
        if self.player is None:
            self.player, self._token = await self.house.newcomers.made(key, lambda: self._new(name))
        return self.player

    async def recall(self, key: str) -> None:
        """Makes this visit one of the player whom an earlier press of the same form made.

        Not any more once the device of that press was signed out.
        """
        made = await self.house.newcomers.known(key) if self.player is None else None
        if made is None:
            return
        _, token = made
        player = await self.house.players.by_token(token)
        if player is None:
            self.house.newcomers.forget(key)
        else:
            self.player, self._token = player, token

    def becomes(self, player: Player, token: str) -> None:
        """Has this browser act for a player from now on, by a token of its own."""
        self.player, self._token = player, token

    async def _new(self, name: str) -> tuple[Player, str]:
        admit_player(self.house, self.request)
        return await self.house.players.create(name, device_label(self.request))

    def known(self) -> Player:
        """Returns the player. Raises `Problem` for a stranger."""
        if self.player is None:
            raise Problem("not_seated")
        return self.player

    async def scene(self, room: Room) -> Scene:
        """Returns the room as it may be seen by whoever has this device in hand now."""
        scene = await scene_of(self.house, room, self.player, hand=self.hand)
        if scene.seat is None and len(scene.mine) > 1:
            self.hands_over(room, COVERED)
        return scene

    def hands_over(self, room: Room, hand: Hand) -> None:
        """Has this browser keep in whose hands the pages of a room are."""
        self._handed = room, hand

    def seat(self, room: Room, form: Form) -> int | None:
        """Returns which of several seats a form is for: as it says, else whose hands it is in.

        Raises `RoomRefused(not_seated)` where several people share the device and none has it.
        """
        seat = form.number("seat")
        seats = room.seats_of(self.known().id)
        if seat is None and len(seats) > 1:
            seat = self.hand.seat
            if seat is None:
                raise RoomRefused("not_seated", yours=list(seats))
        return seat

    def page(self, html: str, status: int = 200) -> Response:
        """Answers with a page."""
        return self._signed(HTMLResponse(html, status))

    def redirect(self, path: str) -> Response:
        """Answers a form that did what it should: look at `path` now."""
        return self._signed(RedirectResponse(path, 303))

    def back(self) -> Response:
        """Answers with the page that the form stood on, home if that is unknown."""
        referer = self.request.headers.get("referer", "")
        origin = Origin.read(referer)
        own = outer(self.request.scope, self.house.public)
        path = urlsplit(referer).path if origin is not None and origin.host == own.host else "/"
        path = _OF_A_FORM.sub(r"\1", path)
        return self.redirect(path if path.startswith("/") and path[1:2] not in {"/", "\\"} else "/")

    async def room(
        self, room: Room, problem: Problem | None = None, form: Form | None = None
    ) -> Response:
        """Draws the room, with the sentence of what was refused and what its form said.

        Who may not watch here gets the page that says so, and nothing of the game.
        """
        if not room.may_look(self.player.id if self.player else None):
            return self.closed(room, problem)
        scene = await self.scene(room)
        waiting = 0
        if self.player is not None and scene.view is not None:
            _code, waiting = await self.house.mine.next_for(self.player.id, room.code)
        html = self.house.renderer.room_page(
            scene,
            self.lang,
            url=invite_url(self.request, room),
            player=self.player,
            frame=self.house.frame(),
            refused=refuse(self.request, problem) if problem else None,
            elsewhere=waiting > 0,
            typed=form.values() if form else {},
            chat=await self.house.chat.lines(room.id),
        )
        return self.page(html, problem.status if problem else 200)

    def closed(self, room: Room, problem: Problem | None = None) -> Response:
        """Draws the page that says that only those at the table see it, and what was refused."""
        game = self.house.games[room.game].meta
        why = problem or Problem("not_watching")
        return self.draw("closed", why, room=room, game=game, pressed=problem is not None)

    async def room_again(self, room: Room, error: Exception, form: Form) -> Response:
        """Draws the room as it is now, with the sentence of what was refused and what was typed."""
        problem = Problem.of(error)
        if problem.status >= 500 or problem.code == "unknown_room":
            return self._signed(problem_answer(self.request, problem))
        return await self.room(await self.house.rooms.by_id(room.id), problem, form)

    def draw(self, name: str, problem: Problem | None = None, **context: object) -> Response:
        """Draws another page, with the sentence of what was refused."""
        html = self.house.renderer.page(
            name,
            self.lang,
            player=self.player,
            **self.house.frame(),
            refused=refuse(self.request, problem) if problem else None,
            **context,
        )
        return self.page(html, problem.status if problem else 200)

    def _signed(self, response: Response) -> Response:
        secure = outer(self.request.scope, self.house.public).scheme == "https"
        if self._token is not None:
            set_cookie(response, self._token, secure=secure)
        if self._handed is not None:
            room, hand = self._handed
            if hand.seat is None:
                drop_hand(self.request, response, room)
            else:
                keep_hand(response, room, hand, secure=secure)
        return response
