"""A sentence of the host of the house to everybody who has a page open."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import delete, insert, select, update

from app.database import Database, new_id
from app.games.contract import Json
from app.tending.failed import Failed
from app.tending.models import AnnouncementRow

MOST_CHARACTERS: Final = 300
_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is announced, until when."""

    id: UUID
    text: str
    until: datetime

    def wire(self) -> dict[str, Json]:
        """Returns it as wire data."""
        return {"id": str(self.id), "text": self.text, "until": self.until.isoformat()}


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Announcements:
    """Makes announcements, and finds the one that is to be shown: the newest."""

    def __init__(self, database: Database, *, now: Callable[[], datetime] = _utc_now) -> None:
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._now = now

    async def make(self, text: str, lasts: timedelta) -> Announcement:
        """Announces a text from now on, instead of an earlier one. Raises `Failed`."""
        now = self._now()
        made = Announcement(new_id(), clean(text), now + lasts)
        async with self._engine.connect() as link:
            await link.execute(delete(AnnouncementRow))
            await link.execute(
                insert(AnnouncementRow).values(id=made.id, text=made.text, at=now, until=made.until)
            )
        return made

    async def end(self) -> bool:
        """Takes back what is announced; says whether anything was."""
        now = self._now()
        query = (
            update(AnnouncementRow)
            .where(AnnouncementRow.until > now)
            .values(until=now)
            .returning(AnnouncementRow.id)
        )
        async with self._engine.connect() as link:
            return bool((await link.scalars(query)).all())

    async def current(self) -> Announcement | None:
        """Returns what is announced now."""
        query = (
            select(AnnouncementRow.id, AnnouncementRow.text, AnnouncementRow.until)
            .where(AnnouncementRow.until > self._now())
            .order_by(AnnouncementRow.at.desc())
            .limit(1)
        )
        async with self._engine.connect() as link:
            row = (await link.execute(query)).one_or_none()
        return None if row is None else Announcement(*row)


def clean(text: str) -> str:
    """Returns a text in one line that cannot disturb a page. Raises `Failed`."""
    spaced = " ".join(unicodedata.normalize("NFC", text).split())
    plain = "".join(char for char in spaced if unicodedata.category(char) not in _DROPPED)
    if not plain.strip():
        raise Failed("The announcement is empty. Write a sentence.")
    if len(plain) > MOST_CHARACTERS:
        raise Failed(
            f"The announcement has {len(plain)} characters. Use at most {MOST_CHARACTERS}."
        )
    return plain
