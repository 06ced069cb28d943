"""The suite itself: each kind of broken game fails the check that is there for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from app.games.chance import Chance
from app.games.contract import Event, IllegalMove, Json, Malformed, Prompt, Step, View
from tests.conformance import (
    test_arrivals,
    test_legal,
    test_random_play,
    test_replay,
    test_secrets,
    test_take_back,
    test_wire,
)
from tests.tiny.template import moves
from tests.tiny.template.moves import KEEP, SWAP, Decision
from tests.tiny.template.rules import HighCard
from tests.tiny.template.state import State
from tests.tiny.torture.moves import Hide, Move, Peek
from tests.tiny.torture.rules import Strongbox

Check = Callable[[Any, int], None]
GAMES = 4


class Endless(HighCard):
    def apply(self, state: State, seat: int, move: Decision, chance: Chance) -> Step[State]:
        step = super().apply(state, seat, move, chance)
        return Step(state, step.events) if move == KEEP else step


class AsksEverybody(HighCard):
    def prompt(self, state: State, seat: int) -> Prompt[Decision] | None:
        return Prompt("decide", (KEEP,))


class RefusesALegalMove(HighCard):
    def apply(self, state: State, seat: int, move: Decision, chance: Chance) -> Step[State]:
        if move == SWAP:
            raise IllegalMove("never")
        return super().apply(state, seat, move, chance)


class AcceptsAnIllegalMove(HighCard):
    def apply(self, state: State, seat: int, move: Decision, chance: Chance) -> Step[State]:
        return super().apply(state, seat, move if state.deck else KEEP, chance)


class DrawsBeforeRefusing(HighCard):
    def apply(self, state: State, seat: int, move: Decision, chance: Chance) -> Step[State]:
        chance.below(2)
        return super().apply(state, seat, move, chance)


class LosesACard(HighCard):
    def apply(self, state: State, seat: int, move: Decision, chance: Chance) -> Step[State]:
        step = super().apply(state, seat, move, chance)
        return replace(step, state=replace(step.state, shown=()))


class ShowsTheDeck(HighCard):
    @staticmethod
    def view(state: State, viewer: int | None) -> View:
        return {**HighCard.view(state, viewer), "deck": list(state.deck)}


class ShowsAllFieldsButTwo(HighCard):
    @staticmethod
    def view(state: State, viewer: int | None) -> View:
        shown = {part.name: getattr(state, part.name) for part in fields(state)}
        return {name: value for name, value in shown.items() if name not in {"hands", "deck"}}


class TellsTheNewCard(HighCard):
    def apply(self, state: State, seat: int, move: Decision, chance: Chance) -> Step[State]:
        step = super().apply(state, seat, move, chance)
        new = {"new": step.state.hands[seat]}
        return replace(step, events=tuple(Event(e.kind, {**e.facts, **new}) for e in step.events))


class TellsTheDeal(HighCard):
    def setup(self, seats: int, options: Any, chance: Chance) -> Step[State]:
        step = super().setup(seats, options, chance)
        return replace(step, events=(Event("dealt", {"first": step.state.hands[0]}),))


class GuessesNothing(HighCard):
    @staticmethod
    def guess(state: State, viewer: int | None, chance: Chance) -> State:
        return state


class GuessesOtherCards(HighCard):
    @staticmethod
    def guess(state: State, viewer: int | None, chance: Chance) -> State:
        return replace(state, deck=tuple(100 + at for at, _ in enumerate(state.deck)))


class ForgetsToDump(HighCard):
    @staticmethod
    def dump(state: State) -> Json:
        return [list(state.hands), list(state.deck), [], state.turn]


class ReadsAnything(HighCard):
    @staticmethod
    def parse(data: Json) -> Decision:
        return KEEP if data["kind"] == "keep" else SWAP


class IgnoresTheRest(HighCard):
    @staticmethod
    def parse(data: Json) -> Decision:
        if not isinstance(data, dict):
            raise Malformed("expected an object")
        return moves.parse({"kind": data.get("kind")})


class RemembersOutsideTheState(HighCard):
    def __init__(self) -> None:
        self.calls = 0

    def apply(self, state: State, seat: int, move: Decision, chance: Chance) -> Step[State]:
        self.calls += 1
        step = super().apply(state, seat, move, chance)
        return replace(step, events=(Event("counted", {"calls": self.calls}),))


class RefusesWithASecret(Strongbox):
    def apply(self, state: Any, seat: int, move: Move, chance: Chance) -> Step[Any]:
        try:
            return super().apply(state, seat, move, chance)
        except IllegalMove as refused:
            raise IllegalMove(refused.code, tokens=list(state.tokens)) from None


class PeeksForFree(Strongbox):
    def apply(self, state: Any, seat: int, move: Move, chance: Chance) -> Step[Any]:
        step = super().apply(state, seat, move, chance)
        if not isinstance(move, Peek):
            return step
        return Step(replace(state, known=step.state.known), (Event("peeked", {"seat": seat}),))


class RemembersWhoWasLast(Strongbox):
    def apply(self, state: Any, seat: int, move: Move, chance: Chance) -> Step[Any]:
        step = super().apply(state, seat, move, chance)
        if not isinstance(move, Hide):
            return step
        return replace(step, state=replace(step.state, turn=seat))


class HidesOneAfterTheOther(Strongbox):
    """The stage that all are asked is another one after each answer."""

    def prompt(self, state: Any, seat: int) -> Prompt[Any] | None:
        prompt = super().prompt(state, seat)
        if prompt is None or prompt.stage != "hide":
            return prompt
        return replace(prompt, stage=f"hide {state.boxes.count(None)}")


BROKEN: list[tuple[Check, type[Any]]] = [
    (test_random_play.test_random_games_end_and_ask_sensibly, Endless),
    (test_random_play.test_random_games_end_and_ask_sensibly, AsksEverybody),
    (test_random_play.test_components_are_conserved, LosesACard),
    (test_random_play.test_state_view_moves_and_events_survive_json, ForgetsToDump),
    (test_legal.test_every_legal_move_is_accepted_and_changes_only_a_copy, RefusesALegalMove),
    (test_legal.test_every_other_move_is_refused_and_changes_nothing, AcceptsAnIllegalMove),
    (test_legal.test_a_refused_move_draws_nothing, DrawsBeforeRefusing),
    (test_replay.test_replaying_the_moves_gives_equal_bytes, RemembersOutsideTheState),
    (test_secrets.test_no_viewer_can_tell_a_guess_from_the_truth, ShowsTheDeck),
    (test_secrets.test_no_viewer_can_tell_a_guess_from_the_truth, RefusesWithASecret),
    (test_secrets.test_guesses_are_whole_states, GuessesOtherCards),
    (test_secrets.test_guesses_differ_where_there_are_secrets, GuessesNothing),
    (test_secrets.test_events_tell_no_more_than_the_view_after_them, TellsTheNewCard),
    (test_secrets.test_a_secret_added_to_the_state_reaches_no_wire, ShowsAllFieldsButTwo),
    (test_arrivals.test_answers_in_any_order_lead_to_the_same_state, RemembersWhoWasLast),
    (test_arrivals.test_take_backs_among_the_answers_make_no_difference, RemembersWhoWasLast),
    (
        test_arrivals.test_a_question_keeps_its_number_while_others_answer_and_take_back,
        HidesOneAfterTheOther,
    ),
    (test_take_back.test_a_move_that_can_be_taken_back_told_its_mover_nothing, PeeksForFree),
    (test_wire.test_any_data_is_parsed_or_malformed, ReadsAnything),
]
BROKEN_AT_ONCE: list[tuple[Callable[..., None], type[Any]]] = [
    (test_secrets.test_the_events_of_the_set_up_tell_no_more_than_the_view, TellsTheDeal),
    (test_wire.test_a_field_too_many_is_malformed, IgnoresTheRest),
]
FAILURES = (AssertionError, pytest.fail.Exception, IllegalMove, TypeError)


@pytest.mark.parametrize(("check", "broken"), BROKEN, ids=lambda part: part.__name__)
def test_a_broken_game_is_caught(check: Check, broken: type[Any]) -> None:
    with pytest.raises(FAILURES):
        check(broken(), GAMES)


@pytest.mark.parametrize(("check", "broken"), BROKEN_AT_ONCE, ids=lambda part: part.__name__)
def test_a_game_broken_everywhere_is_caught(check: Callable[..., None], broken: type[Any]) -> None:
    with pytest.raises(FAILURES):
        check(game=broken())


def test_the_whole_games_pass_the_same_checks() -> None:
    for check, broken in BROKEN:
        check(broken.__mro__[1](), GAMES)
