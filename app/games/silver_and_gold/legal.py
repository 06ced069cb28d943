"""The moves that a seat may make."""

from __future__ import annotations

from itertools import combinations

from app.games.contract import Prompt
from app.games.silver_and_gold.marking import empty_squares
from app.games.silver_and_gold.moves import Keep, Move, TakeMap
from app.games.silver_and_gold.placements import EXTRAS, PLACEMENTS, SINGLES, Placements
from app.games.silver_and_gold.state import MAPS_HELD, State


def prompt(state: State, seat: int) -> Prompt[Move] | None:
    """Returns the stage `keep`, `mark`, `extra` or `take_map` with all legal moves, or None."""
    if state.stage == "score":
        return Prompt("take_map", _takes(state)) if seat == state.taking else None
    if not state.choosing(seat):
        return None
    if state.stage == "keep":
        return Prompt("keep", tuple(map(Keep, combinations(state.dealt[seat], MAPS_HELD))))
    if state.pending[seat] is None:
        return Prompt("mark", _marks(state, seat))
    return Prompt("extra", _extras(state, seat))


def _held(state: State, seat: int) -> list[tuple[int, int]]:
    """Returns the maps of a seat, each with its empty squares as a mask."""
    empty = empty_squares(state, seat)
    maps = state.players[seat].maps
    return [(held.map, free) for held, free in zip(maps, empty, strict=True) if held is not None]


def _marks(state: State, seat: int) -> tuple[Move, ...]:
    maps = _held(state, seat)
    moves: list[Move] = []
    for number, empty in maps:
        placements: Placements = PLACEMENTS[number][state.expedition]
        moves += [mark for mask, mark in placements if mask & empty == mask]
    for number, empty in maps:
        moves += [mark for mask, mark in SINGLES[number] if mask & empty]
    return tuple(moves)


def _extras(state: State, seat: int) -> tuple[Move, ...]:
    return tuple(
        extra
        for number, empty in _held(state, seat)
        for mask, extra in EXTRAS[number]
        if mask & empty
    )


def _takes(state: State) -> tuple[Move, ...]:
    shown = tuple(TakeMap(number) for number in state.display if number is not None)
    return (*shown, TakeMap(None)) if state.deck else shown
