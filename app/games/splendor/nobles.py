"""Nobles: who would come, and what a visit changes."""

from __future__ import annotations

from dataclasses import replace

from app.games.contract import Event
from app.games.splendor.cards import NOBLES
from app.games.splendor.gems import Count
from app.games.splendor.scoring import bonuses
from app.games.splendor.state import Cards, State, changed


def satisfied(nobles: Cards, owned: Count) -> Cards:
    """Returns the nobles whose needs the bonuses `owned` meet."""
    a, b, c, d, e = owned
    return tuple(
        [
            noble
            for noble in nobles
            for v, w, x, y, z in (NOBLES[noble].needs,)
            if a >= v and b >= w and c >= x and d >= y and e >= z
        ]
    )


def waiting(state: State) -> Cards:
    """Returns the nobles that would come to the seat to move."""
    return satisfied(state.nobles, bonuses(state.players[state.turn].cards))


def visit(state: State, noble: int) -> tuple[State, Event]:
    """Brings a noble from the table to the seat to move."""
    seat = state.turn
    player = state.players[seat]
    after = replace(
        state,
        nobles=tuple(other for other in state.nobles if other != noble),
        players=changed(state.players, seat, replace(player, nobles=(*player.nobles, noble))),
    )
    told = {"seat": seat, "noble": noble, "points": NOBLES[noble].points}
    return after, Event("noble_came", told)
