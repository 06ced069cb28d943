"""How often one player may say something."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from uuid import UUID

_PLAYERS_KEPT = 10_000


class Pace:
    """At most `most` things of one player within any `seconds`, in all rooms together."""

    def __init__(
        self,
        most: int = 5,
        seconds: float = 10.0,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._said: OrderedDict[UUID, deque[float]] = OrderedDict()

    def wait(self, player_id: UUID) -> float:
        """Counts one thing of a player, if it is within the limit, and returns 0.

        Otherwise returns the seconds until one more is.
        """
        now = self._clock()
        times = self._said.setdefault(player_id, deque(maxlen=self._most))
        if len(times) == self._most and now - times[0] < self._seconds:
            return self._seconds - (now - times[0])
        times.append(now)
        self._said.move_to_end(player_id)
        if len(self._said) > _PLAYERS_KEPT:
            self._said.popitem(last=False)
        return 0.0
