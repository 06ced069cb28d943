"""Agreeing to end a game: everybody, in any order, and taking it back."""

from __future__ import annotations

import pytest

from app.play.decisions import agreeing
from app.play.ending import AGREED, MOST_CHANGES, agreed
from app.play.position import Position, Refused, opened, played
from tests.tiny.games import TORTURE

SEED = bytes(range(32))


def begun(seats: int = 3) -> Position:
    options = {option.key: option.default for option in TORTURE.meta.options}
    return opened(TORTURE, seats, options, SEED)


def test_the_last_to_agree_ends_the_game_without_a_winner() -> None:
    position = begun()
    for seat in (2, 0):
        position = agreed(position, seat, agrees=True).position
        assert not position.over
    advance = agreed(position, 1, agrees=True)
    end = advance.position
    assert end.outcome is not None
    assert (end.outcome.ranking, end.outcome.totals) == ((1, 1, 1), (None, None, None))
    assert end.outcome.reason == AGREED
    assert (end.actors, end.v) == ((), 3)
    assert [(event.kind, event.facts) for event in advance.events] == [
        ("agreed_to_end", {"seat": 1})
    ]
    for agrees in (True, False):
        with pytest.raises(Refused, match="game_over"):
            agreed(end, 0, agrees=agrees)


def test_questions_stay_as_they_are() -> None:
    position = begun()
    after = agreed(position, 1, agrees=True).position
    assert after.asked == position.asked
    assert after.state == position.state


def test_it_can_be_taken_back_and_not_said_twice() -> None:
    position = agreed(begun(2), 0, agrees=True).position
    with pytest.raises(Refused, match="already_agreed"):
        agreed(position, 0, agrees=True)
    position = agreed(position, 0, agrees=False).position
    with pytest.raises(Refused, match="not_agreed"):
        agreed(position, 0, agrees=False)
    position = agreed(position, 1, agrees=True).position
    assert not position.over
    assert position.agreed == {1}


def test_who_moves_plays_on() -> None:
    position = begun(2)
    seat = position.actors[0]
    position = agreed(position, seat, agrees=True).position
    move = position.asked[seat].prompt.legal[0]
    assert played(position, seat, (move,)).position.agreed == frozenset()


def decided(position: Position, seat: int, *, agrees: bool) -> Position:
    return agreeing(seat, agrees=agrees)(position).advance.position


def wavering(position: Position, seat: int) -> Position:
    for turn in range(MOST_CHANGES):
        position = decided(position, seat, agrees=turn % 2 == 0)
    return position


def test_a_seat_changes_its_mind_so_often_and_no_more_until_the_game_moves_on() -> None:
    position = wavering(begun(3), 1)
    assert position.v == MOST_CHANGES
    with pytest.raises(Refused, match="too_many_changes"):
        decided(position, 1, agrees=True)
    position = wavering(position, 2)
    with pytest.raises(Refused, match="too_many_changes"):
        decided(position, 2, agrees=True)
    while position.changes:
        seat = position.actors[0]
        move = position.asked[seat].prompt.legal[0]
        position = played(position, seat, (move,)).position
    assert decided(position, 1, agrees=True).agreed == {1}


def test_whoever_ends_the_game_or_plays_on_may_change_their_mind_once_more() -> None:
    position = wavering(begun(2), 1)
    position = decided(position, 0, agrees=True)
    assert decided(position, 1, agrees=True).over
    odd = agreed(wavering(begun(2), 1), 1, agrees=True).position
    assert decided(odd, 1, agrees=False).agreed == frozenset()
