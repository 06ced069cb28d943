"""Golden records replay to the letter, and there is one for each way a game can end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance import golden, hooks
from tests.conformance.driver import ALL, AnyGame
from tests.conformance.record_text import record_text


@pytest.mark.parametrize("path", golden.paths(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_record_replays_to_the_letter(path: Path) -> None:
    text = golden.text_of(path)
    record = golden.read(text)
    assert record.game == path.parent.name
    assert record_text(record.positions()) == text, (
        "If the rules were meant to change, run `python -m tests.conformance.golden regenerate` "
        "and read the difference."
    )


def test_there_is_a_record_for_each_way_to_end_by_the_newest_rules(game: AnyGame) -> None:
    key = game.meta.key
    texts = [golden.text_of(path) for path in golden.paths() if path.parent.name == key]
    newest = game.meta.rules_version
    shown = {golden.ending(text) for text in texts if golden.read(text).rules == newest}
    assert shown == hooks.endings(key), (
        "Add the missing ones with `python -m tests.conformance.golden add`."
    )


def test_a_record_of_older_rules_replays_by_them() -> None:
    records = [golden.read(golden.text_of(path)) for path in golden.paths()]
    old = [record for record in records if record.rules != ALL[record.game].meta.rules_version]
    assert {(record.game, record.rules) for record in old} >= {("torture", 1)}
    for record in old:
        *_, last = record.positions()
        assert last.state.rules == record.rules


def test_no_record_is_left_of_a_game_that_is_gone() -> None:
    assert {path.parent.name for path in golden.paths()} <= set(ALL)


def test_add_writes_the_record_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    script = tmp_path / "script"
    script.write_text('0 {"kind":"swap"}\n1 {"kind":"keep"}\n', encoding="utf-8")
    words = "add template mine --seats 3 --seed hello --option spare=1 --script"
    golden.main([*words.split(), str(script)])
    text = golden.text_of(tmp_path / "template" / "mine.txt")
    record = golden.read(text)
    assert (record.seats, record.seed, record.options) == (3, "hello", {"spare": 1})
    assert record.script[:2] == [(0, {"kind": "swap"}), (1, {"kind": "keep"})]
    golden.main(["regenerate"])
    assert golden.text_of(tmp_path / "template" / "mine.txt") == text


def test_add_looks_for_an_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    golden.main(["add", "torture", "rich", "--seats", "2", "--seed", "hello", "--ending", "rich"])
    assert golden.ending(golden.text_of(tmp_path / "torture" / "rich.txt")) == ("rich", None)
