"""What is secret in Lost Cities, and what it looks like on the wire."""

from __future__ import annotations

import re
from random import Random

from app.games.contract import Json
from app.games.lost_cities.cards import COLOURS
from app.games.lost_cities.state import State
from tests.secrets.reading import plain, texts

SEATS = 2
OPTIONS = {"rounds": 3, "colours": 5, "first": 0}
OPEN = frozenset({"played", "discarded"})
TRIES = tuple({"kind": "play", "card": card} for card in ("R7", "Y2", "W10", "G3"))
_DECK = {"kind": "draw", "from": "deck"}
_CODE = re.compile(r"(?<![A-Za-z0-9])[YBWGRP](?:10|[2-9]|\$)(?![A-Za-z0-9])")
_WORDS = re.compile(r"\b(yellow|blue|white|green|red|purple) (10|[2-9]|investment)\b")
_LETTER = dict(zip(("yellow", "blue", "white", "green", "red", "purple"), COLOURS, strict=True))


def in_text(text: str) -> set[str]:
    """Returns the cards that a text names: `R7`, `red 7`, `#R7`, "red investment" and so on."""
    found = set(_CODE.findall(text))
    for colour, value in _WORDS.findall(plain(text)):
        found.add(_LETTER[colour] + value.replace("investment", "$"))
    return found


def in_json(data: Json) -> set[str]:
    """Returns the cards that JSON data names, as keys or values, alone or inside a text."""
    return {card for text in texts(data) for card in in_text(text)}


def known(state: State, viewer: int | None) -> set[str]:
    """Returns the cards of the own hand and all that lie on the table."""
    seen = set() if viewer is None else set(state.hands[viewer])
    seen |= {card for own in state.expeditions for cards in own for card in cards}
    return seen | {card for pile in state.piles for card in pile}


def choose(random: Random, stage: str, legal: list[Json]) -> list[Json]:
    """Returns a whole turn, mostly; draws from the deck so that the game ends."""
    if stage == "draw":
        return [random.choice([_DECK, _DECK, *legal[1:]])]
    card = random.choice(legal)
    return [card, _DECK] if random.random() < 0.8 else [card]
