"""The house's rule for what can no longer be taken back, reason by reason."""

from __future__ import annotations

import pytest

from app.games.contract import Event, Step
from app.play.barrier import is_barrier

QUIET = Step(state=None, events=(Event("moved", {"seat": 0}, {1: {"card": 7}}),))


def test_a_quiet_move_can_be_taken_back() -> None:
    stages = {0: "act", 1: "choose"}
    assert not is_barrier(0, QUIET, drew=False, before=stages, after=stages)


def test_one_fewer_question_is_no_barrier() -> None:
    before = {0: "choose", 1: "choose"}
    assert not is_barrier(0, QUIET, drew=False, before=before, after={1: "choose"})


def test_another_stage_of_the_mover_is_no_barrier() -> None:
    assert not is_barrier(0, QUIET, drew=False, before={0: "take"}, after={0: "return"})


def test_the_game_may_say_so() -> None:
    step = Step(state=None, barrier=True)
    assert is_barrier(0, step, drew=False, before={0: "act"}, after={0: "act"})


def test_the_end_of_the_game_is_a_barrier() -> None:
    assert is_barrier(0, QUIET, drew=False, before={0: "act"}, after={})


def test_chance_is_a_barrier() -> None:
    assert is_barrier(0, QUIET, drew=True, before={0: "act"}, after={0: "act"})


def test_a_secret_for_the_mover_is_a_barrier_a_secret_for_another_is_not() -> None:
    assert is_barrier(1, QUIET, drew=False, before={1: "act"}, after={1: "act"})
    assert not is_barrier(2, QUIET, drew=False, before={2: "act"}, after={2: "act"})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({0: "act"}, {1: "act"}),
        ({0: "act", 1: "choose"}, {1: "act"}),
        ({0: "act"}, {0: "act", 1: "answer"}),
    ],
)
def test_another_seat_that_is_asked_is_a_barrier(
    before: dict[int, str], after: dict[int, str]
) -> None:
    assert is_barrier(0, QUIET, drew=False, before=before, after=after)
