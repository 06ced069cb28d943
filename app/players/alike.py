"""Names that look alike, and telling them apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache


def told_apart(names: Sequence[str]) -> list[str]:
    """Returns names in the same order; of those that look alike, later ones are marked."""
    told: list[str] = []
    count: dict[str, int] = {}
    for name in names:
        alike = _alike(name)
        count[alike] = count.get(alike, 0) + 1
        told.append(f"{name} ({count[alike]})" if count[alike] > 1 else name)
    return told


@lru_cache(maxsize=4096)
def _alike(name: str) -> str:
    """Returns what names that look alike have in common."""
    return unicodedata.normalize("NFKC", name).translate(_LOOK_ALIKES).casefold()


_LOOK_ALIKES = str.maketrans("АВЕКМНОРСТХаеорсухіІ", "ABEKMHOPCTXaeopcyxiI")  # noqa: RUF001
"""Cyrillic letters that look like Latin ones."""
