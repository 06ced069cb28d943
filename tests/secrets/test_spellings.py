"""The search finds what it is there to find."""

from __future__ import annotations

import base64
import json

import pytest

from tests.secrets.spellings import spellings, text_spellings

SECRET = bytes(range(7, 39))
HIDDEN = {
    "bytes": b"..." + SECRET + b"...",
    "hexadecimal": b'{"seed":"' + SECRET.hex().encode() + b'"}',
    "capitals": SECRET.hex().upper().encode(),
    "a part": SECRET[:16].hex().encode(),
    "base64": base64.b64encode(SECRET),
    "base64 after one byte": base64.b64encode(b"x" + SECRET),
    "base64 after two bytes": base64.urlsafe_b64encode(b"xy" + SECRET),
    "a number": str(int.from_bytes(SECRET, "big")).encode(),
    "a list": json.dumps(list(SECRET)).encode(),
    "Python": repr(SECRET).encode(),
}


@pytest.mark.parametrize("way", HIDDEN)
def test_every_spelling_of_a_secret_is_found(way: str) -> None:
    assert any(one in HIDDEN[way] for one in spellings(SECRET))


def test_nothing_is_found_where_nothing_is() -> None:
    other = bytes(range(107, 139))
    innocent = other.hex().encode() + base64.b64encode(other[::-1])
    assert not any(one in innocent for one in spellings(SECRET))


def test_a_token_is_found_in_a_header() -> None:
    token = "k3J_9sQ-2LxYw81mNnZb0aPq"
    assert any(one in f"cookie: motherlode={token};".encode() for one in text_spellings(token))
