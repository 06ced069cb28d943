"""The rules of Take the Gold."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from app.games.chance import Chance
from app.games.contract import Fields, Game, IllegalMove, Json, Meta, Outcome, Prompt, Step, View
from app.games.take_the_gold import moves as spelling
from app.games.take_the_gold import state as states
from app.games.take_the_gold import turns
from app.games.take_the_gold.attacks import attack, respond, targets
from app.games.take_the_gold.cards import ANSWERS, HAND_LIMIT, NUMBER
from app.games.take_the_gold.ending import outcome
from app.games.take_the_gold.guess import guess
from app.games.take_the_gold.meta import META
from app.games.take_the_gold.moves import PASS, Discard, Move, Pass, Play, Respond
from app.games.take_the_gold.state import State
from app.games.take_the_gold.view import view


class TakeTheGold(Game[State, Move]):
    """Take the Gold for two to six. A turn is a draw, a play or a pass, and the hand limit."""

    @property
    def meta(self) -> Meta:
        """The fixed facts of the game."""
        return META

    def setup(self, seats: int, options: Mapping[str, Json], chance: Chance) -> Step[State]:
        """Deals two cards to each seat; the first player, by chance, draws a third."""
        least, most = META.seats
        if not least <= seats <= most:
            raise ValueError(f"expected {least} to {most} seats, got {seats}")
        return turns.deal(seats, options["krakens"], chance, advanced=options["advanced"])

    def actors(self, state: State) -> tuple[int, ...]:
        """Returns the seat whose turn it is, or the target while it is asked; () at the end."""
        if state.won:
            return ()
        return (state.table.target if state.table else state.turn,)

    def prompt(self, state: State, seat: int) -> Prompt[Move] | None:
        """Returns the stage `play`, `respond` or `discard` with every move the hand allows."""
        if seat not in self.actors(state):
            return None
        hand = state.hands[seat]
        if state.table:
            fits = [card for card in ANSWERS[state.table.card] if card in hand]
            return Prompt("respond", tuple(Respond(card) for card in (*fits, None)))
        if state.stage == "discard":
            chosen = dict.fromkeys(combinations(hand, turns.over_limit(state)))
            return Prompt("discard", tuple(Discard(cards) for cards in chosen))
        attacks = [card for card in dict.fromkeys(hand) if card in ANSWERS]
        plays = (Play(card, target) for card in attacks for target in targets(state))
        return Prompt("play", (*plays, PASS))

    def parse(self, data: Json) -> Move:
        """Reads wire data as a move in canonical spelling. Raises `Malformed`."""
        return spelling.parse(data)

    def from_form(self, fields: Fields) -> Json:
        """Returns the wire data that the fields of a page's form mean. Raises `Malformed`."""
        return spelling.from_form(fields)

    def apply(self, state: State, seat: int, move: Move, chance: Chance) -> Step[State]:
        """Plays one move; a turn that ends begins the next one.

        Raises `IllegalMove`: `game_over`, `not_your_turn`, `wait_for_answer`, `answer_first`,
        `nothing_to_answer`, `nothing_to_discard`, `discard_first`, and those of the moves.
        """
        if state.won:
            raise IllegalMove("game_over")
        if state.table:
            if seat != state.table.target:
                raise IllegalMove("wait_for_answer", target=state.table.target)
            if not isinstance(move, Respond):
                table = state.table
                raise IllegalMove("answer_first", attack=table.card, attacker=table.attacker)
            return respond(state, state.table, move.card, chance)
        if seat != state.turn:
            raise IllegalMove("not_your_turn", turn=state.turn)
        if isinstance(move, Respond):
            raise IllegalMove("nothing_to_answer")
        if isinstance(move, Discard):
            if state.stage != "discard":
                raise IllegalMove("nothing_to_discard")
            return turns.discard(state, move.cards, chance)
        if state.stage == "discard":
            raise IllegalMove("discard_first", count=turns.over_limit(state))
        if isinstance(move, Pass):
            return turns.pass_turn(state, chance)
        return attack(state, move.card, move.target, chance)

    def view(self, state: State, viewer: int | None) -> View:
        """Returns what `viewer` (None: a spectator) may know."""
        return view(state, viewer)

    def outcome(self, state: State) -> Outcome | None:
        """Returns the result once somebody has won, else None."""
        return outcome(state)

    def guess(self, state: State, viewer: int | None, chance: Chance) -> State:
        """Deals the hidden part again: a state that `viewer` cannot tell from the true one."""
        return guess(state, viewer, chance)

    def components(self) -> Mapping[str, Json]:
        """Returns the numbers of the cards, by attack what answers it, and the hand limit."""
        return {
            "cards": dict(NUMBER),
            "answers": {card: list(fits) for card, fits in ANSWERS.items()},
            "hand_limit": HAND_LIMIT,
        }

    def dump(self, state: State) -> Json:
        """Returns the whole state, secrets included, as plain JSON data."""
        return states.dump(state)

    def load(self, data: Json) -> State:
        """Reads what `dump` wrote."""
        return states.load(data)
