"""One canonical text for JSON data: bodies of entries, the input of the game seed, records."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii
from typing import Any


def canonical_json(data: Any) -> str:
    r"""Returns the one canonical JSON text of plain data.

    Keys are sorted by code point, there are no spaces, everything but the ASCII from space to `~`
    is escaped (lone surrogates too), whole numbers are in decimal. Tuples are written as lists.

    Raises TypeError for anything that has no single spelling or is no JSON: floats (NaN among
    them), keys that are no strings, bytes, sets and other objects.
    """
    return _text(data)


def _text(data: Any) -> str:
    if isinstance(data, str):
        return encode_basestring_ascii(data)
    if data is None:
        return "null"
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, int):
        return int.__repr__(data)
    if isinstance(data, dict):
        for key in data:
            if not isinstance(key, str):
                raise TypeError(f"expected a string as key, got {type(key).__name__}")
        pairs = [f"{encode_basestring_ascii(key)}:{_text(data[key])}" for key in sorted(data)]
        return "{" + ",".join(pairs) + "}"
    if isinstance(data, list | tuple):
        return "[" + ",".join([_text(item) for item in data]) + "]"
    raise TypeError(f"expected plain JSON data, got {type(data).__name__}")
