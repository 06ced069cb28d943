"""What a template reads is found whole: nothing it shows can change unnoticed."""

from __future__ import annotations

from typing import Any

import jinja2
import pytest
from markupsafe import Markup

from app.games.lost_cities.rules import LostCities
from app.realtime.scene import LogLine
from app.web import text
from app.web.compiled import Context, Environment, Names
from app.web.helpers import Marks, Preview, Question, Teller
from app.web.inputs import inputs_of

VIEW = {"bank": {"red": 3}, "players": [{"cards": [1], "gold": 0}, {"cards": [], "gold": 2}]}


def environment(**templates: str) -> Environment:
    env = Environment(
        loader=jinja2.DictLoader(templates),
        undefined=jinja2.StrictUndefined,
        extensions=["jinja2.ext.do"],
        autoescape=True,
    )
    env.globals.update(new_key=lambda: "x", lang="en")
    return env


def read(template: str, /, *, parts: dict[str, str] | None = None, **names: Any) -> bytes | None:
    """Returns the inputs of a template, None where they cannot be told."""
    env = environment(**{"region": template, **(parts or {})})
    inputs = inputs_of(env, "region")
    if inputs is None:
        return None
    given = {**env.globals, "view": VIEW, "me": 0, "item": 1, **names}
    return inputs.read(Context.of(env, Names(given)))


READS = {
    "a field": ("{{ view.bank.red }}", {"bank": {"red": 4}}),
    "a field of mine": ("{{ view.players[me].gold }}", {"players": [{"gold": 1}]}),
    "all of something": ("{{ view.bank.items() }}", {"bank": {"red": 3, "blue": 1}}),
    "the order": (
        "{% for key in view.bank %}{{ key }}{% endfor %}",
        {"bank": {"blue": 1, "red": 3}},
    ),
    "a short name": ("{% set own = view.players[item] %}{{ own.gold }}", {"players": [0, {}]}),
    "a list that grows": (
        "{% set new = [] %}{% do new.append(view.bank.red) %}{% if me in new %}yes{% endif %}",
        {"bank": {"red": 0}},
    ),
    "an index from a loop": (
        "{% for seat in [0, 1] %}{{ view.players[seat].gold }}{% endfor %}",
        {"players": [{"gold": 0}, {"gold": 3}]},
    ),
    "a macro": (
        "{% macro gold() %}{{ view.players[0].gold }}{% endmacro %}{{ gold() }}",
        {"players": [{"gold": 1}]},
    ),
    "a condition": ("{% if view.bank.red > 3 %}many{% endif %}", {"bank": {"red": 4}}),
    "a branch": (
        "{% if me == 1 %}no{% elif view.bank %}{{ view.bank.red }}{% endif %}",
        {"bank": {"red": 4}},
    ),
    "what is otherwise": (
        "{% if me == 1 %}no{% else %}{{ view.bank.red }}{% endif %}",
        {"bank": {"red": 4}},
    ),
    "one or the other": ("{{ 1 if me == 1 else view.bank.red }}", {"bank": {"red": 4}}),
    "an argument": ("{{ 'x'.join(view.bank) }}", {"bank": {"blue": 3}}),
    "a filter": ("{{ view.bank|length }}", {"bank": {}}),
    "a block": ("{% set text %}{{ view.bank.red }}{% endset %}{{ text }}", {"bank": {"red": 4}}),
}


@pytest.mark.parametrize(("template", "other"), READS.values(), ids=READS)
def test_a_change_of_what_is_read_is_noticed(template: str, other: dict[str, Any]) -> None:
    before = read(template)
    assert before is not None
    assert read(template, view={**VIEW, **other}) != before


def test_yes_is_not_one() -> None:
    texts = {read("{{ view.bank }}", view={"bank": value}) for value in (1, True, "1", None, "")}
    assert len(texts) == 5


def test_what_is_not_read_does_not_matter() -> None:
    for template, other in (
        ("{{ view.players[item].gold }}", {"bank": {}}),
        ("{% set own = view.players[item] %}{{ own.gold }}", {"players": [{}, {"gold": 2}]}),
        ("{% if me == 1 %}{{ view.bank.red }}{% endif %}", {"bank": {"red": 4}}),
        ("{% if view.bank.red > 2 %}many{% endif %}", {"bank": {"red": 4}}),
    ):
        assert read(template) == read(template, view={**VIEW, **other}) is not None


