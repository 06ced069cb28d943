"""Templates mean the same as in Jinja, though they are compiled to look into dicts at once."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import jinja2
import pytest

from app.web import text


class Point(NamedTuple):
    x: int
    y: dict[str, Any]


NAMES: dict[str, Any] = {
    "view": {"bank": {"red": 3, "<": "<b>"}, "none": None, "rows": [{"n": 1}, {"n": 2}]},
    "point": Point(4, {"deep": {"deeper": "yes"}}),
    "marks": lambda *kinds, **facts: [*kinds, *facts.items()],
}
SAME = [
    "{{ view.bank.red }}{{ view['bank'].red }}{{ view.rows[1].n }}",
    "{{ point.x }}{{ point.y.deep.deeper }}{{ point.count(4) }}{{ point.z is defined }}",
    "{{ view.gone is defined }}{{ view.gone|default('no') }}{{ view.none is none }}",
    "{% for row in view.rows if row.n > 1 %}{{ row.n }}{{ loop.last }}{% endfor %}",
    "{% for name, n in view.bank.items() %}{{ name }}{{ n }}{% endfor %}",
    "{{ marks('took', seat=1, card=view.bank.red) }}{{ marks(*['a'], **{'b': 1}) }}",
    "{% set all = [] %}{% for row in view.rows %}{% do all.append(row.n) %}{% endfor %}{{ all }}",
    "{% set ns = namespace(n=0) %}{% set ns.n = view.bank.get('red') %}{{ ns.n + ns['n'] }}",
    "{% macro m() %}{{ caller(view) }}{% endmacro %}{% call(it) m() %}{{ it.none }}{% endcall %}",
    "{{ view.rows|map(attribute='n')|sum }}{{ view.bank.keys()|join(view.bank.red ~ '') }}",
]


def both(source: str) -> tuple[jinja2.Template, jinja2.Template]:
    """Returns a template of ours, and the same one as Jinja compiles it."""
    ours = text.environment(text.Texts().translations("en"), "en")
    theirs = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, extensions=["jinja2.ext.do"]
    )
    return ours.from_string(source), theirs.from_string(source)


@pytest.mark.parametrize("source", SAME)
def test_a_template_draws_what_jinja_draws(source: str) -> None:
    ours, theirs = both("{% autoescape true %}" + source + "{% endautoescape %}")
    assert ours.render(NAMES) == theirs.render(NAMES) != ""


@pytest.mark.parametrize("source", ["{{ view.gone }}", "{{ view.gone.red }}", "{{ gone.red }}"])
def test_what_is_not_there_is_an_error(source: str) -> None:
    for template in both(source):
        with pytest.raises(jinja2.UndefinedError, match="gone"):
            template.render(NAMES)


def test_what_is_drawn_once_is_imported() -> None:
    """A macro of the page itself is another one for each page: it would be kept, and never found.

    It cost Silver & Gold 20 ms of each page.
    """
    for path in text.TEMPLATES.rglob("*.html"):
        source = path.read_text("utf-8")
        own = set(re.findall(r"macro (\w+)\(", source))
        assert not own & set(re.findall(r"once\((\w+)", source)), path
