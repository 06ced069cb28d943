"""Handing seats over: what changes, what stays, what is refused, and that replay follows."""

from __future__ import annotations

import json

import pytest

from app.play.ending import agreed
from app.play.entry import Entry
from app.play.history import MOVE, follow, move_body
from app.play.position import Position, Refused, played
from app.play.seating import Plays, handed, seat_body, wait_body, waited
from tests.play.recorded_games import BEGAN, ROOM_ID
from tests.play.test_ending import begun


def asker(position: Position) -> int:
    return position.actors[0]


def test_a_bot_plays_until_the_player_is_back() -> None:
    position = begun(3)
    seat = asker(position)
    by = (seat + 1) % 3
    advance = handed(position, seat, "bot", by)
    with_bot = advance.position
    assert (set(with_bot.bots), with_bot.v) == ({seat}, 1)
    assert (with_bot.state, with_bot.asked) == (position.state, position.asked)
    assert [(e.kind, e.facts) for e in advance.events] == [
        ("seat_handed", {"seat": seat, "plays": "bot", "by": by})
    ]
    back = handed(with_bot, seat, "player").position
    assert (back.bots, back.opened) == (frozenset(), frozenset())


def test_an_opened_seat_is_played_by_whom_it_was_until_it_is_taken() -> None:
    position = handed(begun(3), 1, "bot", 0).position
    opened = handed(position, 1, "open", 0).position
    assert (set(opened.bots), set(opened.opened)) == ({1}, {1})
    taken = handed(opened, 1, "player").position
    assert (taken.bots, taken.opened) == (frozenset(), frozenset())


@pytest.mark.parametrize("plays", ["bot", "open", "player"])
def test_nothing_is_handed_over_twice(plays: Plays) -> None:
    position = begun(3)
    if plays != "player":
        position = handed(position, 1, plays, 0).position
    with pytest.raises(Refused, match="already_handed"):
        handed(position, 1, plays, 0)


def test_there_is_nothing_to_hand_over_or_to_wait_for() -> None:
    position = begun(3)
    for seat, by in ((3, 0), (-1, 0), (0, 3)):
        with pytest.raises(Refused, match="no_such_seat"):
            handed(position, seat, "bot", by)
    idle = next((seat for seat in range(3) if seat not in position.asked), None)
    played_by_bot = handed(position, asker(position), "bot", None).position
    with pytest.raises(Refused, match="not_awaited"):
        waited(played_by_bot, asker(position), 0)
    if idle is not None:
        with pytest.raises(Refused, match="not_awaited"):
            waited(position, idle, 0)
    over = position
    for seat in range(3):
        over = agreed(over, seat, agrees=True).position
    with pytest.raises(Refused, match="game_over"):
        handed(over, 0, "bot", 1)
    with pytest.raises(Refused, match="game_over"):
        waited(over, 0, 1)


def test_who_hands_a_seat_to_a_bot_plays_on() -> None:
    position = begun(3)
    for seat in (0, 1):
        position = agreed(position, seat, agrees=True).position
    after = handed(position, 1, "bot", 0).position
    assert (after.agreed, after.over) == (frozenset(), False)


def test_bots_and_who_is_away_need_not_agree_to_end() -> None:
    position = handed(begun(3), 1, "bot", 0).position
    advance = agreed(position, 0, agrees=True, without=(2,))
    assert advance.position.over
    assert advance.events[0].facts == {"seat": 0, "without": [2]}
    one = agreed(position, 0, agrees=True).position
    assert not one.over
    with pytest.raises(Refused, match="already_agreed"):
        agreed(one, 0, agrees=True)
    assert agreed(one, 0, agrees=True, without=(2,)).position.over
    for wrong in ((0,), (7,), (2, 1), (2, 2)):
        with pytest.raises(Refused, match="no_such_seat"):
            agreed(position, 0, agrees=True, without=wrong)


def test_what_a_bot_did_is_told_as_such() -> None:
    by_itself = begun(3)
    seat = asker(by_itself)
    for position in (by_itself, handed(by_itself, seat, "bot", None).position):
        move = position.asked[seat].prompt.legal[0]
        advance = played(position, seat, (move,))
        v, actors = advance.position.v, advance.position.actors
        body = move_body([move])
        entry = Entry(ROOM_ID, v, seat, MOVE, "m", body, advance.drew, actors, None, BEGAN)
        _, told = follow(position, entry)
        assert (told.kind, told.seat, told.bot) == (MOVE, seat, seat in position.bots)


def test_waiting_asks_nobody_anything_new() -> None:
    position = begun(3)
    after = waited(position, asker(position), (asker(position) + 1) % 3).position
    assert (after.asked, after.state, after.v) == (position.asked, position.state, 1)
    move = after.asked[asker(after)].prompt.legal[0]
    assert played(after, asker(after), (move,)).position.v == 2


def test_bodies_are_canonical() -> None:
    assert seat_body("bot", 2) == '{"by":2,"plays":"bot"}'
    assert seat_body("player", None) == '{"plays":"player"}'
    assert json.loads(wait_body(1)) == {"by": 1}
