"""The time for a move: from the journal alone, so the same after a restart."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.play.clock import PATIENCE, Times, begun, earliest
from app.play.entry import Entry
from app.play.history import MOVE
from app.play.opening import opening
from app.play.position import Position, played
from app.play.seating import SEAT, WAIT, handed, waited
from tests.play.recorded_games import BEGAN, deal_of
from tests.tiny.games import TORTURE

LIMIT = timedelta(minutes=5)


def start(clock: int | None = 300) -> tuple[Position, Times, Entry]:
    deal = deal_of(TORTURE, (None, None, None))
    entry = opening(deal, BEGAN, clock)
    position = deal.open()
    return position, begun(position, entry), entry


def after(seconds: int) -> timedelta:
    return timedelta(seconds=seconds)


def test_the_first_ones_are_due_after_the_limit() -> None:
    position, times, entry = start()
    assert times.limit == LIMIT
    assert position.actors
    assert {times.due(position, seat) for seat in position.actors} == {BEGAN + LIMIT}
    assert entry.due == earliest(times, position) == BEGAN + LIMIT


def test_only_who_is_asked_anew_gets_new_time() -> None:
    position, times, _ = start()
    seat, *others = position.actors
    assert others, "several are asked at once"
    move = position.asked[seat].prompt.legal[0]
    later = played(position, seat, (move,)).position
    now = BEGAN + after(60)
    moved = times.after(later, MOVE, seat, now)
    for other in later.actors:
        new = later.asked[other].n == later.v
        assert moved.due(later, other) == (now if new else BEGAN) + LIMIT
    assert any(later.asked[other].n != later.v for other in later.actors)


def test_waiting_gives_the_whole_time_again_to_one_seat() -> None:
    position, times, _ = start()
    seat, other, *_ = position.actors
    later = waited(position, seat, other).position
    times = times.after(later, WAIT, seat, BEGAN + after(400))
    assert times.waited == {seat}
    assert times.due(later, seat) == BEGAN + after(400) + LIMIT
    assert times.due(later, other) == BEGAN + LIMIT


def test_a_bot_has_no_clock_and_who_is_back_gets_the_whole_time() -> None:
    position, times, _ = start()
    seat = position.actors[0]
    with_bot = handed(position, seat, "bot", None).position
    times = times.after(with_bot, SEAT, seat, BEGAN + after(400))
    assert times.due(with_bot, seat) is None
    back = handed(with_bot, seat, "player").position
    times = times.after(back, SEAT, seat, BEGAN + after(500))
    assert times.due(back, seat) == BEGAN + after(500) + LIMIT


@pytest.mark.parametrize("clock", [None, 300])
def test_how_long_silence_is_borne(clock: int | None) -> None:
    position, times, entry = start(clock)
    seat = position.actors[0]
    assert (times.due(position, seat) is None) == (clock is None)
    assert (entry.due is None) == (clock is None)
    assert times.patience(seat) == BEGAN + (PATIENCE if clock is None else LIMIT)
    idle = replace(position, asked={})
    assert times.after(idle, MOVE, seat, BEGAN).patience(seat) is None
