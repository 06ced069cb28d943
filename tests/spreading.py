"""How the tests are spread over the workers of a run (`pytest -n`)."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from xdist.scheduler.loadscope import LoadScopeScheduling

ROOT = Path(__file__).resolve().parent.parent
_SHARED = re.compile(r'scope="(module|class)"|shared_database_url')


@cache
def shares(path: str) -> bool:
    """Tells whether the tests of a file share something that takes long to make: a house, a game.

    On two workers it would be made twice.
    """
    return _SHARED.search((ROOT / path).read_text(encoding="utf-8")) is not None


class Spreading(LoadScopeScheduling):  # type: ignore[misc]  # xdist tells no types
    """A file whose tests share something stays with one worker; all other tests go where is room.

    What belongs together is begun first, so that no worker is left alone with it at the end.
    """

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.split("::", 1)[0]
        return path if shares(path) else nodeid
