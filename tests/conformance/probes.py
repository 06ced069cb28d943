"""Moves to try: legal at other times, for other seats, and legal ones with something changed."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from random import Random

from app.games.contract import Json, Malformed, Move
from tests.conformance.driver import ALL, AnyGame, random_game
from tests.conformance.plain import text

MOST = 400
"""The most wires kept for a game."""

GAMES_READ = 8
"""The random games that wires are taken from."""

ODD: tuple[Json, ...] = (
    None,
    True,
    False,
    -1,
    0,
    1,
    4,
    1.5,
    10**30,
    "",
    "x",
    "\0",
    "\ud800",
    [],
    {},
)
"""Values to put in the place of others; some are floats or no text on purpose."""


@cache
def known_wires(key: str) -> tuple[Json, ...]:
    """Returns the wires of moves that were legal somewhere in a few random games, each once."""
    game = ALL[key]
    found: dict[str, Json] = {}
    for number in range(GAMES_READ):
        for position in random_game(game, number):
            for seat in game.actors(position.state):
                prompt = game.prompt(position.state, seat)
                for move in prompt.legal if prompt else ():
                    found.setdefault(text(move.wire()), move.wire())
    wires = list(found.values())
    Random(key).shuffle(wires)
    return tuple(wires[:MOST])


def changed(wire: Json, random: Random) -> Json:
    """Returns a copy of a wire with one thing changed somewhere in it."""
    wire = copy.deepcopy(wire)
    holder, at = random.choice(list(_places(wire)))
    match random.randrange(5):
        case 0:
            holder[at] = random.choice(ODD)
        case 1 if type(holder[at]) is int:
            holder[at] += random.choice((-100, -1, 1, 100))
        case 2 if isinstance(holder, dict):
            del holder[at]
        case 3 if isinstance(holder, dict):
            holder["extra"] = random.choice(ODD)
        case _:
            other, there = random.choice(list(_places(wire)))
            holder[at] = copy.deepcopy(other[there])
    return wire


def _places(data: Json) -> Iterator[tuple[Json, Json]]:
    pairs = list(data.items() if isinstance(data, dict) else enumerate(data))
    for at, value in pairs:
        yield data, at
        if isinstance(value, dict | list):
            yield from _places(value)


def moves_to_try(game: AnyGame, random: Random, count: int) -> list[Move]:
    """Returns well-formed moves, legal somewhere or nearly so."""
    wires = known_wires(game.meta.key)
    some = random.sample(wires, min(count, len(wires)))
    moves: list[Move] = []
    for wire in (*some, *(changed(wire, random) for wire in some)):
        try:
            moves.append(game.parse(wire))
        except Malformed:
            continue
    return moves
