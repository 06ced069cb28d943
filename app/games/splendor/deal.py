"""The start of a game."""

from __future__ import annotations

from app.games.chance import Chance
from app.games.contract import Event, Step
from app.games.splendor.cards import LEVELS, NOBLES, of_level
from app.games.splendor.gems import COLOURS, NO_TOKENS
from app.games.splendor.market import PLACES
from app.games.splendor.state import Player, State

STOCK = {2: 4, 3: 5, 4: 7}
"""Tokens of each colour by the number of seats."""

GOLD = 5


def deal(seats: int, target: int, *, loose: bool, first: int, chance: Chance) -> Step[State]:
    """Shuffles the decks, level 1 first, lays out the market, then draws the nobles."""
    decks = [chance.shuffled(of_level(level)) for level in LEVELS]
    nobles = chance.sample(range(len(NOBLES)), seats + 1)
    state = State(
        target=target,
        loose=loose,
        first=first,
        turn=first,
        stage="take",
        round=1,
        passes=0,
        bank=(*(STOCK[seats],) * len(COLOURS), GOLD),
        market=tuple(deck[:PLACES] for deck in decks),
        decks=tuple(deck[PLACES:] for deck in decks),
        nobles=tuple(sorted(nobles)),
        players=(Player(tokens=NO_TOKENS, cards=(), nobles=(), reserved=()),) * seats,
    )
    return Step(state, (Event("dealt", {"starts": first}),))
