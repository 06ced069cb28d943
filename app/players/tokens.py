"""Secrets that are handed out once and kept as their SHA-256: tokens of devices, codes in links."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

TOKEN_LONGEST: Final = 128
_TOKEN_BYTES: Final = 32
_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""No two of them look alike, so that a code can be typed from another screen."""
_CODE_LETTERS: Final = 12
_GROUP: Final = 4


def new_token() -> str:
    """Returns a token of 256 random bits."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def new_code() -> str:
    """Returns a code of 59 random bits, as it is shown: `k7mw-3qht-x9pd`."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LETTERS))
    return "-".join(letters[at : at + _GROUP] for at in range(0, _CODE_LETTERS, _GROUP))


def hashed(token: str) -> bytes | None:
    """Returns the SHA-256 of a token; None for a text that cannot be one."""
    if not token.isascii() or not 0 < len(token) <= TOKEN_LONGEST:
        return None
    return hashlib.sha256(token.encode("ascii")).digest()


def hashed_code(code: str) -> bytes | None:
    """Returns the SHA-256 of a code however it is spelled; None for a text that cannot be one."""
    letters = "".join(char for char in code[:TOKEN_LONGEST].lower() if char.isalnum())
    if len(letters) != _CODE_LETTERS or not set(letters) <= set(_LETTERS):
        return None
    return hashlib.sha256(letters.encode("ascii")).digest()
