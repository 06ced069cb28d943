"""Who is told to be at rooms of other processes, and who is taken to be gone."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from app.players.recently import Recently
from app.realtime.bus import LocalBus, Message, News
from app.realtime.roll import NOBODY, SILENT_SECONDS, Attendance, Roll

ROOM, ANN, BO = UUID(int=1), UUID(int=2), UUID(int=3)


class Line(LocalBus):
    """A bus whose other end is the test: it says when others are heard, and what they say."""

    def __init__(self) -> None:
        super().__init__()
        self.connected = True
        self.connect: list[Callable[[], None]] = []
        self.said: list[Message] = []
        self.listen(News, self.said.append)

    def on_connect(self, ear: Callable[[], None]) -> None:
        """Keeps who wants to know."""
        self.connect.append(ear)


def there(sender: str, *players: UUID, nameless: int = 0) -> News:
    """Returns what a process tells of the room."""
    return News("there", {"rooms": {str(ROOM): [nameless, *map(str, players)]}}, sender)


def test_who_is_elsewhere_is_known_until_they_go_their_process_goes_or_it_is_silent() -> None:
    now, bus, changed = 0.0, Line(), list[UUID]()
    roll = Roll(bus, lambda _: NOBODY, list, changed.append, clock=lambda: now)
    bus.publish(there("a", ANN, nameless=2))
    bus.publish(there("a", ANN, nameless=2))
    bus.publish(there("b", BO))
    assert roll.of(ROOM) == Attendance(frozenset({ANN, BO}), 2)
    assert changed == [ROOM, ROOM]
    bus.publish(there("a"))
    assert roll.of(ROOM) == Attendance(frozenset({BO}))
    bus.publish(there("a", ANN))
    bus.publish(News("gone", {}, "b"))
    assert roll.of(ROOM) == Attendance(frozenset({ANN}))
    now = SILENT_SECONDS + 1
    bus.connected = False
    roll.forget_silent()
    assert roll.of(ROOM).players == {ANN}, "nobody is heard now, so silence means nothing"
    bus.connected = True
    for ear in bus.connect:
        ear()
    roll.forget_silent()
    assert roll.of(ROOM).players == {ANN}, "others are just being asked"
    assert bus.said[-1] == News("who", {})
    now += SILENT_SECONDS + 1
    roll.forget_silent()
    assert roll.of(ROOM) == NOBODY


def test_what_happened_lately_is_forgotten() -> None:
    now = 0.0
    lately = Recently[int](10, clock=lambda: now)
    for one in range(1000):
        now += 1
        lately.add(one)
    assert 999 in lately
    assert 989 not in lately
    assert len(lately) == 10
