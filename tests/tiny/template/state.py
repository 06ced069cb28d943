"""The whole game at one moment."""

from __future__ import annotations

from app.games.contract import Json
from app.games.value import value


@value
class State:
    """`hands` has one card for each seat, `shown` the cards swapped away, in that order.

    `turn` counts the seats that have decided: it is the seat to decide next.
    """

    hands: tuple[int, ...]
    deck: tuple[int, ...]
    shown: tuple[int, ...] = ()
    turn: int = 0

    @property
    def over(self) -> bool:
        """Whether every seat has decided."""
        return self.turn == len(self.hands)


def dump(state: State) -> Json:
    """Returns the state as plain JSON data."""
    return [list(state.hands), list(state.deck), list(state.shown), state.turn]


def load(data: Json) -> State:
    """Reads what `dump` wrote."""
    hands, deck, shown, turn = data
    return State(tuple(hands), tuple(deck), tuple(shown), turn)
