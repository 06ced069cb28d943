"""What a game tells the suite beside the contract, found by its key under tests/games/<key>/.

`pieces.py`: `pieces(state) -> Counter[str]` counts all components, wherever they are.
`endings.py`: `ENDINGS` lists (reason, tie_break) of each way the game can end.
"""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import Any

Ending = tuple[str, str | None]


def pieces(key: str, state: Any) -> Counter[str]:
    """Returns the components of a game in this state."""
    counted: Counter[str] = import_module(f"tests.games.{key}.pieces").pieces(state)
    return counted


def endings(key: str) -> frozenset[Ending]:
    """Returns the ways in which a game can end."""
    return frozenset(import_module(f"tests.games.{key}.endings").ENDINGS)
