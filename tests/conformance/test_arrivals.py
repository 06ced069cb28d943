"""Where several seats choose, the order in which they answer makes no difference."""

from __future__ import annotations

from random import Random

from tests.conformance.arrivals import (
    Moment,
    Play,
    looks,
    moments,
    orders,
    straight,
    thinking_again,
)
from tests.conformance.driver import AnyGame
from tests.conformance.plain import text

MOMENTS = 4
"""Moments of each random game that are looked at."""


def test_answers_in_any_order_lead_to_the_same_state(game: AnyGame, games: int) -> None:
    for number in range(games):
        for moment in moments(game, number, MOMENTS):
            _check(moment, [straight(moment, order) for order in _orders(moment, number)])


def test_take_backs_among_the_answers_make_no_difference(game: AnyGame, games: int) -> None:
    for number in range(games):
        for moment in moments(game, number, MOMENTS):
            every = _orders(moment, number)
            again = [thinking_again(moment, order) for order in every]
            _check(moment, again)
            # States may still differ in what `taken_back` keeps for guesses.
            thought, at_once = looks(again[0].position), looks(straight(moment, every[0]).position)
            for part in ("views", "asked", "done", "draws", "outcome"):
                assert text(thought[part]) == text(at_once[part])


def test_a_question_keeps_its_number_while_others_answer_and_take_back(
    game: AnyGame, games: int
) -> None:
    for number in range(games):
        for moment in moments(game, number, MOMENTS):
            last = max(moment.position.asked)
            play = Play(moment.deal, moment.journal, moment.position)
            for seat in sorted(moment.position.asked)[:-1]:
                for move in moment.first[seat]:
                    play.move(seat, move)
                    assert play.position.asked[last] == moment.position.asked[last]
                for _ in moment.first[seat]:
                    play.undo(seat)
                    assert play.position.asked[last] == moment.position.asked[last]


def _orders(moment: Moment, number: int) -> list[tuple[int, ...]]:
    return orders(moment.position.actors, Random(number))


def _check(moment: Moment, plays: list[Play]) -> None:
    expected = text(looks(plays[0].position))
    for play in plays:
        assert text(looks(play.position)) == expected
    for play in plays[:1] + plays[-1:]:
        replayed, told = play.replayed()
        assert replayed == play.position
        assert [said.seq for said in told] == list(range(len(play.journal)))
