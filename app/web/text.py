"""Languages: which there are, which one a visitor reads, and the templates in each.

English is the source. A translation is `locales/<language>/LC_MESSAGES/motherlode.po`; it is
compiled in memory when the server starts, so there is no build step to forget.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from gettext import NullTranslations
from pathlib import Path
from urllib.parse import urlsplit

import jinja2
import jinja2.runtime
from babel import Locale, negotiate_locale
from babel.dates import format_date
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations
from markupsafe import Markup, escape

from app.web.compiled import COMPILED, Environment

ROOT = Path(__file__).resolve().parents[2]
LOCALES = ROOT / "locales"
TEMPLATES = ROOT / "templates"
SOURCE_LANGUAGE = "en"
_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 compared only


class Texts:
    """The translations of one folder. `languages` starts with the source language."""

    def __init__(self, folder: Path = LOCALES) -> None:
        self._translations: dict[str, NullTranslations] = {SOURCE_LANGUAGE: NullTranslations()}
        for path in sorted(folder.glob("*/LC_MESSAGES/motherlode.po")):
            self._translations[path.parts[-3]] = _compiled(path)
        self.languages: tuple[str, ...] = tuple(self._translations)

    def choose(self, cookie: str | None, accept: str | None) -> str:
        """Returns the language of a visitor: the cookie's if we have it, else Accept-Language."""
        if cookie in self._translations:
            return str(cookie)
        wanted = [part for part, _ in sorted(_accepted(accept or ""), key=lambda item: -item[1])]
        return negotiate_locale(wanted, self.languages, sep="-") or SOURCE_LANGUAGE

    def translations(self, lang: str) -> NullTranslations:
        """Returns the translations of `lang`, of the source language if there are none."""
        return self._translations.get(lang, self._translations[SOURCE_LANGUAGE])


def environment(translations: NullTranslations, lang: str, **helpers: object) -> Environment:
    """Returns the templates in one language: everything escaped, unknown names are errors."""
    env = Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=jinja2.select_autoescape(("html", "svg"), default=False),
        undefined=jinja2.StrictUndefined,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
        bytecode_cache=COMPILED,
    )
    env.policies["ext.i18n.trimmed"] = True
    install: Callable[..., None] = vars(env)["install_gettext_translations"]
    install(translations, newstyle=True)
    env.globals.update(_sentences(translations), **helpers, lang=lang)
    env.filters["number"] = number
    env.filters["counts"] = counts
    env.filters["left"] = left
    env.filters["day"] = lambda moment: day(moment, lang)
    env.tests["local"] = is_local
    return env


def _sentences(translations: NullTranslations) -> dict[str, Callable[..., str]]:
    """Returns what templates ask for sentences, as Jinja's own does it: facts are escaped.

    Sentences without facts are the same each time, and nearly all are such.
    """
    bare: dict[str, Markup] = {}

    @jinja2.pass_context
    def gettext(context: jinja2.runtime.Context, message: str, /, **facts: object) -> str:
        escaped = context.eval_ctx.autoescape
        if not facts and escaped:
            sentence = bare.get(message)
            if sentence is None:
                text = translations.gettext(message) % facts
                sentence = bare[message] = Markup(text)  # noqa: S704 our own text
            return sentence
        return _filled(translations.gettext(message), facts, escaped=escaped)

    @jinja2.pass_context
    def ngettext(
        context: jinja2.runtime.Context, one: str, more: str, count: int, /, **facts: object
    ) -> str:
        text = translations.ngettext(one, more, count)
        return _filled(text, {"num": count, **facts}, escaped=context.eval_ctx.autoescape)

    return {"_": gettext, "gettext": gettext, "ngettext": ngettext}


def _filled(text: str, facts: Mapping[str, object], *, escaped: bool) -> str:
    if not escaped:
        return text % facts
    safe = {name: escape(fact) for name, fact in facts.items()}
    return Markup(text % safe)  # noqa: S704 our own text, with facts that are escaped


def day(moment: datetime | str, lang: str) -> str:
    """Returns the day of a moment, by the calendar of UTC, in words of the language."""
    at = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return format_date(at.astimezone(UTC), "long", locale=Locale.parse(lang, sep="-"))


def is_local(url: str) -> bool:
    """Tells whether an address leads, on every computer, to that computer itself."""
    return urlsplit(url).hostname in _LOCAL_HOSTS


def number(value: int) -> str:
    """Returns a whole number with a true minus sign."""
    return f"\N{MINUS SIGN}{-value}" if value < 0 else str(value)


def left(due: int) -> str:
    """Returns how much time is left until a moment, in milliseconds since 1970, as "4:59"."""
    seconds = max(0, due // 1000 - int(time.time()))
    minutes, end = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes}:{end:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{end:02}"


def counts(numbers: Mapping[str, int]) -> str:
    """Returns `{"red": 3, "blue": 1}` as "red3 blue1": how `once` can be handed it."""
    return " ".join([f"{name}{n}" for name, n in numbers.items()])


def _compiled(path: Path) -> Translations:
    compiled = io.BytesIO()
    with path.open("rb") as source:
        write_mo(compiled, read_po(source))
    compiled.seek(0)
    return Translations(compiled)


def _accepted(header: str) -> list[tuple[str, float]]:
    """Reads `de-AT,de;q=0.8`: languages with their weights, broken parts left out."""
    found: list[tuple[str, float]] = []
    for part in header[:400].split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            found.append((tag, float(weight or 1)))
        except ValueError:
            continue
    return [(tag, weight) for tag, weight in found if tag and tag != "*"]
