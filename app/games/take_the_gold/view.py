"""What each viewer may know."""

from __future__ import annotations

from app.games.contract import Json, View
from app.games.take_the_gold.cards import KINDS
from app.games.take_the_gold.state import Attack, Settled, State


def view(state: State, viewer: int | None) -> View:
    """Returns the view of one seat, or of a spectator (`None`).

    Only `seat`, `hand`, `drawn` and `known` differ between viewers.
    """
    seats = range(len(state.hands))
    tie, won = state.tie, state.won
    return {
        "seat": viewer,
        "stage": state.stage,
        "turn": None if won else state.turn,
        "advanced": state.advanced,
        "krakens": state.krakens,
        "krakens_to_end": state.krakens_to_end,
        "hand": None if viewer is None else list(state.hands[viewer]),
        "drawn": None if viewer is None else list(state.drawn[viewer]),
        "hands": [len(hand) for hand in state.hands],
        "known": [list(cards) for cards in state.known[knower(state, viewer)]],
        "draw": len(state.draw),
        "discards": {kind: state.discards.count(kind) for kind in KINDS},
        "table": _table(state.table) if state.table else None,
        "last": _last(state.last) if state.last else None,
        "coins": None if state.coins is None else list(state.coins),
        "tie": {
            "seats": list(tie.seats),
            "discarded": [list(cards) for cards in tie.discarded],
        }
        if tie
        else None,
        "out": [seat for seat in seats if seat not in state.playing],
        "won": {"seat": won.seat, "coins": won.coins} if won else None,
    }


def knower(state: State, viewer: int | None) -> int:
    """Returns the row of `state.known` that is a viewer's: spectators know what all know."""
    return len(state.hands) if viewer is None else viewer


def _table(attack: Attack) -> dict[str, Json]:
    return {
        "attack": attack.card,
        "attacker": attack.attacker,
        "target": attack.target,
        "answer": attack.answer,
    }


def _last(settled: Settled) -> dict[str, Json]:
    return {
        "attack": settled.attack,
        "attacker": settled.attacker,
        "target": settled.target,
        "answer": settled.answer,
        "stolen": settled.stolen,
        "discarded": list(settled.discarded),
    }
