"""Hints that something in a room has changed, to whoever serves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Hint:
    """A room has reached entry `v` of its journal, or change `r`; None where that is unchanged.

    A hint holds no state and may be lost: the database is what is true.
    """

    room_id: UUID
    v: int | None = None
    r: int | None = None


class LocalBus:
    """The bus of a single process: a hint is heard at once."""

    def __init__(self) -> None:
        self._ears: list[Callable[[Hint], None]] = []

    def listen(self, ear: Callable[[Hint], None]) -> None:
        """Has `ear` called with each hint."""
        self._ears.append(ear)

    def publish(self, hint: Hint) -> None:
        """Tells everyone who listens."""
        for ear in self._ears:
            ear(hint)
