"""Marking squares, which everybody does at the same time."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import Event, IllegalMove, Step
from app.games.silver_and_gold import turns
from app.games.silver_and_gold.maps import EXPEDITIONS, MAPS, PATTERNS, SIDE, Cells, mask_of
from app.games.silver_and_gold.moves import Extra, Mark
from app.games.silver_and_gold.placements import FITTING
from app.games.silver_and_gold.state import Held, Pending, State, changed


def mark(state: State, seat: int, move: Mark | Extra, chance: Chance) -> Step[State]:
    """Marks a pattern, a single square or an extra; the last mark of all starts the scoring.

    Raises `IllegalMove`: `no_map`, `already_marked`, `extra_first`, `no_extra`,
    and those of `_mask`.
    """
    _check_asked(state, seat, move)
    cells = move.cells if isinstance(move, Mark) else (move.cell,)
    place, mask = _mask(state, seat, move.map, cells)
    pending = pending_after(state, seat, place, mask, extra=isinstance(move, Extra))
    state = replace(state, pending=changed(state.pending, seat, pending))
    facts = {"seat": seat, "map": move.map, "cells": [list(cell) for cell in cells]}
    mine = Event(
        "chose_squares",
        {**facts, "extras": pending.extras},
        fleeting=not state.open_expeditions,
        to=(seat,),
    )
    if any(state.choosing(other) for other in range(len(state.players))):
        done = () if pending.extras else (Event("marked", {"seat": seat}, fleeting=True),)
        return Step(state, (mine, *done))
    after, told = turns.finish_marking(state, chance)
    return Step(after, (mine, *told), barrier=True)


def pending_after(state: State, seat: int, place: int, mask: int, *, extra: bool) -> Pending:
    """Returns what a seat has marked this turn after one more legal mark.

    Each cross owes an extra; once no square is empty, what is owed is lost.
    """
    before = state.pending[seat] or Pending((0,) * len(state.players[seat].maps), 0)
    marked = changed(before.marked, place, before.marked[place] | mask)
    held = state.players[seat].maps
    full = all(it is None or not it.empty & ~own for it, own in zip(held, marked, strict=True))
    target = held[place]
    if full or target is None:
        return Pending(marked, 0)
    crosses = (mask & MAPS[target.map].crosses).bit_count()
    return Pending(marked, before.extras - extra + crosses)


def empty_squares(state: State, seat: int) -> tuple[int, ...]:
    """Returns for each place of a seat the squares without a mark, this turn's included."""
    pending = state.pending[seat]
    marked = (0,) * len(state.players[seat].maps) if pending is None else pending.marked
    return tuple(
        0 if held is None else held.empty & ~own
        for held, own in zip(state.players[seat].maps, marked, strict=True)
    )


def _check_asked(state: State, seat: int, move: Mark | Extra) -> None:
    pending = state.pending[seat]
    if not any(state.players[seat].maps):
        raise IllegalMove("no_map")
    if pending is not None and not pending.extras:
        raise IllegalMove("already_marked")
    if isinstance(move, Mark) and pending is not None:
        raise IllegalMove("extra_first", extras=pending.extras)
    if isinstance(move, Extra) and pending is None:
        raise IllegalMove("no_extra")


def _mask(state: State, seat: int, number: int, cells: Cells) -> tuple[int, int]:
    """Returns the place of the map and the mask of the cells.

    Raises `IllegalMove`: `not_your_map`, `off_the_map`, `on_a_gap`, `square_marked`,
    `not_the_pattern`.
    """
    held = [it.map if isinstance(it, Held) else None for it in state.players[seat].maps]
    if number not in held:
        raise IllegalMove("not_your_map", map=number, maps=[it for it in held if it is not None])
    place = held.index(number)
    rows = MAPS[number].rows
    outside = [list(cell) for cell in cells if cell[0] >= len(rows) or cell[1] >= len(rows[0])]
    if outside:
        raise IllegalMove("off_the_map", map=number, cells=outside)
    gaps = _among(cells, ~MAPS[number].squares)
    if gaps:
        raise IllegalMove("on_a_gap", map=number, cells=gaps)
    marked = _among(cells, ~empty_squares(state, seat)[place])
    if marked:
        raise IllegalMove("square_marked", map=number, cells=marked)
    mask = mask_of(cells)
    if len(cells) != 1 and mask not in FITTING[number][state.expedition]:
        raise IllegalMove(
            "not_the_pattern",
            map=number,
            expedition=EXPEDITIONS[state.expedition],
            chosen=len(cells),
            needed=len(PATTERNS[state.expedition]),
        )
    return place, mask


def _among(cells: Cells, mask: int) -> list[list[int]]:
    return [[row, column] for row, column in cells if mask >> SIDE * row + column & 1]
