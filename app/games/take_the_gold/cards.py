"""The 54 cards: a card is its kind, and no two of a kind differ."""

from __future__ import annotations

from collections.abc import Iterable

Cards = tuple[str, ...]
"""Cards in canonical order, unless said otherwise: by `KINDS`, a kind as often as it is there."""

PIRATE = "pirate"
OFFICER = "officer"
TWO_PIRATES = "two_pirates"
TWO_OFFICERS = "two_officers"
COIN = "coin"
KRAKEN = "kraken"
CAPTAIN = "captain"

NUMBER = {
    PIRATE: 13,
    OFFICER: 10,
    TWO_PIRATES: 4,
    TWO_OFFICERS: 4,
    COIN: 14,
    KRAKEN: 5,
    CAPTAIN: 4,
}
"""How many cards there are of each kind."""

KINDS: Cards = tuple(NUMBER)
"""Every kind once: the canonical order."""

RANK = {kind: rank for rank, kind in enumerate(KINDS)}
"""The place of a kind in the canonical order."""

ANSWERS: dict[str, Cards] = {
    PIRATE: (OFFICER, TWO_OFFICERS),
    TWO_PIRATES: (OFFICER, TWO_OFFICERS),
    KRAKEN: (CAPTAIN,),
    CAPTAIN: (COIN,),
}
"""By attack the cards that answer it; the coin is the payment to a captain."""

STOLEN: dict[tuple[str, str | None], int] = {
    (PIRATE, None): 1,
    (TWO_PIRATES, None): 2,
    (TWO_PIRATES, OFFICER): 1,
    (CAPTAIN, None): 2,
}
"""How many cards an attack steals after an answer, if the hand has them; none where not named."""

HAND_LIMIT = 5
"""The most cards in hand at the end of one's own turn."""


def full_deck() -> Cards:
    """Returns all 54 cards in canonical order."""
    return tuple(kind for kind, number in NUMBER.items() for _ in range(number))


def in_order(cards: Iterable[str]) -> Cards:
    """Returns the cards in canonical order."""
    return tuple(sorted(cards, key=RANK.__getitem__))


def without(cards: Cards, gone: Iterable[str]) -> Cards:
    """Returns the cards less one of them for each of `gone` that is there."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def common(cards: Cards, others: Cards) -> Cards:
    """Returns the cards that both have, each kind as often as both have it."""
    return tuple(kind for kind in KINDS for _ in range(min(cards.count(kind), others.count(kind))))
