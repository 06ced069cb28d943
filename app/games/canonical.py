"""One canonical text for JSON data: bodies of entries, the input of the game seed, records."""

from __future__ import annotations

import json
from typing import Any

_ENCODER = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":")
)


def canonical_json(data: Any) -> str:
    r"""Returns the one canonical JSON text of plain data.

    Keys are sorted by code point, there are no spaces, everything but the ASCII from space to `~`
    is escaped (lone surrogates too), whole numbers are in decimal. Tuples are written as lists.

    Raises TypeError for anything that has no single spelling or is no JSON: floats (NaN among
    them), keys that are no strings, bytes, sets and other objects.
    """
    _check(data)
    return _ENCODER.encode(data)


def _check(data: Any) -> None:
    if data is None or isinstance(data, str | int):
        return
    if isinstance(data, dict):
        for key, value in data.items():
            if not isinstance(key, str):
                raise TypeError(f"expected a string as key, got {type(key).__name__}")
            _check(value)
    elif isinstance(data, list | tuple):
        for item in data:
            _check(item)
    else:
        raise TypeError(f"expected plain JSON data, got {type(data).__name__}")
