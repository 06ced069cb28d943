"""What each viewer may know."""

from __future__ import annotations

from app.games.contract import Json, View
from app.games.silver_and_gold.maps import EXPEDITIONS, cells_of
from app.games.silver_and_gold.marking import empty_squares
from app.games.silver_and_gold.scoring import gains, palm_points, scores
from app.games.silver_and_gold.state import (
    COINS_IN_ROW,
    MOST_COINS,
    NO_MAPS,
    Held,
    Player,
    State,
)


def view(state: State, viewer: int | None) -> View:
    """Returns the view of one seat, or of a spectator (`None`).

    Viewers differ in `seat`, `dealt`, `kept` and `pending`: each seat sees its own.
    """
    playing = state.stage in {"mark", "score"}
    keeping = state.stage == "keep" and viewer is not None
    past = [EXPEDITIONS[number] for number in state.expeditions[: state.turn - 1]]
    return {
        "seat": viewer,
        "stage": state.stage,
        "round": state.round,
        "turn": state.turn,
        "start": state.start,
        "expedition": EXPEDITIONS[state.expedition] if playing else None,
        "left": len(EXPEDITIONS) - state.turn if playing else 0,
        "open_expeditions": state.open_expeditions,
        "past": past if state.open_expeditions else None,
        "deck": len(state.deck),
        "display": list(state.display),
        "palm": palm_points(state.display),
        "trophies": list(state.trophies),
        "dealt": list(state.dealt[viewer]) if keeping and viewer is not None else None,
        "kept": _kept(state, viewer) if keeping and viewer is not None else None,
        "status": [_status(state, seat) for seat in range(len(state.players))],
        "taking": state.taking,
        "players": [_player(player) for player in state.players],
        "pending": None if viewer is None else _pending(state, viewer),
    }


def _kept(state: State, seat: int) -> list[int] | None:
    kept = state.kept[seat]
    return None if kept is None else list(kept)


def _status(state: State, seat: int) -> str:
    if state.choosing(seat) or state.taking == seat:
        return "choosing"
    asked = state.stage == "keep" or (state.stage == "mark" and state.players[seat].maps != NO_MAPS)
    return "done" if asked else "none"


def _player(player: Player) -> dict[str, Json]:
    by_source = scores(player)
    rows = MOST_COINS // COINS_IN_ROW
    return {
        "maps": [None if held is None else _held(held) for held in player.maps],
        "coins": player.coins,
        "rows": [*player.rows, *[None] * (rows - len(player.rows))],
        "palms": list(player.palms),
        "completed": list(player.completed),
        "points": {**by_source, "total": sum(by_source.values())},
    }


def _held(held: Held) -> dict[str, Json]:
    return {"map": held.map, "marked": _cells(held.marked)}


def _cells(mask: int) -> list[list[int]]:
    return [list(cell) for cell in cells_of(mask)]


def _pending(state: State, seat: int) -> dict[str, Json] | None:
    pending, player = state.pending[seat], state.players[seat]
    if pending is None:
        return None
    coins, palms = gains(player, pending.marked, state.display)
    held = [
        (it.map, mask, empty)
        for it, mask, empty in zip(
            player.maps, pending.marked, empty_squares(state, seat), strict=True
        )
        if it is not None
    ]
    return {
        "cells": {str(number): _cells(mask) for number, mask, _ in held if mask},
        "extras": pending.extras,
        "coins": coins,
        "palms": list(palms),
        "completes": [number for number, _, empty in held if not empty],
    }
