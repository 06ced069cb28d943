"""The tables of journal entries, and of snapshots beside them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, DateTime, LargeBinary, SmallInteger, Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base


class JournalRow(Base):
    """One entry of a room's journal; rows are only ever added.

    The primary key is what keeps two writers from both writing one entry. There is no foreign key
    and no other unique key, so that writing looks nothing up.
    """

    __tablename__ = "journal"
    __table_args__ = (
        CheckConstraint(
            "kind in ('start', 'move', 'undo', 'concede', 'end', 'seat', 'wait')",
            name="kind",
        ),
    )

    room_id: Mapped[UUID] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int | None] = mapped_column(SmallInteger)
    kind: Mapped[str]
    move_id: Mapped[str]
    body: Mapped[str] = mapped_column(Text)
    draws: Mapped[bool]
    actors: Mapped[list[int]] = mapped_column(ARRAY(SmallInteger))
    due: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class SnapshotRow(Base):
    """Where a running game stood after entry `seq`: a cache, see `app/play/snapshots.py`.

    `made_by` is the program that can read `body`.
    """

    __tablename__ = "snapshots"

    room_id: Mapped[UUID] = mapped_column(primary_key=True)
    seq: Mapped[int]
    made_by: Mapped[str]
    body: Mapped[bytes] = mapped_column(LargeBinary)
