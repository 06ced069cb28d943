"""Checks that data is plain JSON data, and a text of it to compare byte for byte."""

from __future__ import annotations

import json
from collections.abc import Mapping

import orjson

from app.games.contract import Json

_NOTHING_ELSE = (
    orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_NON_STR_KEYS
)
"""Objects are no JSON data."""


def text(data: Json) -> str:
    """Returns a JSON text that keeps the order of keys: order could tell something, too."""
    return orjson.dumps(data, option=_NOTHING_ELSE).decode()


def assert_plain(data: Json, where: str) -> None:
    """Fails unless `data` is None, bools, ints, strings, lists and string-keyed dicts only."""
    _check(data, where)
    assert json.loads(text(data)) == data, where
    assert orjson.loads(orjson.dumps(data)) == data, where


def _check(data: Json, where: str) -> None:
    if isinstance(data, Mapping):
        for key, value in data.items():
            assert type(key) is str, f"{where}: key {key!r}"
            _check(value, f"{where}.{key}")
    elif type(data) is list:
        for at, value in enumerate(data):
            _check(value, f"{where}[{at}]")
    else:
        assert data is None or type(data) in (bool, int, str), f"{where}: {type(data).__name__}"
