"""A form that is pressed twice before its answer came still makes one guest, or one room.

The second press comes from the same page, so it carries the same random key as the first; but the
browser has not seen the first one's cookie yet.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import Any, Final, Generic, TypeVar

KEY_FIELD: Final = "once"
REMEMBERED_SECONDS: Final = 60.0
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{20,64}")

Made = TypeVar("Made")


class Once(Generic[Made]):
    """What was made lately, by the key of the page whose form made it.

    Where the same page may ask for different things, `said` is what this press asked for.
    """

    def __init__(self, seconds: float = REMEMBERED_SECONDS) -> None:
        self._seconds = seconds
        self._made: dict[tuple[str, str], asyncio.Task[Made]] = {}

    async def known(self, key: str) -> Made | None:
        """Returns what an earlier press made, also one that is still being answered."""
        task = self._made.get((key, ""))
        return None if task is None else await asyncio.shield(task)

    def forget(self, key: str) -> None:
        """Has the next press of the same form make something new."""
        self._made.pop((key, ""), None)

    async def made(
        self, key: str, make: Callable[[], Coroutine[Any, Any, Made]], said: str = ""
    ) -> Made:
        """Returns what there is of this key, by `make` if there is nothing yet.

        A text that is no key has something made each time. Raises what `make` raises.
        """
        if not _KEY.fullmatch(key):
            return await make()
        at = (key, said)
        task = self._made.get(at)
        if task is None:
            task = self._made[at] = asyncio.create_task(make())
            asyncio.get_running_loop().call_later(self._seconds, self._made.pop, at, None)
            task.add_done_callback(lambda done: self._drop_failed(at, done))
        return await asyncio.shield(task)

    def _drop_failed(self, at: tuple[str, str], task: asyncio.Task[Made]) -> None:
        if task.cancelled() or task.exception() is not None:
            self._made.pop(at, None)
