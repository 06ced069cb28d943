"""Sets the clock of a process wrong. Python loads it by itself where PYTHONPATH names this folder.

The file that the variable CLOCK_FILE names holds by how many seconds; it may change at any time.
The clock that only counts on (`time.monotonic`) stays as it is, as on a machine.
"""

from __future__ import annotations

import datetime
import os
import time
from pathlib import Path
from typing import Any

_file = Path(os.environ["CLOCK_FILE"])
_right = datetime.datetime
_time = time.time


def _moved() -> float:
    return _time() + float(_file.read_text())


class _Kind(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, _right)


class _Moved(_right, metaclass=_Kind):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Any:
        return _right.fromtimestamp(_moved(), tz)


time.time = _moved
time.time_ns = lambda: int(_moved() * 1e9)
datetime.datetime = _Moved  # type: ignore[misc]
