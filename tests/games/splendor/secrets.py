"""What is secret in Splendor, and what it looks like on the wire: the numbers of cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from app.games.contract import Json
from app.games.splendor.state import State
from tests.secrets.reading import HOUSE_NUMBERS, texts

SEATS = 3
OPTIONS = {"target": 10, "loose_take": False, "first": 0}
OPEN: frozenset[str] = frozenset()
TRIES = tuple({"kind": kind, "card": card} for kind in ("buy", "reserve") for card in (3, 47, 88))
_ON_A_PAGE = re.compile(r'(?:data-piece|data-card|name="card" value)="(\d+)"')
_NO_CARDS = HOUSE_NUMBERS | {
    *("turn", "first", "last", "target", "round", "passes", "level", "starts"),
    *("bank", "tokens", "bonuses", "decks", "deck", "paid", "gold", "left"),
    *("nobles", "noble", "totals", "ranking", "scores"),
}
"""Keys whose numbers are no cards. A new key is one until it stands here."""


def in_text(text: str) -> set[str]:
    """Returns the cards that lie, or can be chosen, in a piece of a page."""
    return set(_ON_A_PAGE.findall(text))


def in_json(data: Json) -> set[str]:
    """Returns the numbers in JSON data that may be cards, and the cards in its texts."""
    found = {card for text in texts(data) for card in in_text(text)}
    return found | {str(number) for number in _numbers(data)}


def known(state: State, viewer: int | None) -> set[str]:
    """Returns the cards of the market, those that were bought, and those reserved in the open."""
    seen = {card for row in state.market for card in row if card is not None}
    for seat, player in enumerate(state.players):
        seen |= set(player.cards)
        seen |= {kept.card for kept in player.reserved if seat == viewer or not kept.blind}
    return {str(card) for card in seen}


def choose(random: Random, stage: str, legal: list[Json]) -> list[Json]:
    """Returns a move; who can buy mostly does, so that the game ends."""
    kinds: dict[str, list[Json]] = {}
    for move in legal:
        kinds.setdefault("unseen" if "deck" in move else move["kind"], []).append(move)
    buys = "buy" in kinds and random.random() < 0.8
    return [random.choice(kinds["buy" if buys else random.choice(list(kinds))])]


def _numbers(data: Json) -> Iterator[int]:
    if type(data) is int:
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in _NO_CARDS:
                yield from _numbers(value)
    elif isinstance(data, list):
        for value in data:
            yield from _numbers(value)
