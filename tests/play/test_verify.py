"""Checking records: true ones pass, and whatever is changed in one is found and named."""

import json
import random
from collections.abc import Iterator

import pytest

from app.games.canonical import canonical_json
from app.games.contract import Json
from app.games.registry import GAMES
from app.play.record import digest_of
from app.play.verify import Verdict, verify, verify_text
from tests.play.recorded_games import forged, record_of, shown
from tests.tiny.games import TEMPLATE, TINY, TORTURE

LOST_CITIES = GAMES["lost_cities"]
BOTH = (shown(0), shown(1))
EVERY_BIT_STEP = 7


def only_problem(verdict: Verdict) -> str:
    assert len(verdict.problems) == 1, verdict
    return verdict.problems[0]


@pytest.mark.parametrize("choices", range(12))
def test_a_true_record_passes(choices: int) -> None:
    record = record_of(TORTURE, (shown(0), None, shown(2)), choices)
    verdict = verify(record, TINY)
    assert verdict.ok, verdict
    assert verdict.entries == len(record["entries"])
    assert verdict.draws == sum(entry["draws"] for entry in record["entries"]) > 0


def test_a_record_of_older_rules_is_checked_by_them() -> None:
    records = [record_of(TORTURE, BOTH, choices, rules_version=1) for choices in range(6)]
    assert all(record["entries"][0]["body"]["rules_version"] == 1 for record in records)
    assert all(verify(record, TINY).ok for record in records)
    newer = [record_of(TORTURE, BOTH, choices) for choices in range(6)]
    assert [one["entries"] for one in newer] != [one["entries"] for one in records]


def test_a_record_without_what_chance_gave_passes_too() -> None:
    record = record_of(TORTURE, BOTH)
    assert any(entry["drawn"] for entry in record["entries"] if entry["draws"])
    older = [
        {key: of for key, of in entry.items() if key != "drawn"} for entry in record["entries"]
    ]
    assert verify(forged(record, "entries", to=older), TINY).ok


def test_random_games_take_back_and_so_do_their_records() -> None:
    records = [record_of(TORTURE, BOTH, choices) for choices in range(12)]
    undone = [record for record in records if any(e["kind"] == "undo" for e in record["entries"])]
    assert len(undone) > 3
    assert all(verify(record, TINY).ok for record in undone)


def test_lost_cities_passes_to_the_last_card_and_when_given_up() -> None:
    played_out = verify(record_of(LOST_CITIES, BOTH))
    assert played_out.ok, played_out
    given_up = record_of(LOST_CITIES, BOTH, concede_at=9)
    assert given_up["entries"][-1]["kind"] == "concede"
    assert verify(given_up).ok


def test_who_was_away_is_checked_like_moves() -> None:
    record = record_of(LOST_CITIES, BOTH, away_at=9)
    assert [entry["kind"] for entry in record["entries"][9:]] == ["wait", *["seat"] * 3, "end"]
    assert record["entries"][-1]["body"] == {"agrees": True, "without": [1]}
    assert verify(record).ok
    for path, to, said in (
        ((-1, "body", "without"), [], "not spelled as the house"),
        ((-1, "body", "without"), [0], "Entry 13 is not allowed by the rules (no_such_seat)."),
        ((-1, "body"), [], "Entry 13 cannot be read"),
        ((10, "body", "plays"), "player", "(already_handed)"),
        ((11, "body", "plays"), [], "Entry 11 cannot be read"),
        ((9, "body", "by"), "1", "Entry 9 cannot be read"),
    ):
        assert said in only_problem(verify(forged(record, "entries", *path, to=to)))


def test_the_record_survives_being_written_and_indented() -> None:
    record = record_of(TEMPLATE, BOTH)
    assert verify_text(canonical_json(record), TINY).ok
    assert verify_text(json.dumps(record, indent=2).encode(), TINY).ok


