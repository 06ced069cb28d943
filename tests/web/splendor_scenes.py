"""Scenes of Splendor: whole games of random moves, and single positions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from app.games.registry import registry
from app.games.splendor.rules import Splendor
from app.games.splendor.state import State
from app.play.history import Told
from app.play.position import Asked, Position, opened_with_events, played
from app.realtime.scene import Scene
from tests.games.splendor.positions import bonus_cards, has, position, tokens
from tests.web.scenes import PLAYERS, Game, room

SPLENDOR = Splendor()
ONE = registry(SPLENDOR)
OPTIONS: dict[str, Any] = {"target": 15, "loose_take": False, "first": 0}
NAMES = ("Ann", "Bob", "Cleo", "Dan")
RICH = has(tokens(white=3, blue=2, red=3, gold=2), cards=bonus_cards(red=3), blind=[0, 44, 70])


def stages() -> dict[str, State]:
    """One position for each question."""
    nobles = has(cards=bonus_cards(white=4, blue=4, red=3, black=3))
    full = [2 * n for n in range(3)]
    poor = tokens(white=4, blue=4, gold=1)
    rich = tokens(green=4, red=4, black=2)
    return {
        "take": position(RICH, has(blind=[1, 45]), nobles=(0, 2, 5)),
        "loose": position(RICH, has(), has(), nobles=(0, 2), loose=True),
        "return": position(has(tokens(white=4, blue=3, red=2, green=2, gold=2)), stage="return"),
        "choose_noble": position(nobles, nobles=(0, 2, 5), stage="choose_noble"),
        "pass": replace(
            position(
                has(poor, blind=full),
                has(rich, blind=[89, 88, 87]),
                market={1: [1, 3, 5, 7], 2: [40, 41, 42, 43], 3: [70, 71, 72, 73]},
            ),
            bank=(0, 0, 0, 0, 0, 2),
            market=((None,) * 4,) * 3,
        ),
    }


def games(seed: int, seats: int = 4, names: tuple[str, ...] = NAMES) -> tuple[Game, ...]:
    """One game of likely moves: after the deal and after each entry."""
    where = room(names=names[:seats], options=OPTIONS, key="splendor", seats=seats)
    history = _played(seed, seats)
    told = [told for _, told in history]
    return tuple(
        Game(position, told[: number + 1], where) for number, (position, _) in enumerate(history)
    )


def at(state: State, seat: int | None, names: tuple[str, ...] = NAMES, n: int = 7) -> Scene:
    """What a seat, or a spectator, sees of a position that is set up."""
    seats = len(state.players)
    actors = SPLENDOR.actors(state)
    question = None if seat is None else SPLENDOR.prompt(state, seat)
    outcome = SPLENDOR.outcome(state)
    return Scene(
        room=room(names=names[:seats], options=OPTIONS, key="splendor", seats=seats),
        online=frozenset(range(seats)),
        watchers=0,
        seat=seat,
        player_id=None if seat is None else PLAYERS[seat],
        mine=() if seat is None else (seat,),
        v=n,
        view=SPLENDOR.view(state, seat),
        prompt=None if question is None else Asked(n, question),
        actors=actors,
        outcome=outcome.wire() if outcome else None,
    )


@cache
def _played(seed: int, seats: int) -> list[tuple[Position, Told]]:
    random = Random(seed)
    advance = opened_with_events(SPLENDOR, seats, OPTIONS, bytes([seed]) * 32)
    history = [(advance.position, Told(0, None, "start", advance.events))]
    while not advance.position.over:
        seat = advance.position.actors[0]
        legal = advance.position.asked[seat].prompt.legal
        kinds: dict[str, list[Any]] = {}
        for move in legal:
            kinds.setdefault(move.wire()["kind"], []).append(move)
        # Whoever can buy mostly does, else games go on for very long.
        kind = "buy" if "buy" in kinds and random.random() < 0.8 else random.choice(list(kinds))
        advance = played(advance.position, seat, [random.choice(kinds[kind])])
        told = Told(advance.position.v, seat, "move", advance.events)
        history.append((advance.position, told))
    return history
