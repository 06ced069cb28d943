"""All that a table knows of its game, and that as bytes, for this very program to read again."""

from __future__ import annotations

import io
import pickle
import sys
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta, timezone
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Final

from app.games.registry import Registry
from app.games.value import value
from app.play.clock import Times, begun
from app.play.entry import Entry
from app.play.history import Told, start
from app.play.opening import Deal, read_opening
from app.play.position import Position

_OF_THE_OPENING: Final = frozenset({"game", "seats"})
_DIGEST_BYTES: Final = sha256().digest_size
_FIELDS: Final = tuple(one.name for one in fields(Position) if one.name not in _OF_THE_OPENING)


@value
class Standing:
    """Where a game stands, and what is remembered of how it came there.

    `told` are the newest entries' events, oldest first, `accepted` seat, move id and entry of the
    messages that were accepted lately. `starts` is the seat that began, None where the game does
    not tell, `times` since when each seat that owes a decision has owed it.
    """

    position: Position
    told: tuple[Told, ...]
    accepted: tuple[tuple[int, str, int], ...]
    starts: int | None
    times: Times


class Unreadable(Exception):
    """Bytes that are no standing, or none of this program's."""


def first_standing(deal: Deal, opening: Entry | None) -> Standing:
    """Deals. Raises `Broken` for rules that are unknown here."""
    position, told = start(deal)
    # The fact `starts` of the deal's events names who begins.
    named = (event.facts.get("starts") for event in told.events)
    starts = next((seat for seat in named if isinstance(seat, int)), None)
    times = Times() if opening is None else begun(position, opening)
    return Standing(position, (told,), (), starts, times)


@cache
def this_program() -> str:
    """Returns the digest of the program that runs, as its files are now."""
    return digest_of(Path(__file__).resolve().parent.parent)


def digest_of(app: Path) -> str:
    """Returns a digest of all that decides what the bytes mean.

    That is the rules with their tables of components, this layer, and Python.
    """
    digest = sha256(sys.version.encode())
    found = [*(app / "games").rglob("*"), *(app / "play").rglob("*")]
    for file in sorted(found):
        if file.is_file() and file.suffix != ".pyc":
            digest.update(f"\0{file.relative_to(app)}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def packed(standing: Standing) -> bytes:
    """Returns a standing as bytes, without what the first entry tells. They are as secret as it."""
    position = {name: getattr(standing.position, name) for name in _FIELDS}
    rest = (standing.told, standing.accepted, standing.starts, standing.times)
    written = pickle.dumps((position, *rest), protocol=5)
    return sha256(written).digest() + written


def unpacked(body: bytes, opening: Entry, games: Registry) -> tuple[Deal, Standing]:
    """Returns the deal and the standing of a game with that first entry. Raises `Unreadable`."""
    digest, written = body[:_DIGEST_BYTES], body[_DIGEST_BYTES:]
    # A single bit may make another position of it, or one that fills all memory.
    if sha256(written).digest() != digest:
        raise Unreadable("damaged")
    try:
        position, *rest = _Reader(io.BytesIO(written)).load()
        deal = read_opening(opening, position["seed"], games)
        whole = Position(game=deal.game, seats=deal.seats, **position)
        return deal, Standing(whole, *rest)
    except Exception as wrong:
        # Stored bytes may be anything.
        raise Unreadable(str(wrong)) from wrong


class _Reader(pickle.Unpickler):
    """Makes values of games and of this layer, and moments: whatever else is named is refused."""

    found: ClassVar[dict[tuple[str, str], type]] = {
        ("datetime", kind.__name__): kind for kind in (datetime, timedelta, timezone)
    }

    def find_class(self, module: str, name: str) -> type:
        """Returns a class that may be made of stored bytes; looks for each of them once."""
        known = self.found.get((module, name))
        if known is not None:
            return known
        if module.startswith(("app.games.", "app.play.")):
            one = super().find_class(module, name)
            if isinstance(one, type) and is_dataclass(one):
                self.found[module, name] = one
                return one
        raise pickle.UnpicklingError(f"expected a value, got {module}.{name}")
