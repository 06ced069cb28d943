"""The tables of announcements and of the processes that serve this database."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import DateTime
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base


class AnnouncementRow(Base):
    """A sentence of the host that every open page shows, from `at` to `until`."""

    __tablename__ = "announcements"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    text: Mapped[str]
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    until: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class ProcessRow(Base):
    """A process that serves this database, as it last told of itself at `seen_at`."""

    __tablename__ = "processes"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    host: Mapped[str]
    pid: Mapped[int]
    sockets: Mapped[int]
    tables: Mapped[int]
    started_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    seen_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
