"""Who looks at a page of this house just now, so that they need not be told of their turn."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Final
from uuid import UUID

LOOK_SECONDS: Final = 30.0
"""How long somebody counts as looking after their page said so."""


class Attention:
    """Players by when they last looked.

    A page in sight says so again and again. When the last socket of a player closes, so did the
    page, and what it said is forgotten.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._looked: dict[UUID, float] = {}
        self._sockets: Counter[UUID] = Counter()
        self._tidied = clock()

    def lately(self, player_id: UUID) -> bool:
        """Tells whether a player has looked in the last `LOOK_SECONDS`."""
        looked = self._looked.get(player_id)
        return looked is not None and self._clock() - looked < LOOK_SECONDS

    def seen(self, player_id: UUID | None) -> None:
        """Notes that a player looks; None: somebody without a name."""
        if player_id is None:
            return
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
            self._looked.pop(player_id, None)
