"""Who looks at a page of this house just now, so that they need not be told of their turn.

With several processes each tells the others, of many at once.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import Final
from uuid import UUID

from app.games.contract import Json
from app.realtime.bus import Bus, News

LOOK_SECONDS: Final = 30.0
"""How long somebody counts as looking after their page said so."""
TELL_SECONDS: Final = 1.0
"""How long that waits to be told: less than a question rests before anybody is told of it."""
AT_ONCE: Final = 2000
"""Players in one message."""

LOOKING: Final = "looking"
LEFT: Final = "left"


class Attention:
    """Players by when they last looked.

    A page in sight says so again and again. When the last socket of a player closes, so did the
    page, and what it said is forgotten.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, *, bus: Bus | None = None
    ) -> None:
        self._clock = clock
        self._looked: dict[UUID, float] = {}
        self._sockets: Counter[UUID] = Counter()
        self._tidied = clock()
        self._bus = bus if bus is not None and bus.remote else None
        self._news: dict[UUID, str] = {}
        if self._bus is not None:
            self._bus.listen(News, self._heard)

    def lately(self, player_id: UUID) -> bool:
        """Tells whether a player has looked in the last `LOOK_SECONDS`."""
        looked = self._looked.get(player_id)
        return looked is not None and self._clock() - looked < LOOK_SECONDS

    def seen(self, player_id: UUID | None) -> None:
        """Notes that a player looks; None: somebody without a name."""
        if player_id is None:
            return
        self._note(player_id)
        self._tell(player_id, LOOKING)

    def _note(self, player_id: UUID) -> None:
        now = self._clock()
        if now - self._tidied >= LOOK_SECONDS:
            # Who read a page without a script has no socket that closes.
            self._looked = {one: at for one, at in self._looked.items() if self.lately(one)}
            self._tidied = now
        self._looked[player_id] = now

    def opened(self, player_id: UUID | None) -> None:
        """Counts a socket."""
        if player_id is not None:
            self._sockets[player_id] += 1

    def closed(self, player_id: UUID | None) -> None:
        """Counts a socket that is closed."""
        if player_id is None:
            return
        self._sockets[player_id] -= 1
        if self._sockets[player_id] <= 0:
            del self._sockets[player_id]
            if self._looked.pop(player_id, None) is not None:
                self._tell(player_id, LEFT)

    def _tell(self, player_id: UUID, what: str) -> None:
        if self._bus is None:
            return
        if not self._news:
            asyncio.get_running_loop().call_later(TELL_SECONDS, self._publish)
        self._news[player_id] = what

    def _publish(self) -> None:
        news, self._news = self._news, {}
        assert self._bus is not None
        for kind in (LOOKING, LEFT):
            players: list[Json] = [str(one) for one, what in news.items() if what == kind]
            for begin in range(0, len(players), AT_ONCE):
                self._bus.publish(News(kind, {"players": players[begin : begin + AT_ONCE]}))

    def _heard(self, news: News) -> None:
        if news.sender is None or news.kind not in {LOOKING, LEFT}:
            return
        players = news.facts["players"]
        assert isinstance(players, list)
        for player in players:
            player_id = UUID(str(player))
            if news.kind == LOOKING:
                self._note(player_id)
            elif player_id not in self._sockets:
                self._looked.pop(player_id, None)
