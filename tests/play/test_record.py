"""Records: everything after the end, and no more than one may know before it."""

import json

from app.games.canonical import canonical_json
from app.games.registry import GAMES
from app.play.record import partial_record
from tests.play.recorded_games import (
    CODE,
    SERVER_SEED,
    cast_of,
    deal_of,
    journal_of,
    record_of,
    replayed,
    shown,
)
from tests.tiny.games import TORTURE

LOST_CITIES = GAMES["lost_cities"]
BOTH = (shown(0), shown(1))


def test_a_complete_record_leaves_nothing_out() -> None:
    deal = deal_of(LOST_CITIES, (shown(0), None))
    entries = journal_of(deal, 1)
    record = record_of(LOST_CITIES, (shown(0), None))
    assert record["format"] == "motherlode.record.v1"
    assert record["server_seed"] == SERVER_SEED.hex()
    assert record["names"] == ["Seat 0", "Seat 1"]
    assert record["hashes"][1] is None
    assert record["entries"][0]["body"] == {
        "room": CODE,
        "game": "lost_cities",
        "rules_version": 1,
        "seats": 2,
        "options": {"colours": 5, "rounds": 1, "first": -1},
        "r": [shown(0), None],
    }
    assert [line["seq"] for line in record["entries"]] == list(range(len(entries)))
    assert [canonical_json(line["body"]) for line in record["entries"]] == [
        entry.body for entry in entries
    ]
    assert record["entries"][1]["at"] == "2026-03-01T19:00:01.000000Z"
    assert record["outcome"]["reason"] == "deck"


def test_a_partial_record_has_no_secret_of_the_shuffle() -> None:
    deal = deal_of(LOST_CITIES, BOTH)
    entries = journal_of(deal, 1)[:30]
    _position, told = replayed(deal, entries)
    for viewer in (0, 1, None):
        record = partial_record(cast_of(BOTH), entries, told, viewer)
        text = canonical_json(record)
        for secret in (SERVER_SEED.hex(), deal.seed.hex(), *BOTH):
            assert secret not in text
        assert record["commitment"] == cast_of(BOTH).commitment
        assert "digest" not in record
        assert json.loads(text) == record


def test_a_partial_record_tells_each_viewer_what_the_game_told() -> None:
    deal = deal_of(LOST_CITIES, BOTH)
    entries = journal_of(deal, 1)[:30]
    position, told = replayed(deal, entries)
    cast = cast_of(BOTH)
    own, other, watcher = (partial_record(cast, entries, told, seat) for seat in (0, 1, None))
    assert own["viewer"] == 0
    drawn = [
        (line, theirs, public)
        for line, theirs, public in zip(
            own["entries"], other["entries"], watcher["entries"], strict=True
        )
        for event in line["events"]
        if event["kind"] == "drew" and event["seat"] == 0 and event["from"] == "deck"
    ]
    assert drawn
    for line, theirs, public in drawn:
        assert "card" in line["events"][0]
        assert "card" not in theirs["events"][0]
        assert "card" not in public["events"][0]
    hand = LOST_CITIES.view(position.state, 1)["hand"]
    assert hand


def test_a_partial_record_has_no_bodies_and_no_entry_that_told_nothing() -> None:
    deal = deal_of(TORTURE, (*BOTH, None))
    entries = journal_of(deal, 2)[:-1]
    _position, told = replayed(deal, entries)
    hidden = {said.seq for said in told if {event.kind for event in said.events} == {"hid"}}
    assert len(hidden) >= 3
    for viewer in (0, 1, 2, None):
        record = partial_record(cast_of(deal.r), entries, told, viewer)
        listed = {line["seq"] for line in record["entries"]}
        assert not hidden & listed
        assert len(listed) > 5
        for line in record["entries"]:
            assert set(line) == {"seq", "seat", "kind", "at", "events"}
            assert line["events"]


def test_fleeting_events_stay_out_of_a_partial_record() -> None:
    deal = deal_of(TORTURE, BOTH)
    for choices in range(50):
        entries = journal_of(deal, choices)
        _position, told = replayed(deal, entries)
        if any(event.fleeting for said in told for event in said.events):
            break
    else:
        raise AssertionError("expected a game with a fleeting event")
    record = partial_record(cast_of(BOTH), entries, told, 0)
    kinds = {event["kind"] for line in record["entries"] for event in line["events"]}
    assert "raided" in kinds
    assert "thrown" not in kinds
