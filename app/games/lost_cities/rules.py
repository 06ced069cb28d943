"""The rules of Lost Cities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

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
from app.games.lost_cities import moves as spelling
from app.games.lost_cities import state as states
from app.games.lost_cities import turns
from app.games.lost_cities.cards import COLOURS, COLUMN, in_order
from app.games.lost_cities.deal import SEATS, deal
from app.games.lost_cities.meta import META
from app.games.lost_cities.moves import DISCARDS, DRAWS, PLAYS, Draw, Move, Play
from app.games.lost_cities.preview import preview
from app.games.lost_cities.scoring import column_scores
from app.games.lost_cities.state import State
from app.games.lost_cities.view import guess, view
from app.games.options import FIRST_BY_CHANCE


class LostCities(Game[State, Move]):
    """Lost Cities for two. A turn is two moves: play or discard, then draw."""

    @property
    def meta(self) -> Meta:
        """The fixed facts of the game."""
        return META

    def setup(self, seats: int, options: Mapping[str, Json], chance: Chance) -> Step[State]:
        """Deals the first round. Draws the first player unless `options["first"]` names a seat."""
        if seats != SEATS:
            raise ValueError(f"expected {SEATS} seats, got {seats}")
        first = options["first"]
        starter = chance.below(SEATS) if first == FIRST_BY_CHANCE else first
        return deal(options["colours"], options["rounds"], starter, (), chance)

    def actors(self, state: State) -> tuple[int, ...]:
        """Returns the one seat whose turn it is; () when the last round is over."""
        return () if state.phase == "over" else (state.turn,)

    def prompt(self, state: State, seat: int) -> Prompt[Move] | None:
        """Returns the stage `play` (plays, then discards) or `draw` (deck, then piles)."""
        if state.phase == "over" or seat != state.turn:
            return None
        if state.phase == "draw":
            return Prompt("draw", tuple(DRAWS[source] for source in turns.sources(state)))
        cards = dict.fromkeys(state.hands[seat])
        own = state.expeditions[seat]
        plays = tuple(PLAYS[card] for card in cards if turns.may_follow(own[COLUMN[card]], card))
        return Prompt("play", plays + tuple(DISCARDS[card] for card in cards))

    def parse(self, data: Json) -> Move:
        """Reads wire data as a move in canonical spelling. Raises `Malformed`."""
        return spelling.parse(data)

    def from_form(self, fields: Fields) -> Json:
        """Returns the wire data that the fields of a page's form mean. Raises `Malformed`."""
        return spelling.from_form(fields)

    def apply(self, state: State, seat: int, move: Move, chance: Chance) -> Step[State]:
        """Plays one move; chance is used only where a draw ends a round that another follows.

        Raises `IllegalMove`: `game_over`, `not_your_turn`, `draw_first`, `play_first`,
        `not_in_hand`, `must_ascend`, `investment_after_number`, `no_such_pile`, `pile_closed`,
        `pile_empty`.
        """
        if state.phase == "over":
            raise IllegalMove("game_over")
        if seat != state.turn:
            raise IllegalMove("not_your_turn")
        if isinstance(move, Draw):
            return turns.draw(state, move.source, chance)
        if state.phase == "draw":
            raise IllegalMove("draw_first", legal=turns.sources(state))
        if move.card not in state.hands[seat]:
            raise IllegalMove("not_in_hand", card=move.card)
        if isinstance(move, Play):
            return turns.play(state, move.card)
        return turns.discard(state, move.card)

    def taken_back(self, state: State, seat: int, moves: Sequence[Move]) -> State:
        """Returns `state` with the cards of `moves` known to be in the hand they came back to."""
        known = state.known[seat]
        for move in moves:
            if not isinstance(move, Draw) and move.card not in known:
                known = in_order((*known, move.card))
        return replace(state, known=turns.changed(state.known, seat, known))

    def view(self, state: State, viewer: int | None) -> View:
        """Returns what `viewer` (None: a spectator) may know."""
        return view(state, viewer)

    def outcome(self, state: State) -> Outcome | None:
        """Returns the result once the last round is over, else None.

        `scores` are by colour letter; with three rounds by round and letter, such as `2R`.
        """
        if state.phase != "over":
            return None
        rounds = (*state.past, tuple(column_scores(own) for own in state.expeditions))
        scores = tuple(
            {
                colour if state.rounds == 1 else f"{number}{colour}": points
                for number, by_seat in enumerate(rounds, start=1)
                for colour, points in zip(COLOURS, by_seat[seat], strict=False)
            }
            for seat in range(SEATS)
        )
        totals = tuple(sum(by_source.values()) for by_source in scores)
        ranking = tuple(1 + sum(other > total for other in totals) for total in totals)
        return Outcome(ranking, totals, scores, reason="deck")

    def guess(self, state: State, viewer: int | None, chance: Chance) -> State:
        """Deals the hidden part again: a state that `viewer` cannot tell from the true one."""
        return guess(state, viewer, chance)

    def preview(self, view: View, move: Json) -> Mapping[str, Json]:
        """Returns the points `before` and `after` a play on its expedition."""
        return preview(view, move)

    def dump(self, state: State) -> Json:
        """Returns the whole state, secrets included, as plain JSON data."""
        return states.dump(state)

    def load(self, data: Json) -> State:
        """Reads what `dump` wrote."""
        return states.load(data)
