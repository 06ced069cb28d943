"""Playing for a seat through the HTTP API, to get through a game quickly."""

from __future__ import annotations

import itertools
from collections import Counter
from types import TracebackType
from typing import Any

import httpx

_ids = itertools.count()


class Remote:
    """A player as a program: the same token as a browser, or one of its own."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self._http = httpx.AsyncClient(base_url=url, timeout=20, trust_env=False)
        self.token = ""
        if token is not None:
            self._sign(token)

    def _sign(self, token: str) -> None:
        self.token = token
        self._http.headers["authorization"] = f"Bearer {token}"

    async def __aenter__(self) -> Remote:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    async def named(self, name: str) -> Remote:
        """Makes a player of that name."""
        self._sign((await self._post("players", {"name": name}))["token"])
        return self

    async def opens_room(
        self, game: str = "lost_cities", seats: int = 2, **options: int | bool
    ) -> str:
        """Opens a room and returns its code."""
        made = await self._post("rooms", {"game": game, "seats": seats, "options": options})
        return str(made["code"])

    async def sits(self, code: str) -> int:
        """Sits down and returns the seat."""
        return int((await self._post(f"rooms/{code}/seats", {}))["seat"])

    async def starts(self, code: str) -> None:
        """Starts the game."""
        await self._post(f"rooms/{code}/start", {})

    async def shown(self, code: str) -> dict[str, Any]:
        """Returns the room, view and prompt as this player may see them."""
        answer = await self._http.get(f"/api/rooms/{code}/view")
        answer.raise_for_status()
        return dict(answer.json())

    async def record(self, code: str) -> dict[str, Any]:
        """Returns the record of the game as this player may have it."""
        answer = await self._http.get(f"/api/rooms/{code}/record")
        answer.raise_for_status()
        return dict(answer.json())

    async def plays(
        self, code: str, *moves: dict[str, Any], prompt: int | None = None
    ) -> dict[str, Any]:
        """Plays moves in one entry and returns what is then shown.

        `prompt` is the number of the question, if it is known; else it is looked up.
        """
        if prompt is None:
            prompt = int((await self.shown(code))["prompt"]["n"])
        body = {"id": f"remote-{next(_ids)}", "prompt": prompt, "moves": list(moves)}
        return await self._post(f"rooms/{code}/moves", body)

    async def plays_on(self, code: str) -> bool:
        """Does all that is asked of this seat now; says whether anything was."""
        shown = await self.shown(code)
        if shown["prompt"] is None:
            return False
        move = sensible(shown["view"], shown["prompt"]["legal"])
        moves = [move] if move["kind"] == "draw" else [move, FROM_DECK]
        await self.plays(code, *moves)
        return True

    async def does(self, code: str, what: str) -> None:
        """Does something that is no move, as `concede`."""
        await self._post(f"rooms/{code}/deeds", {"id": f"remote-{next(_ids)}", "what": what})

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = await self._http.post(f"/api/{path}", json=body)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return dict(answer.json())


FROM_DECK: dict[str, Any] = {"kind": "draw", "from": "deck"}


async def play_until(code: str, left: int, *seats: Remote) -> None:
    """Plays whole turns of all seats in turn until the deck has at most `left` cards."""
    while True:
        shown = await seats[0].shown(code)
        if shown["view"]["phase"] == "over" or shown["view"]["deck"] <= left:
            return
        for seat in seats:
            if await seat.plays_on(code):
                break
        else:
            raise AssertionError(f"expected somebody to move, got {shown['view']}")


def sensible(view: dict[str, Any], legal: list[dict[str, Any]]) -> dict[str, Any]:
    """Chooses a move that a person might choose; always from the deck, so that games end."""
    if legal[0]["kind"] == "draw":
        return FROM_DECK
    mine = view["expeditions"][view["seat"]]
    held = Counter(card[0] for card in view["hand"])

    def worth(move: dict[str, Any]) -> tuple[int, int]:
        card = move["card"]
        begun, value = bool(mine.get(card[0])), 1 if card[1:] == "$" else int(card[1:])
        if move["kind"] == "play":
            top = mine[card[0]][-1][1:] if begun else "$"
            step = value - (1 if top == "$" else int(top))
            late = view["deck"] < 12
            if begun:
                return (3 if step <= 3 or late else 1, -value)
            return (2 if held[card[0]] >= 3 and view["deck"] > 16 else -1, -value)
        return (0 if begun else 1 if held[card[0]] == 1 else 0, -value)

    return max(legal, key=worth)
