"""The game at a table of the house: restarts in the middle of a turn, what can be looked up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from app.games.contract import Json
from app.play.entry import Entry
from app.play.history import follow, start
from app.play.opening import Deal
from app.play.position import Position
from app.play.record import partial_record
from tests.games.silver_and_gold.positions import GAME
from tests.play.recorded_games import cast_of, deal_of, journal_of, replayed

Halfway = tuple[Position, list[Entry]]


def deal(seats: int) -> Deal:
    return deal_of(GAME, (None,) * seats)


def halfway(deal: Deal, choices: int) -> Iterator[Halfway]:
    """Yields every position of a random game with take-backs, and the entries that led there."""
    entries = journal_of(deal, choices)
    position, _ = start(deal)
    for at, entry in enumerate(entries[1:], start=2):
        position, _ = follow(position, entry)
        yield position, entries[:at]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_restart_in_the_middle_of_a_turn_keeps_the_given_answers(seats: int) -> None:
    mine = deal(seats)
    tried = 0
    for position, entries in halfway(mine, seats):
        given = [pending for pending in position.state.pending if pending is not None]
        if not given or position.v % 5:
            continue
        again, _ = replayed(mine, entries)
        assert again.state == position.state
        assert again.actors == position.actors
        assert [again.asked[seat].n for seat in again.actors] == [
            position.asked[seat].n for seat in position.actors
        ]
        assert [done.seq for done in again.loose] == [done.seq for done in position.loose]
        tried += 1
    assert tried > 5


def keys(data: Json) -> set[str]:
    """Returns all keys in JSON data."""
    if isinstance(data, dict):
        return set(data).union(*map(keys, data.values()))
    if isinstance(data, list):
        return set().union(*map(keys, data))
    return set()


def test_the_record_of_a_running_game_has_no_earlier_expeditions_and_no_cells() -> None:
    mine = deal(3)
    entries = journal_of(mine, 5)[:-1]
    _, told = replayed(mine, entries)
    for viewer in (0, 1, 2, None):
        for end in range(2, len(entries), 7):
            record = partial_record(cast_of(mine.r), entries[:end], told[:end], viewer)
            assert not keys(record["entries"]) & {"expedition", "cells", "cell", "body", "pending"}
            kinds = {event["kind"] for line in record["entries"] for event in line["events"]}
            assert not kinds & {"expedition", "marked", "turn_marked", "chose_squares"}


def test_the_log_and_the_record_free_the_expeditions_when_the_round_is_over() -> None:
    mine = deal(2)
    entries = journal_of(mine, 6)
    position, told = replayed(mine, entries)
    freed: list[dict[str, Any]] = [
        event
        for line in told
        for event in line.seen_by(None)
        if event["kind"] in {"round_over", "expedition"}
    ]
    assert [event["round"] for event in freed] == [1, 2, 3, 4]
    assert all(len(event["expeditions"]) == 7 for event in freed)
    assert position.over


def test_who_has_not_marked_reads_nothing_of_who_has() -> None:
    """What an entry tells the others is at most that a seat is done."""
    mine = deal(4)
    entries = journal_of(mine, 7)
    position, _ = start(mine)
    for entry in entries[1:]:
        before = position.state
        position, told = follow(position, entry)
        asked_again = position.state.stage == "mark" and position.state.turn == before.turn
        if before.stage != "mark" or not asked_again or entry.seat is None:
            continue
        for viewer in (*range(4), None):
            if viewer != entry.seat:
                events = told.seen_by(viewer, now=True)
                assert all(set(event) <= {"kind", "seat", "seq"} for event in events), events
                assert all(event["kind"] in {"marked", "undone"} for event in events)
