"""How fast one player may speak, over however many sockets."""

from __future__ import annotations


class Bucket:
    """A token bucket: `rate` a second on average, twice that at once; 0 stands for no limit."""

    __slots__ = ("__weakref__", "_at", "_left", "_rate")

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._left = 2.0 * rate
        self._at = 0.0

    def take(self, now: float) -> bool:
        """Takes one token at time `now` (seconds, monotonic); returns False if there is none."""
        if self._rate == 0:
            return True
        self._left = min(2.0 * self._rate, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
