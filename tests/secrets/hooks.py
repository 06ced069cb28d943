"""What a game tells the search for secrets, found under tests/games/<key>/secrets.py."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from random import Random
from typing import Any, Protocol, cast

from app.games.contract import Json


class Secrets(Protocol):
    """The names that each `secrets.py` has.

    A secret is a short text, such as `R7` or `17`, whatever it is wrapped in on the wire.
    """

    SEATS: int
    """How many play the recorded games."""
    OPTIONS: Mapping[str, Json]
    """Their options."""
    OPEN: frozenset[str]
    """Kinds of events whose public facts name what everybody saw lie there for a moment."""
    TRIES: tuple[Mapping[str, Json], ...]
    """Moves that name secrets, tried by everybody to whom they are not legal."""

    def in_text(self, text: str) -> set[str]:
        """Returns what a piece of a page or a text names."""

    def in_json(self, data: Json) -> set[str]:
        """Returns what JSON data names, its texts included."""

    def known(self, state: Any, viewer: int | None) -> set[str]:
        """Returns what a seat, or a spectator, may be told of in this state."""

    def choose(self, random: Random, stage: str, legal: list[Json]) -> list[Json]:
        """Returns the moves of one entry; the game must come to its end."""


def secrets_of(key: str) -> Secrets:
    """Returns what a game tells."""
    return cast("Secrets", import_module(f"tests.games.{key}.secrets"))
