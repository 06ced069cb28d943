"""What processes that serve one database tell each other, and the bus of a process that is alone.

A message holds nothing that must not be lost: the database is what is true. It is heard at once by
whoever listens in the process that publishes it, and a moment later by the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar
from uuid import UUID

from app.games.contract import Json


@dataclass(frozen=True, slots=True)
class Hint:
    """A room has reached entry `v` of its journal, or change `r`; None where that is unchanged.

    `sender` is the process that tells it, None for this one; so it is for all messages.
    """

    room_id: UUID
    v: int | None = None
    r: int | None = None
    sender: str | None = None


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line of a room's chat, as wire data (`chat.lines.Line.wire`)."""

    room_id: UUID
    line: Mapping[str, Json]
    sender: str | None = None


@dataclass(frozen=True, slots=True)
class News:
    """Something for the whole house, whichever rooms it is about; `kind` says what `facts` are."""

    kind: str
    facts: Mapping[str, Json]
    sender: str | None = None


Message: TypeAlias = Hint | Spoken | News
M = TypeVar("M", Hint, Spoken, News)


class Bus(Protocol):
    """How a process tells others, and hears them."""

    @property
    def name(self) -> str:
        """The name of this process, by which others know it as a `sender`."""
        ...

    @property
    def remote(self) -> bool:
        """Whether there may be other processes."""
        ...

    @property
    def connected(self) -> bool:
        """Whether they are heard now."""
        ...

    async def start(self) -> None:
        """Begins to tell and hear others, if they can be reached by now; else it goes on trying."""
        ...

    async def stop(self) -> None:
        """Ends that."""
        ...

    def listen(self, kind: type[M], ear: Callable[[M], None]) -> None:
        """Has `ear` called with each message of a kind, from wherever."""
        ...

    def on_connect(self, ear: Callable[[], None]) -> None:
        """Has `ear` called each time that others can be heard again, or for the first time.

        What they told meanwhile is lost.
        """
        ...

    def publish(self, message: Message) -> None:
        """Tells everyone who listens. Returns at once and raises nothing."""
        ...

    async def follow(self, room_id: UUID) -> None:
        """Has what others tell of a room heard here, until `unfollow` was called as often.

        Returns once that is so, or cannot be so soon: then the room is not `followed`. What is read
        of the room afterwards is older than nothing that was not heard.
        """
        ...

    def unfollow(self, room_id: UUID) -> None:
        """Ends one `follow`."""
        ...

    def followed(self, room_id: UUID) -> bool:
        """Tells whether everything that others tell of a room is heard here now."""
        ...


class Ears:
    """Those who listen to the messages of a bus, by kind."""

    def __init__(self) -> None:
        self._ears: dict[type[Message], list[Callable[[Any], None]]] = {}

    def listen(self, kind: type[M], ear: Callable[[M], None]) -> None:
        """Has `ear` called with each message of a kind."""
        self._ears.setdefault(kind, []).append(ear)

    def hear(self, message: Message) -> None:
        """Tells everyone who listens to messages of this kind."""
        for ear in self._ears.get(type(message), ()):
            ear(message)


class LocalBus:
    """The bus of a process that is alone with its database: it hears itself, and misses nothing."""

    name = "alone"
    remote = False
    connected = True

    def __init__(self) -> None:
        self._ears = Ears()
        self.listen = self._ears.listen
        self.publish = self._ears.hear

    async def start(self) -> None:
        """Does nothing: there is nobody to be reached."""

    async def stop(self) -> None:
        """Does nothing."""

    def on_connect(self, ear: Callable[[], None]) -> None:
        """Does nothing: there is nobody else to be heard."""

    async def follow(self, room_id: UUID) -> None:
        """Does nothing: every message is heard."""

    def unfollow(self, room_id: UUID) -> None:
        """Does nothing."""

    def followed(self, room_id: UUID) -> bool:  # noqa: ARG002 - as `Bus` has it
        """Returns True."""
        return True