def flipped(text: bytes) -> Iterator[bytes]:
    """The text with one bit changed, at every place in turn, another bit at each."""
    for at in range(len(text)):
        for bit in {at % 8, (at * EVERY_BIT_STEP + 3) % 8}:
            yield text[:at] + bytes([text[at] ^ (1 << bit)]) + text[at + 1 :]


def test_one_changed_bit_anywhere_is_found() -> None:
    record = record_of(TEMPLATE, (shown(0), None, shown(2)), 2)
    assert verify(record, TINY).ok
    text = canonical_json(record).encode() + b"\n"
    tried = 0
    for changed in flipped(text):
        tried += 1
        assert not verify_text(changed, TINY).ok, changed
    assert tried > len(text)


PROMISES = [
    (("server_seed",), "00" * 32, "not the commitment"),
    (("commitment",), "00" * 32, "not the commitment"),
    (("hashes", 1), "00" * 32, "Seat 2 did not add what it promised"),
    (("entries", 0, "body", "r", 0), "00" * 32, "Seat 1 did not add what it promised"),
    (("hashes", 0), None, "Seat 1 did not add what it promised"),
    (("names",), ["Ann"], "do not agree in number"),
]


@pytest.mark.parametrize(("path", "to", "said"), PROMISES)
def test_a_broken_promise_is_named_even_with_a_fitting_digest(
    path: tuple[str | int, ...], to: Json, said: str
) -> None:
    verdict = verify(forged(record_of(TORTURE, BOTH), *path, to=to), TINY)
    assert any(said in problem for problem in verdict.problems), verdict


GAMES_DIFFER = [
    (("entries", 0, "body", "options", "rounds"), 5, ""),
    (("entries", 0, "body", "options", "rounds"), 4, "option 'rounds' is wrong"),
    (("entries", 0, "body", "options", "rounds"), True, "option 'rounds' is wrong"),
    (("entries", 0, "body", "options", "more"), 1, "option 'more' is wrong"),
    (("entries", 0, "body", "options"), {}, "option 'rounds' is wrong"),
    (("entries", 0, "body", "rules_version"), 3, "version 3 of the rules"),
    (("entries", 0, "body", "game"), "chess", "'chess' is unknown"),
    (("entries", 0, "draws"), False, "Entry 0 and the replay"),
    (("entries", 0, "drawn", 0, "gives"), [], "Entry 0: chance gave something else"),
    (("entries", 0, "drawn"), [], "Entry 0: chance gave something else"),
    (("entries", 1, "drawn"), [{"below": 6, "gives": 1}], "Entry 1: chance gave something else"),
    (("entries", 0, "actors"), [0], "After entry 0"),
    (("entries", 0, "kind"), "move", "not the start"),
    (("entries", 1, "seq"), 2, "Entry 1 is missing"),
    (("entries", 1, "seat"), None, "it has no seat"),
    (("entries", 1, "seat"), 5, "not_asked"),
    (("entries", 1, "kind"), "skip", "'skip' is unknown"),
    (("entries", 1, "body"), {}, "Entry 1 cannot be read"),
    (("entries", 1, "body"), [], "Entry 1 cannot be read"),
    (("entries", 1, "body"), {"moves": 5}, "Entry 1 cannot be read"),
    (("entries", 1, "body"), {"moves": [{"kind": "bid", "bid": 1}]}, "not_now"),
    (("entries", 1, "body", "extra"), 1, "not spelled as the house spells it"),
    (("outcome", "ranking"), [2, 1], "not the one that these moves lead to"),
    (("outcome",), None, "not the one that these moves lead to"),
]


@pytest.mark.parametrize(("path", "to", "said"), GAMES_DIFFER)
def test_a_changed_game_is_named_even_with_a_fitting_digest(
    path: tuple[str | int, ...], to: Json, said: str
) -> None:
    games = (record_of(TORTURE, BOTH, choices) for choices in range(20))
    record = next(game for game in games if game["outcome"]["ranking"] == [1, 2])
    assert said in only_problem(verify(forged(record, *path, to=to), TINY))


