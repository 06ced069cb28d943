"""The rules: set-up, whose turn it is, what is legal, what a move does, who won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import Event, Game, IllegalMove, Json, Meta, Outcome, Prompt, Step
from tests.tiny.template import moves
from tests.tiny.template import state as states
from tests.tiny.template import view as views
from tests.tiny.template.meta import META
from tests.tiny.template.moves import KEEP, SWAP, Decision
from tests.tiny.template.state import State


class HighCard(Game[State, Decision]):
    """The game, as the contract asks for it."""

    meta: Meta = META

    def setup(self, seats: int, options: Mapping[str, Json], chance: Chance) -> Step[State]:
        """Deals one card to each seat and leaves `spare` cards."""
        cards = chance.shuffled(range(1, seats + options["spare"] + 1))
        secrets = {seat: {"card": cards[seat]} for seat in range(seats)}
        return Step(State(cards[:seats], cards[seats:]), (Event("dealt", secrets=secrets),))

    def actors(self, state: State) -> tuple[int, ...]:
        """The seats decide one after the other."""
        return () if state.over else (state.turn,)

    def prompt(self, state: State, seat: int) -> Prompt[Decision] | None:
        """Asks whether to keep the card or to swap it while cards are left."""
        if seat not in self.actors(state):
            return None
        return Prompt("decide", (KEEP, SWAP) if state.deck else (KEEP,))

    def apply(self, state: State, seat: int, move: Decision, chance: Chance) -> Step[State]:
        """Keeps the card, or shows it and takes the top card of the deck."""
        if seat not in self.actors(state):
            raise IllegalMove("not_your_turn")
        after = replace(state, turn=state.turn + 1)
        if move == KEEP:
            return Step(after, (Event("kept", {"seat": seat}),))
        if not state.deck:
            raise IllegalMove("deck_empty")
        old, new = state.hands[seat], state.deck[0]
        after = replace(
            after,
            hands=(*state.hands[:seat], new, *state.hands[seat + 1 :]),
            deck=state.deck[1:],
            shown=(*state.shown, old),
        )
        return Step(after, (Event("swapped", {"seat": seat, "card": old}, {seat: {"new": new}}),))

    def outcome(self, state: State) -> Outcome | None:
        """The highest card wins; no two are equal."""
        if not state.over:
            return None
        return Outcome(
            ranking=tuple(
                sorted(state.hands, reverse=True).index(card) + 1 for card in state.hands
            ),
            totals=state.hands,
            scores=tuple({"card": card} for card in state.hands),
            reason="all_decided",
        )

    parse = staticmethod(moves.parse)
    from_form = staticmethod(moves.from_form)
    view = staticmethod(views.view)
    guess = staticmethod(views.guess)
    dump = staticmethod(states.dump)
    load = staticmethod(states.load)
