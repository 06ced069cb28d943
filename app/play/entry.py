"""One row of the journal, and what can become of it."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from uuid import UUID

from app.games.value import value


@value
class Entry:
    """One row of the journal.

    `seq` counts from 0 in each room. `kind` is one of `start`, `move`, `undo`, `concede`, `end`,
    `seat`, `wait`; `move_id` is the id that its sender chose. `body` is canonical text. `draws`
    says whether chance was used; `actors` are the seats that owe a decision after it, until `due`.
    """

    room_id: UUID
    seq: int
    seat: int | None
    kind: str
    move_id: str
    body: str
    draws: bool
    actors: tuple[int, ...]
    due: datetime | None
    at: datetime


class Appended(Enum):
    """What became of an entry."""

    WRITTEN = "written"
    """It is on disk."""
    TAKEN = "taken"
    """Another entry has this room and seq: reload, look for the move id, check again."""
    BAD = "bad"
    """The database refuses the values of this row; nothing else failed with it."""
    UNKNOWN = "unknown"
    """The database went away or was too slow: it may be on disk or not, a reload will tell."""


class Unavailable(Exception):
    """The database did not answer; trying again later is right."""
