"""Short ways to set up a position and to make moves in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.games.chance import Chance
from app.games.contract import Event, IllegalMove, Json, Step
from app.games.silver_and_gold.maps import EXPEDITIONS, MAPS, Cell, mask_of
from app.games.silver_and_gold.rules import SilverAndGold
from app.games.silver_and_gold.state import Held, Player, State

GAME = SilverAndGold()
OPTIONS: dict[str, Any] = {"open_expeditions": False, "first": 0}
SEED = bytes(range(32))
Move = dict[str, Json]


def chance(k: int = 1, seed: bytes = SEED) -> Chance:
    return Chance(seed, k)


def new_game(seats: int = 2, seed: bytes = SEED, **options: Any) -> State:
    return GAME.setup(seats, OPTIONS | options, Chance(seed, 0)).state


def squares(number: int, symbols: str = "oxcp") -> list[Cell]:
    """Returns the cells of a map that have one of these symbols, by row and column."""
    return [
        (row, column)
        for row, line in enumerate(MAPS[number].rows)
        for column, symbol in enumerate(line)
        if symbol in symbols
    ]


def held(number: int, marked: Iterable[Cell] = ()) -> Held:
    return Held(number, mask_of(marked))


def all_but(number: int, *left: Cell) -> Held:
    """Returns a map with every square marked but these."""
    return held(number, [cell for cell in squares(number) if cell not in left])


def has(first: Held | int | None = None, second: Held | int | None = None, **fields: Any) -> Player:
    """A player with these maps, fresh if only their numbers are given."""
    maps = tuple(Held(it, 0) if isinstance(it, int) else it for it in (first, second))
    return Player(maps=maps, **fields)


def position(
    *players: Player,
    expedition: str = "domino",
    display: Sequence[int | None] | None = None,
    deck: Sequence[int] | None = None,
    **fields: Any,
) -> State:
    """A turn in which everybody is to mark; fields of the state not named are those of turn 1.

    The display is filled with maps without a palm, and the deck has what is left, in order.
    """
    gone = {it.map for player in players for it in player.maps if it is not None}
    gone |= {number for player in players for number in player.completed}
    gone |= {number for number in display or () if number is not None} | set(deck or ())
    left = [number for number in MAPS if number not in gone]
    if display is None:
        display = [number for number in left if not squares(number, "p")][:4]
    if deck is None:
        deck = [number for number in left if number not in display]
    order = EXPEDITIONS.index(expedition)
    others = tuple(number for number in range(len(EXPEDITIONS)) if number != order)
    turn = fields.get("turn", 1)
    state = State(
        open_expeditions=False,
        stage="mark",
        round=1,
        turn=1,
        start=0,
        expeditions=(*others[: turn - 1], order, *others[turn - 1 :]),
        deck=tuple(deck),
        display=tuple(display),
        trophies=(6, 5, 4, 3, 2, 1),
        players=players,
        pending=(None,) * len(players),
    )
    return replace(state, **fields)


def keep(*maps: int) -> Move:
    return {"kind": "keep", "maps": list(maps)}


def mark(number: int, *cells: Cell) -> Move:
    return {"kind": "mark", "map": number, "cells": [list(cell) for cell in cells]}


def extra(number: int, cell: Cell) -> Move:
    return {"kind": "extra", "map": number, "cell": list(cell)}


def take(number: int | str) -> Move:
    return {"kind": "take_map", "map": number}


def step(state: State, seat: int, move: Move) -> Step[State]:
    return GAME.apply(state, seat, GAME.parse(move), chance())


def after(state: State, *moves: tuple[int, Move]) -> State:
    """Returns the state after moves of seats."""
    for seat, move in moves:
        state = step(state, seat, move).state
    return state


def refusal(state: State, seat: int, move: Move) -> tuple[str, Mapping[str, Json]]:
    """Makes a move that has to be refused without a trace; returns the code and the facts."""
    before = GAME.dump(state)
    drawn = chance()
    try:
        GAME.apply(state, seat, GAME.parse(move), drawn)
    except IllegalMove as illegal:
        assert GAME.dump(state) == before
        assert not drawn.used
        return illegal.code, illegal.facts
    raise AssertionError(f"accepted: {move}")


def legal(state: State, seat: int) -> list[Move]:
    """Returns the legal moves of a seat as wire data; none if it is not asked."""
    prompt = GAME.prompt(state, seat)
    return [] if prompt is None else [move.wire() for move in prompt.legal]


def stage(state: State, seat: int) -> str | None:
    prompt = GAME.prompt(state, seat)
    return None if prompt is None else prompt.stage


def told(events: Iterable[Event], kind: str) -> list[dict[str, Json]]:
    """Returns the facts of the events of a kind."""
    return [dict(event.facts) for event in events if event.kind == kind]


def marked(state: State, seat: int, number: int) -> list[list[int]]:
    """Returns what everybody sees marked on a seat's map."""
    maps = GAME.view(state, None)["players"][seat]["maps"]
    (found,) = [it["marked"] for it in maps if it is not None and it["map"] == number]
    cells: list[list[int]] = found
    return cells
