"""A registered game has all its parts where the house looks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.games.registry import GAMES

ROOT = Path(__file__).parents[2]
PARTS = (
    "app/games/{key}/rules.py",
    "templates/games/{key}/layout.html",
    "templates/games/{key}/regions/prompt.html",
    "templates/games/{key}/events.html",
    "templates/games/{key}/refusal.txt",
    "templates/games/{key}/picture.html",
    "docs/rules/{key}.en.md",
    "tests/games/{key}/pieces.py",
    "tests/games/{key}/endings.py",
    "tests/games/{key}/secrets.py",
)


@pytest.mark.parametrize("key", list(GAMES))
@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_a_game_is_in_its_place(key: str, part: str) -> None:
    assert (ROOT / part.format(key=key)).is_file()
