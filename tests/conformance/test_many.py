"""The command that plays very many games finds what is wrong, and counts what it saw."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tests.conformance import many
from tests.conformance.driver import ALL, default_options
from tests.tiny.template.rules import HighCard
from tests.tiny.template.state import State


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr("sys.argv", ["many", *words])
    many.main()


def test_it_counts_what_the_games_were_like(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(
        monkeypatch, "--game", "lost_cities", "--seats", "2", "--games", "3", "--option", "rounds=1"
    )
    text = capsys.readouterr().out
    assert "lost_cities, 2 seats, 3 games: all passed" in text
    assert "games with a move of a kind: " in text
    assert "draw 3 (100.00 %)" in text
    assert "stages, of all moves: " in text


def test_one_game_is_the_same_every_time() -> None:
    options = default_options(ALL["splendor"])
    first, second = (many.play(7, "splendor", 3, options, 10) for _ in range(2))
    assert first == second
    assert first.refusals > 0
    assert sum(first.stages.values()) == first.moves[0]


class Uncounted(HighCard):
    """A game that ends without an outcome."""

    def outcome(self, state: State) -> None:
        return None


def test_it_names_the_game_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast(Any, ALL), "template", Uncounted())
    with pytest.raises(SystemExit, match="game 4 of template with 2 seats: AssertionError"):
        run(monkeypatch, "--game", "template", "--seats", "2", "--games", "3", "--first", "4")
