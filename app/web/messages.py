"""Collects every sentence that a player can read: `python -m app.web.messages`.

Writes `locales/motherlode.pot`, the file that translations start from, and brings each
`locales/<language>/LC_MESSAGES/motherlode.po` up to date with it. Templates mark their
sentences themselves; the titles, lines and options of the games are plain message ids in `Meta`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from app.games.registry import GAMES, Registry
from app.web.text import LOCALES, TEMPLATES

POT = LOCALES / "motherlode.pot"

_METHODS = [("**.html", "jinja2"), ("**.txt", "jinja2")]
_OPTIONS = {name: {"trimmed": "true", "silent": "false"} for name, _ in _METHODS}
_EXTENSIONS = "jinja2.ext.do"


def collect(games: Registry = GAMES, templates: Path = TEMPLATES) -> bytes:
    """Returns the template catalogue as the text of a `.pot` file, equal for equal sources."""
    catalog = Catalog(project="Motherlode", charset="utf-8", fuzzy=False)
    options = {pattern: {**given, "extensions": _EXTENSIONS} for pattern, given in _OPTIONS.items()}
    found = extract_from_dir(templates, method_map=_METHODS, options_map=options)
    for path, _line, message, comments, context in sorted(found, key=lambda each: each[:2]):
        catalog.add(
            message, None, [(f"templates/{path}", 0)], auto_comments=comments, context=context
        )
    for key, message in _of_games(games):
        catalog.add(message, None, [(f"app/games/{key}/meta.py", 0)])
    text = BytesIO()
    write_po(text, catalog, omit_header=True, include_lineno=False, width=100)
    header = b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    return header + text.getvalue()


def _of_games(games: Registry) -> Iterator[tuple[str, str]]:
    for game in games.values():
        meta = game.meta
        texts = [meta.title, meta.line]
        for option in meta.options:
            texts += [option.label, option.help, *(label for _, label in option.choices)]
        yield from ((meta.key, text) for text in texts if text)


def main() -> None:
    """Writes the files and says how many sentences there are."""
    content = collect()
    POT.write_bytes(content)
    template = read_po(BytesIO(content))
    for path in sorted(LOCALES.glob("*/LC_MESSAGES/motherlode.po")):
        translated = read_po(BytesIO(path.read_bytes()))
        translated.update(template, no_fuzzy_matching=True)
        with path.open("wb") as target:
            write_po(target, translated, include_lineno=False, width=100)
    sys.stdout.write(f"{POT.name}: {content.count(b'msgid ') - 1} messages\n")


if __name__ == "__main__":
    main()
