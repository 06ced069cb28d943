"""Who is at which rooms of other processes.

Each process tells the others on each change, and everything now and then: what was lost on the way
is right again soon, and who is told nothing of for a while is taken to be gone, as a killed process
says no goodbye.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from app.games.contract import Json
from app.realtime.background import Steady
from app.realtime.bus import Bus, News

TELL_SECONDS: Final = 20.0
"""How often everything is told."""
SILENT_SECONDS: Final = 45.0
"""After so long without a word, nobody is there any more."""
LOOK_SECONDS: Final = 5.0
SOON_SECONDS: Final = 0.05
"""How long changes wait for further ones."""
AT_ONCE: Final = 200
"""Rooms in one message: far less than the megabyte that NATS takes."""

THERE: Final = "there"
WHO: Final = "who"
GONE: Final = "gone"


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who is at a room: players, and how many whom nobody knows."""

    players: frozenset[UUID] = frozenset()
    nameless: int = 0

    def __or__(self, other: Attendance) -> Attendance:
        return Attendance(self.players | other.players, self.nameless + other.nameless)


NOBODY: Final = Attendance()


class Roll(Steady):
    """Tells who is `here` at each of `rooms`, and hears who is elsewhere.

    `changed` is called with each room at which somebody came or went elsewhere.
    """

    def __init__(
        self,
        bus: Bus,
        here: Callable[[UUID], Attendance],
        rooms: Callable[[], Collection[UUID]],
        changed: Callable[[UUID], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._bus = bus
        self._here = here
        self._rooms = rooms
        self._changed = changed
        self._clock = clock
        self._heard: dict[UUID, dict[str, tuple[float, Attendance]]] = {}
        self._fresh: set[UUID] = set()
        self._everything = asyncio.Event()
        bus.listen(News, self._news)
        bus.on_connect(self._connected)

    def stop(self) -> None:
        """Says goodbye."""
        super().stop()
        self._bus.publish(News(GONE, {}))

    def of(self, room_id: UUID) -> Attendance:
        """Returns who is at a room elsewhere."""
        crowd = NOBODY
        for _, there in self._heard.get(room_id, {}).values():
            crowd |= there
        return crowd

    def came_or_went(self, room_id: UUID) -> None:
        """Has the others told, soon, that somebody came or went here."""
        if not self._fresh:
            asyncio.get_running_loop().call_later(SOON_SECONDS, self._tell_fresh)
        self._fresh.add(room_id)

    def forget_silent(self) -> None:
        """Takes those for gone of whom nothing was told for long.

        While nobody can be heard, silence means nothing.
        """
        if not self._bus.connected:
            return
        before = self._clock() - SILENT_SECONDS
        for room_id, told in list(self._heard.items()):
            for sender in [sender for sender, (at, _) in told.items() if at < before]:
                self._put(room_id, sender, NOBODY)

    async def _run(self) -> None:
        told = self._clock()
        while True:
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._everything.wait()
            except TimeoutError:
                self.forget_silent()
            if self._everything.is_set() or self._clock() - told >= TELL_SECONDS:
                self._everything.clear()
                told = self._clock()
                for rooms in _parts(self._rooms()):
                    self._tell(rooms)
                    await asyncio.sleep(0)

    def _tell_fresh(self) -> None:
        fresh, self._fresh = self._fresh, set()
        for rooms in _parts(fresh):
            self._tell(rooms)

    def _tell(self, rooms: Iterable[UUID]) -> None:
        said: dict[str, Json] = {}
        for room_id in rooms:
            crowd = self._here(room_id)
            players: list[Json] = [str(player) for player in crowd.players]
            said[str(room_id)] = [crowd.nameless, *players]
        self._bus.publish(News(THERE, {"rooms": said}))

    def _connected(self) -> None:
        """Begins anew with those who may have come and gone unheard."""
        now = self._clock()
        for told in self._heard.values():
            for sender, (_, crowd) in told.items():
                told[sender] = now, crowd
        self._everything.set()
        self._bus.publish(News(WHO, {}))

    def _news(self, news: News) -> None:
        if news.sender is None:
            return
        if news.kind == WHO:
            self._everything.set()
        elif news.kind == GONE:
            for room_id in list(self._heard):
                self._put(room_id, news.sender, NOBODY)
        elif news.kind == THERE:
            for room_id, crowd in _read(news.facts):
                self._put(room_id, news.sender, crowd)

    def _put(self, room_id: UUID, sender: str, crowd: Attendance) -> None:
        told = self._heard.get(room_id, {})
        _, before = told.get(sender, (0.0, NOBODY))
        if crowd != NOBODY:
            self._heard.setdefault(room_id, told)[sender] = self._clock(), crowd
        elif told.pop(sender, None) is not None and not told:
            del self._heard[room_id]
        if crowd != before:
            self._changed(room_id)


def _parts(rooms: Iterable[UUID]) -> Iterable[Sequence[UUID]]:
    every = list(rooms)
    for begin in range(0, len(every), AT_ONCE):
        yield every[begin : begin + AT_ONCE]


def _read(facts: Mapping[str, Json]) -> Iterable[tuple[UUID, Attendance]]:
    rooms = facts["rooms"]
    assert isinstance(rooms, dict)
    for room_id, crowd in rooms.items():
        assert isinstance(crowd, list)
        nameless, *players = crowd
        assert isinstance(nameless, int)
        yield UUID(room_id), Attendance(frozenset(UUID(str(one)) for one in players), nameless)
