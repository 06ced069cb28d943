"""The rules of Silver & Gold."""

from __future__ import annotations

from collections.abc import Mapping

from app.games.chance import Chance
from app.games.contract import (
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
from app.games.silver_and_gold import legal, scoring, spelling, turns
from app.games.silver_and_gold import state as states
from app.games.silver_and_gold.deal import deal, keep
from app.games.silver_and_gold.guess import guess
from app.games.silver_and_gold.marking import mark
from app.games.silver_and_gold.meta import META
from app.games.silver_and_gold.moves import Keep, Move, TakeMap
from app.games.silver_and_gold.preview import preview
from app.games.silver_and_gold.printed import PRINTED
from app.games.silver_and_gold.state import State
from app.games.silver_and_gold.view import view


class SilverAndGold(Game[State, Move]):
    """Silver & Gold for two to four: everybody marks at once, then scores seat by seat."""

    @property
    def meta(self) -> Meta:
        """The fixed facts of the game."""
        return META

    def setup(self, seats: int, options: Mapping[str, Json], chance: Chance) -> Step[State]:
        """Deals. Draws the start player unless `options["first"]` names a seat of the table."""
        least, most = META.seats
        if not least <= seats <= most:
            raise ValueError(f"expected {least} to {most} seats, got {seats}")
        named = options["first"]
        first = named if named in range(seats) else chance.below(seats)
        return deal(seats, open_expeditions=options["open_expeditions"], first=first, chance=chance)

    def actors(self, state: State) -> tuple[int, ...]:
        """Returns all seats that still choose; in `score` the one that takes a map."""
        if state.taking is not None:
            return (state.taking,)
        return tuple(seat for seat in range(len(state.players)) if state.choosing(seat))

    def prompt(self, state: State, seat: int) -> Prompt[Move] | None:
        """Returns the stage `keep`, `mark`, `extra` or `take_map` with all legal moves."""
        return legal.prompt(state, seat)

    def parse(self, data: Json) -> Move:
        """Reads wire data as a move in canonical spelling. Raises `Malformed`."""
        return spelling.parse(data)

    def from_form(self, fields: Fields) -> Json:
        """Returns the wire data that the fields of a page's form mean. Raises `Malformed`."""
        return spelling.from_form(fields)

    def apply(self, state: State, seat: int, move: Move, chance: Chance) -> Step[State]:
        """Plays one move. Chance shuffles the deck at the start, the expeditions of each round.

        Raises `IllegalMove`: `game_over`, `keep_first`, `nothing_to_take`,
        `not_your_turn`, `take_map_first`, and those of `deal.keep`, `marking.mark`, `turns.take`.
        """
        if state.stage == "over":
            raise IllegalMove("game_over")
        if isinstance(move, Keep):
            return keep(state, seat, move, chance)
        if state.stage == "keep":
            raise IllegalMove("keep_first")
        if state.stage == "score" and seat != state.taking:
            raise IllegalMove("not_your_turn", taking=state.taking)
        if isinstance(move, TakeMap):
            if state.stage != "score":
                raise IllegalMove("nothing_to_take")
            return turns.take(state, seat, move, chance)
        if state.stage == "score":
            raise IllegalMove("take_map_first")
        return mark(state, seat, move, chance)

    def view(self, state: State, viewer: int | None) -> View:
        """Returns what `viewer` (None: a spectator) may know."""
        return view(state, viewer)

    def outcome(self, state: State) -> Outcome | None:
        """Returns the result once the game is over, else None."""
        return scoring.outcome(state) if state.stage == "over" else None

    def guess(self, state: State, viewer: int | None, chance: Chance) -> State:
        """Deals the hidden part again: a state that `viewer` cannot tell from the true one."""
        return guess(state, viewer, chance)

    def recalls(self, now: State, then: State) -> bool:
        """Returns whether `then` may be looked at in `now`: no earlier turn of the round tells it.

        The squares of a turn are what differs between two looks at a map. So while expeditions may
        not be looked up, what was before this turn may be only in the first turn of a round, when
        all that is gone belongs to rounds that are over.
        """
        this_turn = (then.round, then.turn) == (now.round, now.turn)
        return now.open_expeditions or this_turn or now.turn <= 1

    def preview(self, view: View, move: Json) -> Mapping[str, Json]:
        """Returns what a mark would bring: coins, rows, palms, extras, completed maps."""
        return preview(view, move)

    def components(self) -> Mapping[str, Json]:
        """Returns the grids of the maps and the forms of the expeditions."""
        return PRINTED

    def dump(self, state: State) -> Json:
        """Returns the whole state, secrets included, as plain JSON data."""
        return states.dump(state)

    def load(self, data: Json) -> State:
        """Reads what `dump` wrote."""
        return states.load(data)
