"""The templates in one language, and what is kept of what they drew."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from babel import Locale
from jinja2 import Template
from jinja2.runtime import Macro
from markdown_it import MarkdownIt
from markupsafe import Markup

from app.games.contract import Json
from app.games.registry import Registry
from app.realtime.scene import LogLine, Scene
from app.web.assets import Assets
from app.web.sight import isolated, sight
from app.web.text import ROOT, TEMPLATES, Texts, environment

PIECES_KEPT = 1 << 14
"""How many drawn pieces (a card in a hand, an expedition) are kept as HTML for each language."""
LINES_KEPT = 1 << 16
"""How many log lines are kept as HTML for each language."""


class Templates:
    """The templates in one language, loaded once."""

    def __init__(self, games: Registry, texts: Texts, assets: Assets, lang: str) -> None:
        self._games = games
        self._lines: dict[tuple[object, ...], Markup] = {}
        self._pieces: dict[tuple[object, ...], Markup] = {}
        self._env = environment(
            texts.translations(lang),
            lang,
            asset=assets.url,
            has_asset=assets.has,
            sprite=_drawings(assets),
            build=assets.build,
            languages={code: _own_name(code) for code in texts.languages},
            games=[game.meta for game in games.values()],
            isolated=isolated,
            new_key=lambda: secrets.token_urlsafe(16),
            components={key: game.components() for key, game in games.items()},
            preview_of=self._preview,
            once=self._once,
        )
        self._line = self._env.get_template("rooms/line.html")
        house = _region_files("rooms/game/regions")
        self._regions = {
            "lobby": self._load(_region_files("rooms/lobby/regions")),
            "starting": self._load(_region_files("rooms/starting/regions")),
            **{
                key: self._load({**house, **_region_files(f"games/{key}/regions")}) for key in games
            },
        }
        self._rules = {key: _rules(key, lang) for key in games}

    def _load(self, files: Mapping[str, str]) -> list[tuple[str, str, Template]]:
        named = [(name.partition("@"), path) for name, path in files.items()]
        return [(name, each, self._env.get_template(path)) for (name, _, each), path in named]

    def draw(self, template: str | list[str], **context: object) -> str:
        """Returns a whole page, by the first of the templates that there is."""
        found = self._env.select_template([template] if isinstance(template, str) else template)
        return found.render({"player": None, "refused": None, **context})

    def draw_room(self, template: str | list[str], scene: Scene, **context: object) -> str:
        """Returns a whole page of a room."""
        return self.draw(template, **self._sight(scene), **context)

    def rules(self, game: str) -> Markup:
        """Returns the rules of a game; empty where nobody wrote them."""
        return self._rules[game]

    def regions(self, scene: Scene, layout: str) -> dict[str, str]:
        """Returns the inner HTML of each region of a layout."""
        # One set of names for all regions: `Template.render` would copy it for each of them.
        names = {**self._env.globals, **self._sight(scene)}
        view = scene.view or {}
        drawn: dict[str, str] = {}
        for name, each, template in self._regions[layout]:
            if each:
                for item in range(scene.room.seats) if each == "seats" else view[each]:
                    drawn[f"{name}-{item}"] = _drawn(template, {**names, "item": item})
            else:
                drawn[name] = _drawn(template, names)
        return drawn

    def sentences(self, game: str, events: Iterable[Mapping[str, Json]], scene: Scene) -> list[str]:
        """Returns one sentence for each event that has one."""
        return self._sentences(game, events, self._sight(scene))

    def _sight(self, scene: Scene) -> dict[str, Any]:
        """Returns what `sight` does, and `told(line)`: a line of the log.

        Lines are kept, because every change shows thirty of them again.
        """
        seen = sight(scene, self._games[scene.room.game].meta)
        reader = (scene.room.id, scene.seat, *seen["plain"].values())

        def told(line: LogLine) -> Markup:
            key = (line.seq, line.kind, len(line.events), reader)
            drawn = self._lines.get(key)
            if drawn is None:
                if len(self._lines) >= LINES_KEPT:
                    self._lines.clear()
                sentences = self._sentences(scene.room.game, line.events, seen)
                text = self._line.render(seen, line=line, sentences=sentences)
                drawn = self._lines[key] = Markup(text.strip())  # noqa: S704 our own template
            return drawn

        seen["told"] = told
        return seen

    def _sentences(
        self, game: str, events: Iterable[Mapping[str, Json]], seen: Mapping[str, Any]
    ) -> list[str]:
        template = self._env.select_template([f"games/{game}/events.html", "parts/none.html"])
        told = (template.render(seen, event=event).strip() for event in events)
        return [Markup(sentence) for sentence in told if sentence]  # noqa: S704 our own template

    def refusal(self, game: str | None, code: str, facts: Mapping[str, Json]) -> str:
        """Returns the sentence for a refusal, a general one for an unknown code."""
        for name in (f"games/{game}/refusal.txt", "rooms/refusal.txt"):
            if not (TEMPLATES / name).is_file():
                continue
            sentence = self._env.get_template(name).render(code=code, facts=facts).strip()
            if sentence:
                return sentence
        return self._env.get_template("rooms/refusal.txt").render(code="", facts={}).strip()

    def _once(self, macro: Macro, *arguments: Any) -> Markup:
        """Returns what an imported macro draws; kept, so it must depend on its arguments alone."""
        # bool and int are equal as keys but not as text.
        key = (macro, *arguments, *map(type, arguments))
        drawn = self._pieces.get(key)
        if drawn is None:
            if len(self._pieces) >= PIECES_KEPT:
                self._pieces.clear()
            drawn = self._pieces[key] = Markup(macro(*arguments))  # noqa: S704 ours
        return drawn

    def _preview(self, scene: Scene, move: Mapping[str, Json]) -> Mapping[str, Json]:
        return self._games[scene.room.game].preview(scene.view or {}, dict(move))


def _drawn(template: Template, names: dict[str, Any]) -> str:
    """Draws with `names` alone, which hold the globals already.

    `Template.new_context` would compare all globals again at every import of macros: that took a
    sixth of the time of a page.
    """
    environment = template.environment
    context = environment.context_class(environment, names, template.name, template.blocks)
    return "".join(template.root_render_func(context))


def _own_name(lang: str) -> str:
    """Returns what a language calls itself."""
    return Locale.parse(lang, sep="-").get_display_name() or lang


def _region_files(folder: str) -> dict[str, str]:
    """Returns the region templates of a folder: path below `templates/` by file name."""
    found = sorted((TEMPLATES / folder).glob("*.html"))
    return {path.stem: path.relative_to(TEMPLATES).as_posix() for path in found}


def _drawings(assets: Assets) -> Markup:
    """Returns the symbols of the sprite, to be put into a page that uses many of them."""
    asset = assets.find(assets.url("sprite.svg"))
    svg = asset.body.decode() if asset else ""
    inner = svg[svg.index(">") + 1 : svg.rindex("</svg>")]
    return Markup(inner)  # noqa: S704 our own file


def _rules(game: str, lang: str) -> Markup:
    """Returns the rules of a game as HTML, in English where there is no translation."""
    for language in (lang, "en"):
        path: Path = ROOT / "docs" / "rules" / f"{game}.{language}.md"
        if path.is_file():
            html = (
                MarkdownIt("commonmark", {"html": False})
                .enable("table")
                .render(path.read_text("utf-8"))
            )
            return Markup(html)  # noqa: S704 our own text, raw HTML switched off
    return Markup()
