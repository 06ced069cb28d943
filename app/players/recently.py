"""What happened lately, and is forgotten by itself."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Recently(Generic[T]):
    """A set whose members are in it for `seconds` after they were last added."""

    def __init__(self, seconds: float, *, clock: Callable[[], float] = monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._added: OrderedDict[T, float] = OrderedDict()

    def __contains__(self, member: T) -> bool:
        added = self._added.get(member)
        return added is not None and self._clock() - added < self._seconds

    def __len__(self) -> int:
        return len(self._added)

    def add(self, member: T) -> None:
        """Adds a member, and forgets those whose time is over."""
        now = self._clock()
        self._added[member] = now
        self._added.move_to_end(member)
        while now - next(iter(self._added.values())) >= self._seconds:
            self._added.popitem(last=False)
