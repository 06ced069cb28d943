"""A form that gives a name, pressed twice before its answer came, still makes one guest.

The second press comes from the same page, so it carries the same random key as the first; but the
browser has not seen the first one's cookie yet.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import Any, Final

from app.players.service import Player

KEY_FIELD: Final = "once"
REMEMBERED_SECONDS: Final = 60.0
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{20,64}")

Made = tuple[Player, str]
"""A guest and their token."""


class Newcomers:
    """The guests made lately, by the key of the page whose form made them."""

    def __init__(self, seconds: float = REMEMBERED_SECONDS) -> None:
        self._seconds = seconds
        self._made: dict[str, asyncio.Task[Made]] = {}

    async def known(self, key: str) -> Made | None:
        """Returns the guest of an earlier press, also of one that is still being answered."""
        task = self._made.get(key)
        return None if task is None else await asyncio.shield(task)

    async def made(self, key: str, make: Callable[[], Coroutine[Any, Any, Made]]) -> Made:
        """Returns the guest of this key, by `make` if there is none yet.

        A text that is no key makes a guest each time. Raises what `make` raises.
        """
        if not _KEY.fullmatch(key):
            return await make()
        task = self._made.get(key)
        if task is None:
            task = self._made[key] = asyncio.create_task(make())
            asyncio.get_running_loop().call_later(self._seconds, self._made.pop, key, None)
            task.add_done_callback(lambda done: self._drop_failed(key, done))
        return await asyncio.shield(task)

    def _drop_failed(self, key: str, task: asyncio.Task[Made]) -> None:
        if task.cancelled() or task.exception() is not None:
            self._made.pop(key, None)
