"""How the templates count: by a number, so that one of a kind is told in the singular."""

from __future__ import annotations

import re

from app.web.render import Renderer
from app.web.text import TEMPLATES
from tests.web import gold_scenes
from tests.web.reading import sentences

COUNTED = {"n", "count", "points"}
"""What a number that decides between singular and plural is called."""


def test_singular_and_plural_are_chosen_by_a_number() -> None:
    found = 0
    for path in sorted(TEMPLATES.rglob("*.*")):
        for first, by in re.findall(
            r"{% trans (\w+)=(?:(?!{% endtrans).)*?{% pluralize ?(\w*) %}", path.read_text("utf-8")
        ):
            assert (by or first) in COUNTED, f"{path.name} counts by {by or first}"
            found += 1
    assert found > 40


def test_one_nugget_in_a_safe_is_one_nugget(renderer: Renderer) -> None:
    scene = gold_scenes.games(1)[-1].scene(0)
    for seat in (0, 1):
        saved = [{"kind": "saved", "seat": seat, "nuggets": n} for n in (1, 2)]
        one, two = sentences(renderer, saved, scene)
        assert " 1 nugget into" in one
        assert " 2 nuggets into" in two
