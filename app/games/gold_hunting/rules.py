"""The rules of Gold Hunting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import (
    Event,
    Fields,
    Game,
    IllegalMove,
    Json,
    Meta,
    Outcome,
    Prompt,
    Step,
    View,
)
from app.games.gold_hunting import building, hunting, scoring, spelling
from app.games.gold_hunting import state as states
from app.games.gold_hunting import view as views
from app.games.gold_hunting.bars import COUNTS, MOUNTAINS, RUSH_POINTS, TOKENS
from app.games.gold_hunting.meta import META
from app.games.gold_hunting.moves import Build, Dig, Move, Rush
from app.games.gold_hunting.state import Player, State, Token
from app.games.options import FIRST_BY_CHANCE

SEATS = 2


class GoldHunting(Game[State, Move]):
    """Gold Hunting for two. Both build at once, then each turn lifts one bar of the other's."""

    @property
    def meta(self) -> Meta:
        """The fixed facts of the game."""
        return META

    def setup(self, seats: int, options: Mapping[str, Json], chance: Chance) -> Step[State]:
        """Deals the tokens; draws the first player unless `options["first"]` names a seat."""
        if seats != SEATS:
            raise ValueError(f"expected {SEATS} seats, got {seats}")
        mine, theirs, third = chance.shuffled(TOKENS)
        first = options["first"]
        first = chance.below(SEATS) if first == FIRST_BY_CHANCE else first
        state = State(
            bust_min=options["bust_min"],
            first=first,
            turn=first,
            players=(Player(Token(mine)), Player(Token(theirs))),
            third=third,
        )
        secrets = {0: {"token": mine}, 1: {"token": theirs}}
        return Step(state, (Event("dealt", {"starts": first}, secrets),))

    def actors(self, state: State) -> tuple[int, ...]:
        """Returns the seats that have not built, then the one to move; () at the end."""
        stage = state.stage
        if stage == "build":
            return tuple(seat for seat, own in enumerate(state.players) if not own.mountains)
        return () if stage == "over" else (state.turn,)

    def prompt(self, state: State, seat: int) -> Prompt[Move] | None:
        """Returns the question to `seat`, or None; building is open, with a few examples."""
        if seat not in self.actors(state):
            return None
        stage = state.stage
        if stage == "build":
            return Prompt("build", building.EXAMPLES, open=True)
        return Prompt(stage, hunting.legal(state))

    def parse(self, data: Json) -> Move:
        """Reads wire data as a move in canonical spelling. Raises `Malformed`."""
        return spelling.parse(data)

    def from_form(self, fields: Fields) -> Json:
        """Returns the wire data that the fields of a page's form mean. Raises `Malformed`."""
        return spelling.from_form(fields)

    def apply(self, state: State, seat: int, move: Move, chance: Chance) -> Step[State]:  # noqa: ARG002
        """Plays one move; no move uses chance.

        Raises `IllegalMove`: `game_over`, `already_built`, `build_first`, `not_your_turn`, and
        those of building and hunting.
        """
        stage = state.stage
        if stage == "over":
            raise IllegalMove("game_over")
        built = state.players[seat].mountains != ()
        if isinstance(move, Build):
            if built:
                raise IllegalMove("already_built")
            return building.build(state, seat, move.mountains)
        if not built:
            raise IllegalMove("build_first")
        if stage == "build" or seat != state.turn:
            raise IllegalMove("not_your_turn")
        if isinstance(move, Dig):
            return hunting.dig(state, move.mountain, move.size)
        if isinstance(move, Rush):
            return hunting.rush(state, move.mountain)
        return hunting.safe(state)

    def view(self, state: State, viewer: int | None) -> View:
        """Returns what `viewer` (None: a spectator) may know."""
        return views.view(state, viewer)

    def outcome(self, state: State) -> Outcome | None:
        """Returns the result once all mountains are gone, else None."""
        return scoring.outcome(state) if state.stage == "over" else None

    def guess(self, state: State, viewer: int | None, chance: Chance) -> State:
        """Deals the hidden part again: a state that `viewer` cannot tell from the true one."""
        return views.guess(state, viewer, chance)

    def turns_up(self, events: Sequence[Event]) -> bool:
        """Returns whether a bar was lifted: whether it is what was announced is worth a look."""
        return any(event.kind == "dug" for event in events)

    def stopped(self, state: State) -> State:
        """Returns the state with the tokens turned up, which is done when the game is over."""
        return replace(state, stopped=True)

    def components(self) -> Mapping[str, Json]:
        """Returns the bars of a player by size, the tokens, and what a right rush is worth."""
        return {
            "bars": {str(size): count for size, count in COUNTS.items()},
            "mountains": MOUNTAINS,
            "tokens": list(TOKENS),
            "rush": RUSH_POINTS,
        }

    def dump(self, state: State) -> Json:
        """Returns the whole state, secrets included, as plain JSON data."""
        return states.dump(state)

    def load(self, data: Json) -> State:
        """Reads what `dump` wrote."""
        return states.load(data)
