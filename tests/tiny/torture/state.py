"""The whole game at one moment."""

from __future__ import annotations

from dataclasses import dataclass

from app.games.contract import Json

BOXES = 3
NUGGETS = 6
RICH = 10
BIDS = 4
EVERYBODY = -1
"""Stands for all viewers, spectators included, in `State.known`."""

Stage = str
"""One of "hide", "bid", "act", "answer" and "over"."""


@dataclass(frozen=True, slots=True)
class State:
    """All that is true of the table.

    `rules` is the version of the rules that the game goes by.
    By seat: `boxes` (nuggets in each, None before they are hidden), `bids`, `tokens` ("shield",
    "blank" or, once shown, "used") and `loot`. `rest` are the tokens nobody got. `known` has
    (viewer, seat, box) where a viewer knows what is in a box that is not his. `attack` is the
    raid that waits for an answer: attacker, target, box. `left` counts the turns to come.
    """

    rules: int
    rounds: int
    boxes: tuple[tuple[int, ...] | None, ...]
    bids: tuple[int | None, ...]
    tokens: tuple[str, ...]
    rest: tuple[str, ...]
    loot: tuple[int, ...]
    left: int
    turn: int = 0
    shifted: bool = False
    attack: tuple[int, int, int] | None = None
    known: frozenset[tuple[int, int, int]] = frozenset()

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.boxes)

    def wealth(self, seat: int) -> int:
        """The nuggets a seat holds; public, as all hide the same number and raids are seen."""
        return self.loot[seat] + sum(self.boxes[seat] or (NUGGETS,))

    @property
    def reason(self) -> str | None:
        """Why the game is over, if it is."""
        wealth = [self.wealth(seat) for seat in range(self.seats)]
        if max(wealth) >= RICH:
            return "rich"
        if min(wealth) == 0:
            return "ruined"
        return "last_round" if self.left == 0 else None

    @property
    def stage(self) -> Stage:
        """What is going on."""
        if None in self.boxes:
            return "hide"
        if None in self.bids:
            return "bid"
        if self.reason is not None:
            return "over"
        return "act" if self.attack is None else "answer"

    def knows(self, viewer: int | None, seat: int, box: int) -> bool:
        """Whether a viewer knows what is in a box."""
        seen_by = {EVERYBODY, viewer}
        return viewer == seat or any((by, seat, box) in self.known for by in seen_by)


def dump(state: State) -> Json:
    """Returns the state as plain JSON data."""
    return {
        "rules": state.rules,
        "rounds": state.rounds,
        "boxes": [None if boxes is None else list(boxes) for boxes in state.boxes],
        "bids": list(state.bids),
        "tokens": list(state.tokens),
        "rest": list(state.rest),
        "loot": list(state.loot),
        "left": state.left,
        "turn": state.turn,
        "shifted": state.shifted,
        "attack": None if state.attack is None else list(state.attack),
        "known": [list(entry) for entry in sorted(state.known)],
    }


def load(data: Json) -> State:
    """Reads what `dump` wrote."""
    return State(
        rules=data["rules"],
        rounds=data["rounds"],
        boxes=tuple(None if boxes is None else tuple(boxes) for boxes in data["boxes"]),
        bids=tuple(data["bids"]),
        tokens=tuple(data["tokens"]),
        rest=tuple(data["rest"]),
        loot=tuple(data["loot"]),
        left=data["left"],
        turn=data["turn"],
        shifted=data["shifted"],
        attack=None if data["attack"] is None else tuple(data["attack"]),
        known=frozenset((by, seat, box) for by, seat, box in data["known"]),
    )