def test_what_is_included_is_read_too() -> None:
    parts = {"part": "{{ view.bank.red }}"}
    template = "{% if me == 0 %}{% include 'part' %}{% endif %}"
    before = read(template, parts=parts)
    assert before is not None
    assert read(template, parts=parts, view={**VIEW, "bank": {"red": 4}}) != before


def test_what_was_found_in_another_text_is_forgotten() -> None:
    for part in ("{{ view.bank.red }}", "{{ me }}", "{{ view.bank.red }}{{ me }}"):
        before = read("{% include 'part' %}", parts={"part": part})
        for name, other in {"view": {**VIEW, "bank": {"red": 4}}, "me": 1}.items():
            now = read("{% include 'part' %}", parts={"part": part}, **{name: other})
            assert (now != before) == (name in part), (name, part)


@pytest.mark.parametrize(
    "template",
    [
        "{{ new_key() }}",
        "{{ view.players|random }}",
        "{% include view.name %}",
        "{% include 'part' without context %}",
        "{% from 'part' import show with context %}{{ show() }}",
        "{% import 'part' as part with context %}{{ part.show() }}",
        "{% extends 'part' %}",
        "{% set view = 1 %}{{ view }}",
        "{% for me in [1, 2] %}{{ me }}{% endfor %}",
        "{{ stranger }}",
    ],
)
def test_what_cannot_be_followed_is_never_kept(template: str) -> None:
    assert read(template, parts={"part": "{{ view.bank }}"}) is None


def test_what_has_no_one_spelling_is_never_kept() -> None:
    move = LostCities().parse({"kind": "draw", "from": "deck"})
    for value in (object(), move, {"moves": [move]}, {1, 2}):
        assert read("{{ view.bank }}", view={"bank": value}) is None


def test_questions_are_told_apart() -> None:
    ask = "{{ prompt.n }}{% for move in prompt.legal %}{{ move.kind }}{% endfor %}"
    texts = {
        read(ask, prompt=Question(n, "draw", open=False, legal=[{"kind": kind}]))
        for n in (1, 2)
        for kind in ("play", "draw")
    }
    assert len(texts) == 4


def test_lines_of_the_log_are_read_as_they_are_told() -> None:
    lines = [LogLine(seq, seq % 2, "move", ({"kind": kind},)) for seq, kind in enumerate("ab")]

    def told(*, reader: int, word: str) -> Teller:
        return Teller((reader,), lambda line: Markup(f"{word} {line.events[0]['kind']}"))

    def seen(template: str, teller: Teller, log: list[LogLine]) -> bytes | None:
        return read("{% set log = scene.log %}" + template, told=teller, scene={"log": log})

    for template in ("{{ told(log[-1]) }}", "<ol>{{ told.items(log) }}</ol>"):
        before = seen(template, told(reader=0, word="took"), lines)
        assert before is not None
        assert seen(template, told(reader=1, word="took"), lines) == before
        assert seen(template, told(reader=0, word="kept"), lines) != before
        assert seen(template, told(reader=0, word="took"), lines[:1]) != before


def test_marks_are_chosen_by_kind_and_facts() -> None:
    marks = Marks([{"kind": "took", "seat": 1}, {"kind": "bought", "seat": 0, "card": 3}])
    assert marks("took") == [marks[0]]
    assert marks(seat=0) == [marks[1]]
    assert marks("took", "bought", card=3) == [marks[1]]
    assert marks("passed") == marks("took", card=3) == []
    template = "{% for event in marks('took', seat=item) %}{{ event.seat }}{% endfor %}"
    assert read(template, marks=marks) == read(template, marks=Marks(marks[:1]))
    assert read(template, marks=marks) != read(template, marks=Marks(marks[1:]))


def test_previews_are_of_the_parts_that_they_get() -> None:
    template = "{% set to = preview_of(view, {'kind': 'draw'}) %}{{ to }}"
    assert read(template, preview_of=Preview(LostCities())) is not None


def test_methods_come_before_keys() -> None:
    env = text.environment(text.Texts().translations("en"), "en")
    template = env.from_string("{{ it.items()|length }} {{ it.red }} {{ it.gone is defined }}")
    assert template.render(it={"items": 1, "red": 2}) == "2 2 False"
