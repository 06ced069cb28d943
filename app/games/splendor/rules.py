"""The rules of Splendor."""

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
from app.games.splendor import actions, ends, legal, nobles, scoring, spelling
from app.games.splendor import state as states
from app.games.splendor.deal import STOCK, deal
from app.games.splendor.meta import META
from app.games.splendor.moves import (
    Buy,
    ChooseNoble,
    Move,
    Pass,
    Reserve,
    ReserveBlind,
    Return,
    Take,
)
from app.games.splendor.payments import with_least_gold
from app.games.splendor.preview import preview
from app.games.splendor.printed import PRINTED
from app.games.splendor.state import State
from app.games.splendor.view import guess, view


class Splendor(Game[State, Move]):
    """Splendor for two to four: an action a turn, then tokens to return and a noble to choose."""

    @property
    def meta(self) -> Meta:
        """The fixed facts of the game."""
        return META

    def setup(self, seats: int, options: Mapping[str, Json], chance: Chance) -> Step[State]:
        """Deals. Draws the first player unless `options["first"]` names a seat of the table."""
        if seats not in STOCK:
            raise ValueError(f"expected 2 to 4 seats, got {seats}")
        named = options["first"]
        first = named if named in range(seats) else chance.below(seats)
        return deal(
            seats, options["target"], loose=options["loose_take"], first=first, chance=chance
        )

    def actors(self, state: State) -> tuple[int, ...]:
        """Returns the one seat whose turn it is; () when the game is over."""
        return () if state.stage == "over" else (state.turn,)

    def prompt(self, state: State, seat: int) -> Prompt[Move] | None:
        """Returns the stage `take` (any action), `pass`, `return` or `choose_noble`."""
        if state.stage == "over" or seat != state.turn:
            return None
        return legal.prompt(state)

    def parse(self, data: Json) -> Move:
        """Reads wire data as a move in canonical spelling. Raises `Malformed`."""
        return spelling.parse(data)

    def from_form(self, fields: Fields) -> Json:
        """Returns the wire data that the fields of a page's form mean. Raises `Malformed`."""
        return spelling.from_form(fields)

    def settled(self, state: State, seat: int, move: Move) -> Move:
        """Returns the move with the gold spelled out, if it was left to the rules."""
        if isinstance(move, Buy) and move.gold is None:
            gold = with_least_gold(state.players[seat], move.card)
            return move if gold is None else Buy(move.card, gold)
        return move

    def apply(self, state: State, seat: int, move: Move, chance: Chance) -> Step[State]:  # noqa: ARG002
        """Plays one move; chance is never used.

        Raises `IllegalMove`: `game_over`, `not_your_turn`, `return_first`, `choose_noble_first`,
        `nothing_to_return`, `no_noble_to_choose`, `cannot_pass`, those of `takes.check` and
        `payments.check`, `reserved_already`, `reserve_full`, `deck_empty`, `card_not_there`,
        `return_how_many`, `not_held`, `noble_not_waiting`.
        """
        if state.stage == "over":
            raise IllegalMove("game_over")
        if seat != state.turn:
            raise IllegalMove("not_your_turn")
        if isinstance(move, Return):
            if state.stage != "return":
                raise IllegalMove("nothing_to_return")
            return actions.give_back(state, move.tokens)
        if state.stage == "return":
            raise IllegalMove("return_first", count=ends.surplus(state))
        if isinstance(move, ChooseNoble):
            return _choose(state, move.noble)
        if state.stage == "choose_noble":
            raise IllegalMove("choose_noble_first", nobles=list(nobles.waiting(state)))
        return _act(state, move)

    def view(self, state: State, viewer: int | None) -> View:
        """Returns what `viewer` (None: a spectator) may know."""
        return view(state, viewer)

    def outcome(self, state: State) -> Outcome | None:
        """Returns the result once the game is over, else None."""
        return scoring.outcome(state) if state.stage == "over" else None

    def guess(self, state: State, viewer: int | None, chance: Chance) -> State:
        """Deals the hidden part again: a state that `viewer` cannot tell from the true one."""
        return guess(state, viewer, chance)

    def preview(self, view: View, move: Json) -> Mapping[str, Json]:
        """Returns what a legal move would cost and bring."""
        return preview(view, move)

    def components(self) -> Mapping[str, Json]:
        """Returns what is printed on the cards and nobles, by their numbers."""
        return PRINTED

    def dump(self, state: State) -> Json:
        """Returns the whole state, secrets included, as plain JSON data."""
        return states.dump(state)

    def load(self, data: Json) -> State:
        """Reads what `dump` wrote."""
        return states.load(data)


def _choose(state: State, noble: int) -> Step[State]:
    if state.stage != "choose_noble":
        raise IllegalMove("no_noble_to_choose")
    waiting = nobles.waiting(state)
    if noble not in waiting:
        raise IllegalMove("noble_not_waiting", noble=noble, nobles=list(waiting))
    after, told = nobles.visit(state, noble)
    return ends.end_turn(after, (told,))


def _act(state: State, move: Take | Reserve | ReserveBlind | Buy | Pass) -> Step[State]:
    if isinstance(move, Take):
        return actions.take(state, move.gems)
    if isinstance(move, Reserve):
        return actions.reserve(state, move.card)
    if isinstance(move, ReserveBlind):
        return actions.reserve_blind(state, move.level)
    if isinstance(move, Buy):
        return actions.buy(state, move.card, move.gold)
    if legal.actions(state):
        raise IllegalMove("cannot_pass")
    return actions.skip(state)
