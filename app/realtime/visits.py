"""Who looked at a room's page lately: players without a script have no socket to be seen by."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final
from uuid import UUID

VISIT_SECONDS: Final = 45.0
"""How long somebody counts as present after looking at the page."""


class Visits:
    """Players by room, each for some seconds after their last look at its page.

    `changed` is called with the room whenever somebody comes or goes.
    """

    def __init__(self, changed: Callable[[UUID], None], seconds: float = VISIT_SECONDS) -> None:
        self._changed = changed
        self._seconds = seconds
        self._timers: dict[UUID, dict[UUID, asyncio.TimerHandle]] = {}

    @property
    def rooms(self) -> frozenset[UUID]:
        """The rooms that somebody looked at lately."""
        return frozenset(self._timers)

    def of(self, room_id: UUID) -> frozenset[UUID]:
        """Returns the players who looked at the room lately."""
        return frozenset(self._timers.get(room_id, ()))

    def note(self, room_id: UUID, player_id: UUID) -> None:
        """Counts a look at the page."""
        timers = self._timers.setdefault(room_id, {})
        before = timers.get(player_id)
        loop = asyncio.get_running_loop()
        timers[player_id] = loop.call_later(self._seconds, self._ends, room_id, player_id)
        if before is None:
            self._changed(room_id)
        else:
            before.cancel()

    def forget(self, room_id: UUID, player_id: UUID) -> None:
        """Drops a look without telling: from now on a socket shows that the player is there."""
        timers = self._timers.get(room_id, {})
        timer = timers.pop(player_id, None)
        if timer is not None:
            timer.cancel()
        if not timers:
            self._timers.pop(room_id, None)

    def clear(self) -> None:
        """Drops everything."""
        for room_id, timers in list(self._timers.items()):
            for player_id in list(timers):
                self.forget(room_id, player_id)

    def _ends(self, room_id: UUID, player_id: UUID) -> None:
        self.forget(room_id, player_id)
        self._changed(room_id)