@pytest.mark.parametrize("ingredient", ["room", "r"])
def test_another_seed_deals_other_cards(ingredient: str) -> None:
    to: Json = "bado-keli-mofu-taso" if ingredient == "room" else [None, None]
    record = forged(record_of(LOST_CITIES, BOTH), "entries", 0, "body", ingredient, to=to)
    assert "chance gave something else" in only_problem(verify(record))
    for entry in record["entries"]:
        entry.pop("drawn", None)
    older = forged(record, "names", to=record["names"])
    assert "is not allowed by the rules" in only_problem(verify(older))


def test_a_cut_record_is_named() -> None:
    record = record_of(LOST_CITIES, BOTH)
    cut = forged(record, "entries", to=record["entries"][:-1])
    assert only_problem(verify(cut)) == "The record ends before the game does."


def test_a_record_that_goes_on_after_the_end_is_named() -> None:
    record = record_of(LOST_CITIES, BOTH)
    last = record["entries"][-1]
    longer = [*record["entries"], {**last, "seq": last["seq"] + 1}]
    assert "not allowed" in only_problem(verify(forged(record, "entries", to=longer)))


def test_changed_names_and_times_need_a_changed_digest() -> None:
    record = record_of(TEMPLATE, BOTH)
    for path in (("names", 0), ("entries", 1, "at")):
        changed = forged(record, *path, to="x")
        # Nothing binds these to the deal, so only the digest can tell.
        assert verify(changed, TINY).ok
        assert "digest" in only_problem(verify({**changed, "digest": record["digest"]}, TINY))


def test_seats_that_added_nothing_are_noted() -> None:
    record = record_of(TEMPLATE, (shown(0), None, None))
    withheld = forged(record, "hashes", 2, to="ab" * 32)
    verdict = verify(withheld, TINY)
    assert verdict.ok
    assert verdict.notes == (
        "Seat 2 added nothing to the shuffle: its browser promised nothing.",
        "Seat 3 added nothing to the shuffle: its browser did not show in time what it promised.",
    )


ODD: list[Json] = [None, 1, [], "", {}, {"format": 5}, {"format": "motherlode.record.v1"}]


@pytest.mark.parametrize("data", ODD)
def test_what_is_no_record_is_refused_in_words(data: Json) -> None:
    verdict = verify(data, TINY)
    assert not verdict.ok
    assert all(problem.endswith(".") for problem in verdict.problems)


def test_a_record_saved_during_the_game_says_what_to_do() -> None:
    assert "save it again after the end" in only_problem(
        verify({"format": "motherlode.record.v1.partial"}, TINY)
    )


TEXTS = [
    b"",
    b"\xff\xfe\x00",
    b"{",
    b"[" * 100_000,
    b'{"a":1,"a":1}',
    b"NaN",
    b"1.0",
    b"1" * 5000,
    b'"\\ud800"',
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_any_bytes_get_an_answer(text: bytes) -> None:
    assert not verify_text(text, TINY).ok


def test_odd_values_in_every_place_get_an_answer() -> None:
    record = record_of(TORTURE, BOTH, 5)
    choose = random.Random(1)
    odd: list[Json] = [None, True, -1, 10**30, "", "\ud800", [], {}, [[]], {"kind": "hide"}]
    for path in paths(record):
        changed = forged(record, *path, to=choose.choice(odd))
        verdict = verify(changed, TINY)
        bound = path[0] not in {"names", "digest"} and path[-1] not in {"at", "room"}
        assert not verdict.ok or not bound or changed == record, path


def paths(data: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places of all values in JSON data, but the whole."""
    places = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in places:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from paths(value, (*path, key))


def test_the_digest_is_of_everything_else() -> None:
    record = record_of(TEMPLATE, BOTH)
    assert record["digest"] == digest_of(record)
    assert digest_of({**record, "digest": "x"}) == record["digest"]
    assert digest_of({**record, "names": []}) != record["digest"]
