"""The whole truth about a game of Silver & Gold at one moment."""

from __future__ import annotations

from typing import Literal, TypeVar

from app.games.contract import Json
from app.games.silver_and_gold.maps import MAPS
from app.games.value import value

T = TypeVar("T")

Stage = Literal["keep", "mark", "score", "over"]

MAPS_HELD = 2
ROUNDS = 4
TURNS = 7
"""The turns of a round."""

COINS_IN_ROW = 4
MOST_COINS = 12
MOST_PALMS = 4


@value
class Held:
    """A map that is being marked; `marked` is a mask."""

    map: int
    marked: int

    @property
    def empty(self) -> int:
        """The squares that are not marked, as a mask."""
        return MAPS[self.map].squares & ~self.marked


@value
class Player:
    """What all may know of one seat.

    `maps` are two places, None without a map. `rows` has the trophies that filled rows of coins
    took (0 where none was left), `palms` the points in the palm boxes, `completed` the maps laid
    aside, oldest first.
    """

    maps: tuple[Held | None, ...]
    coins: int = 0
    rows: tuple[int, ...] = ()
    palms: tuple[int, ...] = ()
    completed: tuple[int, ...] = ()


@value
class Pending:
    """What a seat has marked this turn: a mask for each place of a map, and the extras it owes."""

    marked: tuple[int, ...]
    extras: int


@value
class State:
    """A state; everything in it is immutable and comparable.

    `open_expeditions` is the option. `round` (1 to 4) and `turn` (1 to 7) count, `start` is the
    start player of the turn. `expeditions` are the eight of the round as shuffled, of which the
    first `turn` have been seen; () before the first round. A `deck` has its top first, `display`
    four places, None for a gap. `trophies` are those left, highest first.

    By seat: `dealt` (the four maps to choose from, ascending) and `kept` (two of them, or None),
    both () once all have kept; `pending`, all None but in stage `mark`. None of these, nor any
    other part, remembers in which order seats answered.

    In stage `score`, `taking` is the seat that takes a map and `picks` how many it still takes.
    """

    open_expeditions: bool
    stage: Stage
    round: int
    turn: int
    start: int
    expeditions: tuple[int, ...]
    deck: tuple[int, ...]
    display: tuple[int | None, ...]
    trophies: tuple[int, ...]
    players: tuple[Player, ...]
    pending: tuple[Pending | None, ...]
    dealt: tuple[tuple[int, ...], ...] = ()
    kept: tuple[tuple[int, ...] | None, ...] = ()
    taking: int | None = None
    picks: int = 0

    @property
    def expedition(self) -> int:
        """The current expedition; only in stages `mark` and `score`."""
        return self.expeditions[self.turn - 1]

    @property
    def last_turn(self) -> bool:
        """Whether this is the last turn of the game."""
        return self.round == ROUNDS and self.turn == TURNS

    def choosing(self, seat: int) -> bool:
        """Tells whether a seat owes a choice, a mark or an extra, in `keep` and `mark`."""
        if self.stage == "keep":
            return self.kept[seat] is None
        if self.stage != "mark" or self.players[seat].maps == NO_MAPS:
            return False
        pending = self.pending[seat]
        return pending is None or pending.extras > 0


NO_MAPS: tuple[Held | None, ...] = (None,) * MAPS_HELD


def changed(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Returns the items with one of them replaced."""
    return (*items[:at], item, *items[at + 1 :])


def dump(state: State) -> Json:
    """Returns the whole state, secrets included, as plain JSON data."""
    return {
        "open_expeditions": state.open_expeditions,
        "stage": state.stage,
        "round": state.round,
        "turn": state.turn,
        "start": state.start,
        "expeditions": list(state.expeditions),
        "deck": list(state.deck),
        "display": list(state.display),
        "trophies": list(state.trophies),
        "players": [
            {
                "maps": [None if held is None else [held.map, held.marked] for held in it.maps],
                "coins": it.coins,
                "rows": list(it.rows),
                "palms": list(it.palms),
                "completed": list(it.completed),
            }
            for it in state.players
        ],
        "pending": [None if it is None else [list(it.marked), it.extras] for it in state.pending],
        "dealt": [list(maps) for maps in state.dealt],
        "kept": [None if maps is None else list(maps) for maps in state.kept],
        "taking": state.taking,
        "picks": state.picks,
    }


def load(data: Json) -> State:
    """Reads what `dump` wrote."""
    return State(
        open_expeditions=data["open_expeditions"],
        stage=data["stage"],
        round=data["round"],
        turn=data["turn"],
        start=data["start"],
        expeditions=tuple(data["expeditions"]),
        deck=tuple(data["deck"]),
        display=tuple(data["display"]),
        trophies=tuple(data["trophies"]),
        players=tuple(
            Player(
                maps=tuple(None if held is None else Held(*held) for held in it["maps"]),
                coins=it["coins"],
                rows=tuple(it["rows"]),
                palms=tuple(it["palms"]),
                completed=tuple(it["completed"]),
            )
            for it in data["players"]
        ),
        pending=tuple(
            None if it is None else Pending(tuple(it[0]), it[1]) for it in data["pending"]
        ),
        dealt=tuple(tuple(maps) for maps in data["dealt"]),
        kept=tuple(None if maps is None else tuple(maps) for maps in data["kept"]),
        taking=data["taking"],
        picks=data["picks"],
    )
