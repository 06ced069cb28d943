"""The rule by which rooms are kept and cleared away, as every page states it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.rooms.room import Status


@dataclass(frozen=True, slots=True)
class Keeping:
    """How long rooms are kept; 0 means for ever, as do all finished games.

    `room_days` count from when somebody last took or changed a seat of a room where no game has
    begun, `idle_days` from the last entry of a game that is not over.
    """

    room_days: int
    idle_days: int

    def until(self, status: Status, sat: datetime, moved: datetime | None) -> datetime | None:
        """Returns when a room would be cleared away if nothing happened there; None: never.

        `sat` is when somebody last took a seat, `moved` the time of the game's last entry.
        """
        if status == "finished":
            return None
        since, days = (sat, self.room_days) if moved is None else (moved, self.idle_days)
        return since + timedelta(days=days) if days else None

    def before(self, now: datetime) -> tuple[datetime | None, datetime | None]:
        """Returns since when nobody must have sat down, and nobody moved; None: never too long."""
        return (
            now - timedelta(days=self.room_days) if self.room_days else None,
            now - timedelta(days=self.idle_days) if self.idle_days else None,
        )
