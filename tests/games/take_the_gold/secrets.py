"""What is secret in Take the Gold, and what it looks like on the wire.

No card has a name of its own, so the secrets are what somebody holds: a whole hand (`hand: pirate
coin`), a kind in the own hand (`own coin`), the number of own coins (`coins: 2`), what is known of
another hand (`holds 2: coin`), and cards that were drawn or stolen (`cards: coin`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from app.games.contract import Json
from app.games.take_the_gold.cards import COIN, in_order
from app.games.take_the_gold.state import State
from app.games.take_the_gold.view import knower
from tests.secrets.reading import texts

SEATS = 3
OPTIONS = {"krakens": 5, "advanced": True}
OPEN: frozenset[str] = frozenset()
TRIES = (
    {"kind": "play", "card": "kraken", "target": 1},
    {"kind": "respond", "with": "two_officers"},
    {"kind": "discard", "cards": ["coin"]},
)
_FACE = re.compile(r'href="#ttg-(pirate|officer|two_pirates|two_officers|coin|kraken|captain)"')
_FAN = re.compile(r'data-place="h(\d)"[^>]*>(.*?)</span>', re.DOTALL)
_MINI = re.compile(r'href="#ttg-m-(\w+)"')
_CHOICE = re.compile(r'name="(?:cards?|with)" value="(\w+)"')
_COINS = re.compile(r"Your coins: (\d)")
_TOLD = re.compile(
    r"(?:you draw|You steal from [^:]*:|steals from you:|Stolen:) (<b class.*?</b>)\.", re.DOTALL
)
_SOME = re.compile(r'<b class="k k-(\w+)">(?:(\d) \N{MULTIPLICATION SIGN})?')
_OPENLY = {"discarded", "kraken_rose", "discard"}
"""Kinds whose `cards` everybody sees, and moves."""


def in_text(text: str) -> set[str]:
    """Returns what a piece of a page shows of hands, and the drawn and stolen cards it tells of."""
    found = {f"coins: {number}" for number in _COINS.findall(text)}
    found |= {f"own {card}" for card in _CHOICE.findall(text) if card != "none"}
    for seat, fan in _FAN.findall(text):
        found |= _named(f"holds {seat}", _MINI.findall(fan))
    for sentence in _TOLD.findall(text):
        some = _SOME.findall(sentence)
        found |= _named("cards", [card for card, number in some for _ in range(int(number or 1))])
    # The hand comes last on a page, after all that lies on the table.
    _, _, hand = text.partition('class="ttg-hand')
    return found | _named("hand", _FACE.findall(hand))


def in_json(data: Json) -> set[str]:
    """Returns the same for JSON data, its texts included."""
    return {name for text in texts(data) for name in in_text(text)} | set(_names(data))


def known(state: State, viewer: int | None) -> set[str]:
    """Returns the own hand and what was drawn last, and what is known of other hands."""
    found: set[str] = set()
    for seat, cards in enumerate(state.known[knower(state, viewer)]):
        found |= _named(f"holds {seat}", cards)
    if viewer is None:
        return found
    hand = state.hands[viewer]
    found |= {f"own {card}" for card in hand} | {f"coins: {hand.count(COIN)}"}
    return found | _named("hand", hand) | _named("cards", state.drawn[viewer])


def choose(random: Random, stage: str, legal: list[Json]) -> list[Json]:
    """Returns any move, and often a pass: the one before a discard may be taken back."""
    return [legal[-1] if stage == "play" and random.random() < 0.4 else random.choice(legal)]


def _named(what: str, cards: list[str] | tuple[str, ...]) -> set[str]:
    return {f"{what}: {' '.join(in_order(cards))}"} if cards else set()


def _names(data: Json) -> Iterator[str]:
    if isinstance(data, list):
        for value in data:
            yield from _names(value)
    elif isinstance(data, dict):
        yield from _named("hand", data.get("hand") or [])
        for seat, cards in enumerate(data.get("known", [])):
            yield from _named(f"holds {seat}", cards)
        told = data.get("drawn") or data.get("cards")
        if isinstance(told, list) and data.get("kind") not in _OPENLY:
            yield from _named("cards", told)
        if data.get("kind") in {"play", "respond", "discard"}:
            move = [data.get("card"), data.get("with"), *data.get("cards", [])]
            yield from (f"own {card}" for card in move if card)
        for value in data.values():
            yield from _names(value)
