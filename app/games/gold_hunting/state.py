"""The whole truth about a game of Gold Hunting at one moment."""

from __future__ import annotations

from typing import Literal

from app.games.contract import Json
from app.games.gold_hunting.bars import Bars, Mountains
from app.games.value import value

Stage = Literal["build", "hunt", "dig", "over"]
Use = Literal["rush", "safe"]


@value
class Token:
    """The rush token of a seat: its number, what it was used for, whether the rush was right."""

    number: int
    use: Use | None = None
    right: bool | None = None


@value
class Player:
    """What one seat has; `pile` and `safe` ascend, an empty safe was never filled."""

    token: Token
    mountains: Mountains = ()
    pile: Bars = ()
    safe: Bars = ()


@value
class Lift:
    """The lifting of a bar: `seat` dug, `lost` are the bars of its pile that it lost by it."""

    seat: int
    mountain: int
    announced: int
    lifted: int
    right: bool
    rush: bool
    lost: Bars


@value
class State:
    """A state; everything in it is immutable and comparable.

    `bust_min` is the option. `first` digs first, `turn` is the seat to move once both have built.
    `third` is the token that nobody got. `owes_dig` says that the seat to move has used its safe
    in this turn. `box` has the bars in the box, ascending. `last` is the last lift. `stopped` says
    that the game ended before the last bar was lifted.
    """

    bust_min: int
    first: int
    turn: int
    players: tuple[Player, Player]
    third: int
    owes_dig: bool = False
    box: Bars = ()
    last: Lift | None = None
    stopped: bool = False

    @property
    def stage(self) -> Stage:
        """What is asked: to build, to use the token or dig, to dig after a safe, or nothing."""
        if not all(player.mountains for player in self.players):
            return "build"
        if not any(bars for player in self.players for bars in player.mountains):
            return "over"
        return "dig" if self.owes_dig else "hunt"


def changed(players: tuple[Player, Player], seat: int, player: Player) -> tuple[Player, Player]:
    """Returns the players with one of them replaced."""
    return (player, players[1]) if seat == 0 else (players[0], player)


def dump(state: State) -> Json:
    """Returns the whole state, secrets included, as plain JSON data."""
    last = state.last
    return {
        "bust_min": state.bust_min,
        "first": state.first,
        "turn": state.turn,
        "players": [
            {
                "token": {
                    "number": player.token.number,
                    "use": player.token.use,
                    "right": player.token.right,
                },
                "mountains": [list(bars) for bars in player.mountains],
                "pile": list(player.pile),
                "safe": list(player.safe),
            }
            for player in state.players
        ],
        "third": state.third,
        "owes_dig": state.owes_dig,
        "box": list(state.box),
        "last": None if last is None else dump_lift(last),
        "stopped": state.stopped,
    }


def dump_lift(lift: Lift) -> dict[str, Json]:
    """Returns a lift as plain JSON data."""
    return {
        "seat": lift.seat,
        "mountain": lift.mountain,
        "announced": lift.announced,
        "lifted": lift.lifted,
        "right": lift.right,
        "rush": lift.rush,
        "lost": list(lift.lost),
    }


def load(data: Json) -> State:
    """Reads what `dump` wrote."""
    first, second = (_player(player) for player in data["players"])
    last = data["last"]
    return State(
        bust_min=data["bust_min"],
        first=data["first"],
        turn=data["turn"],
        players=(first, second),
        third=data["third"],
        owes_dig=data["owes_dig"],
        box=tuple(data["box"]),
        last=None if last is None else Lift(**{**last, "lost": tuple(last["lost"])}),
        stopped=data["stopped"],
    )


def _player(data: Json) -> Player:
    return Player(
        token=Token(**data["token"]),
        mountains=tuple(tuple(bars) for bars in data["mountains"]),
        pile=tuple(data["pile"]),
        safe=tuple(data["safe"]),
    )
