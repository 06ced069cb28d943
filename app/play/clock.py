"""The time for a move, on the server's clock alone: counted from what the journal says.

A seat's time begins with the entry after which it was asked, or with a later one that gives it the
whole time again: a `wait` for it, or a `seat` entry by which somebody else or its own player plays
it. So the same entries give the same moments in every process and after every restart, and the
time goes on while the server does not run. Nothing happens by itself when a time is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from typing import Final

from app.games.value import value
from app.play.entry import Entry
from app.play.position import Position
from app.play.seating import SEAT, WAIT

CHOICES: Final = (60, 120, 300, 600, 1800, 3600, 4 * 3600, 12 * 3600, 24 * 3600, 72 * 3600)
"""The times for a move, in seconds, that a host may choose from; without one there is no clock."""
PATIENCE: Final = timedelta(minutes=10)
"""Without a clock: how long a seat may be silent before the others are asked what to do."""


@value
class Times:
    """Since when each seat that owes a decision has owed it.

    `limit` is the time for a move, None without a clock. `waited` are the seats that the others
    gave more time, until they are asked something else.
    """

    limit: timedelta | None = None
    since: Mapping[int, datetime] = field(default_factory=dict)
    waited: frozenset[int] = frozenset()

    def after(self, position: Position, kind: str, seat: int | None, at: datetime) -> Times:
        """Returns the times after an entry of that kind, which led to `position` at `at`."""
        renewed = seat if kind in (SEAT, WAIT) else None
        since = {
            actor: at if asked.n == position.v or actor == renewed else self.since.get(actor, at)
            for actor, asked in position.asked.items()
        }
        waited = {one for one in self.waited if one in since and since[one] != at}
        if kind == WAIT and seat is not None:
            waited.add(seat)
        return Times(self.limit, since, frozenset(waited))

    def due(self, position: Position, seat: int) -> datetime | None:
        """Returns until when a seat has to decide; None without a clock, and for a bot."""
        since = self.since.get(seat)
        if self.limit is None or since is None or seat in position.bots:
            return None
        return since + self.limit

    def patience(self, seat: int) -> datetime | None:
        """Returns from when on a seat that owes a decision has been silent for too long."""
        since = self.since.get(seat)
        return None if since is None else since + (self.limit or PATIENCE)


def begun(position: Position, opening: Entry) -> Times:
    """Returns the times after the deal; the first entry's `due` tells the time for a move."""
    limit = None if opening.due is None else opening.due - opening.at
    return Times(limit).after(position, opening.kind, None, opening.at)


def earliest(times: Times, position: Position) -> datetime | None:
    """Returns the first moment at which somebody's time is over."""
    dues = (times.due(position, seat) for seat in position.asked)
    return min((due for due in dues if due is not None), default=None)
