"""Finds out what was not heard of rooms: hints can be lost, and so can the bus for a while."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from uuid import UUID

from app.realtime.elsewhere import Elsewhere, Version
from app.realtime.live import Live


class Comparing:
    """Compares rooms that somebody is connected to with the database.

    `ears` are called with each room's version, whether it is known already or not.
    """

    def __init__(self, lives: Mapping[UUID, Live], elsewhere: Elsewhere) -> None:
        self.ears: list[Callable[[Version], None]] = []
        self._lives = lives
        self._elsewhere = elsewhere

    async def look(self) -> None:
        """Compares all of them. Raises SQLAlchemyError, OSError."""
        if self._lives:
            await self.compare(tuple(self._lives))

    async def compare(self, ids: Collection[UUID]) -> None:
        """Compares some rooms, in one query. Raises SQLAlchemyError, OSError."""
        for version in await self._elsewhere.versions(ids):
            for ear in self.ears:
                ear(version)
