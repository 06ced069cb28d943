"""The cards: colour + value as text, such as `R7`, `Y10`, `B$` (an investment)."""

from __future__ import annotations

COLOURS = "YBWGRP"
"""Yellow, blue, white, green, red and, with six colours, purple: the order of the table."""

INVESTMENT = "$"
INVESTMENTS = 3
"""Equal investments of each colour; nothing tells one from another."""

_VALUES = (INVESTMENT, *(str(value) for value in range(2, 11)))

CARDS: tuple[str, ...] = tuple(colour + value for colour in COLOURS for value in _VALUES)
"""Every different card, by colour and value: the canonical order."""

RANK = {card: rank for rank, card in enumerate(CARDS)}
"""The place of a card in the canonical order."""

VALUE = {card: 0 if card[1:] == INVESTMENT else int(card[1:]) for card in CARDS}
"""The number on a card; 0 on an investment."""

COLUMN = {card: COLOURS.index(card[0]) for card in CARDS}
"""The place of a card's colour in `COLOURS`: its expedition and its pile."""


def full_deck(colours: int) -> tuple[str, ...]:
    """Returns all cards of the first `colours` colours in canonical order (60 or 72)."""
    return tuple(
        card
        for card in CARDS[: colours * len(_VALUES)]
        for _ in range(1 if VALUE[card] else INVESTMENTS)
    )


def in_order(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the cards sorted by colour and value."""
    return tuple(sorted(cards, key=RANK.__getitem__))


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Returns the cards without one copy of `card`; the same cards if it is not among them."""
    if card not in cards:
        return cards
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
