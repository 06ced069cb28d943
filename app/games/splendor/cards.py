"""The components: development cards and nobles, read from the tables beside this file.

A card's number is its row of `cards.csv` (0 to 89), a noble's that of `nobles.csv` (0 to 9).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

from app.games.splendor.gems import COLOURS, Count

LEVELS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Card:
    """A development card: `level` 1 to 3, `bonus` a colour, `cost` by colour."""

    level: int
    bonus: str
    points: int
    cost: Count


@dataclass(frozen=True, slots=True)
class Noble:
    """A noble: `needs` are the bonuses by colour that bring the visit."""

    points: int
    needs: Count


def _rows(name: str) -> list[dict[str, str]]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _by_colour(row: dict[str, str]) -> Count:
    return tuple(int(row[colour]) for colour in COLOURS)


CARDS = tuple(
    Card(int(row["level"]), row["bonus"], int(row["points"]), _by_colour(row))
    for row in _rows("cards.csv")
)
NOBLES = tuple(Noble(int(row["points"]), _by_colour(row)) for row in _rows("nobles.csv"))

LEVEL = tuple(card.level for card in CARDS)
"""The level of each card."""

BONUS = tuple(COLOURS.index(card.bonus) for card in CARDS)
"""The place of each card's bonus in `COLOURS`."""


def of_level(level: int) -> tuple[int, ...]:
    """Returns the cards of a level in canonical order (40, 30 or 20)."""
    return tuple(number for number, card in enumerate(CARDS) if card.level == level)
