"""The provable shuffle: a promise before the deal, a seed that no side chooses alone.

The server promises its secret (`commitment`) when the room is made. Each browser promises 32
bytes of its own (`digest`) when it sits down and shows them (`r`) only after the start froze
everything else. The game seed is made of all of them. The exact recipe, with worked examples, is
in docs/protocol.md; what it proves and what it does not is in docs/security.md.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from app.games.canonical import canonical_json
from app.games.contract import Json

SECRET_BYTES = 32
"""Bytes of the server seed, of each `r` and of every hash."""

WORDS_READ_ALOUD = 4

_HEX = re.compile(r"[0-9a-f]{64}")


def new_server_seed() -> bytes:
    """Draws the secret of a new room from the system's randomness."""
    return secrets.token_bytes(SECRET_BYTES)


def read_hex(text: object) -> bytes | None:
    """Reads 32 bytes written as 64 lower-case hexadecimal digits; None for anything else."""
    if isinstance(text, str) and _HEX.fullmatch(text):
        return bytes.fromhex(text)
    return None


def digest(r: bytes) -> bytes:
    """Returns what a browser sends when it sits down: SHA-256 of its 32 bytes."""
    return hashlib.sha256(r).digest()


def commitment(server_seed: bytes) -> str:
    """Returns the room's promise: SHA-256 of the server seed in lower-case hexadecimal."""
    return hashlib.sha256(server_seed).hexdigest()


def words(promise: str) -> tuple[str, ...]:
    """Returns the four words of a commitment, one for each of its first four bytes."""
    listed = word_list()
    return tuple(listed[byte] for byte in bytes.fromhex(promise)[:WORDS_READ_ALOUD])


@cache
def word_list() -> tuple[str, ...]:
    """Returns the 256 words, in alphabetical order, that stand for the values of a byte."""
    return tuple(Path(__file__).with_name("words.txt").read_text("ascii").split())


def seed_text(
    *,
    room: str,
    game: str,
    rules_version: int,
    options: Mapping[str, Json],
    r: Sequence[str | None],
) -> str:
    """Returns the canonical text that the game seed is made from.

    `room` is the room's code; `r` has one item for each seat: 64 hexadecimal digits, or None for
    a seat that gave none in time.
    """
    return canonical_json(
        {
            "room": room,
            "game": game,
            "rules_version": rules_version,
            "options": dict(options),
            "r": list(r),
        }
    )


def game_seed(
    server_seed: bytes,
    *,
    room: str,
    game: str,
    rules_version: int,
    options: Mapping[str, Json],
    r: Sequence[str | None],
) -> bytes:
    """Returns the 32 bytes that `Chance` starts from: HMAC-SHA256 of `seed_text` under the secret.

    It must not leave the server before the game is over.
    """
    text = seed_text(room=room, game=game, rules_version=rules_version, options=options, r=r)
    return hmac.digest(server_seed, text.encode("ascii"), hashlib.sha256)
