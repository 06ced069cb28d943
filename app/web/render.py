"""Scenes and pages to HTML.

A room's page is a layout with *regions*: flat, named pieces that the hub sends again when they
change. Which regions there are is read from the folders of templates:

* `templates/rooms/lobby/regions/` while the room is open, `rooms/starting/regions/` while it is
  starting;
* `templates/rooms/game/regions/` and `templates/games/<game>/regions/` from the deal on. A file
  of the game replaces one of the house with the same name.

`board.html` is the region `board`. `column@colours.html` is drawn once for each item of
`view["colours"]`, as `item`, and gives the regions `column-Y`, `column-B`, ...
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from babel import Locale
from jinja2 import Template
from jinja2.runtime import Macro
from markdown_it import MarkdownIt
from markupsafe import Markup

from app.games.contract import Json
from app.games.registry import Registry
from app.players.service import Player
from app.realtime.scene import LogLine, Scene
from app.web.assets import Assets
from app.web.sight import isolated, sight
from app.web.text import ROOT, TEMPLATES, Texts, environment

PIECES_KEPT = 20_000
"""How many drawn pieces (a card in a hand, an expedition) are kept as HTML for each language."""
LINES_KEPT = 4096
"""How many finished log lines are kept as HTML."""

_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 compared only


class Renderer:
    """Draws everything people see. One for the process; holds no state of any room."""

    def __init__(
        self, games: Registry, *, texts: Texts | None = None, assets: Assets | None = None
    ) -> None:
        self.games = games
        self.texts = texts or Texts()
        self.assets = assets or Assets()
        self._languages = {lang: _Language(self, lang) for lang in self.texts.languages}

    # Rooms

    def layout(self, scene: Scene) -> str:
        """Returns which page the room is: `lobby`, `starting`, or the key of its game."""
        if scene.view is not None:
            return scene.room.game
        return "lobby" if scene.room.status == "open" else "starting"

    def regions(self, scene: Scene, lang: str) -> dict[str, str]:
        """Returns the inner HTML of each region of the viewer's page, by region id."""
        return self._language(lang).regions(scene, self.layout(scene))

    def room_page(
        self,
        scene: Scene,
        lang: str,
        *,
        url: str,
        player: Player | None = None,
        refused: str | None = None,
    ) -> str:
        """Returns the whole page of a room for one viewer.

        `url` is the absolute invite link, `player` who looks (None: no name yet), `refused` the
        sentence of a form that was refused (answer 4xx with it).
        """
        language = self._language(lang)
        layout = self.layout(scene)
        regions = {
            name: Markup(html)  # noqa: S704 made by our own escaping templates
            for name, html in language.regions(scene, layout).items()
        }
        folder = f"games/{layout}" if scene.view is not None else f"rooms/{layout}"
        return language.draw(
            f"{folder}/layout.html",
            **sight(scene, self.games[scene.room.game].meta),
            layout=layout,
            regions=regions,
            url=url,
            local=urlsplit(url).hostname in _LOCAL_HOSTS,
            player=player,
            refused=refused,
        )

    def log_page(
        self,
        scene: Scene,
        lang: str,
        *,
        lines: Sequence[LogLine],
        more: bool,
        player: Player | None = None,
    ) -> str:
        """Returns the page of older log lines, oldest first; `more`: there are still older ones."""
        language = self._language(lang)
        return language.draw(
            "pages/log.html",
            **sight(scene, self.games[scene.room.game].meta),
            lines=[(line, language.line(scene, line)) for line in lines],
            more=more,
            player=player,
        )

    def sentences(
        self, game: str, events: Iterable[Mapping[str, Json]], scene: Scene, lang: str
    ) -> list[str]:
        """Returns one sentence (HTML) for each event that has one, as the viewer reads it."""
        return self._language(lang).sentences(game, events, scene)

    def refusal(self, game_key: str | None, code: str, facts: Mapping[str, Json], lang: str) -> str:
        """Returns the plain-text sentence for a refused move or form: why, and what would do.

        Codes of a game are looked up in `games/<game>/refusal.txt`, then, like all others, in
        `rooms/refusal.txt`; an unknown code gets a general sentence.
        """
        return self._language(lang).refusal(game_key, code, facts)

    # Other pages

    def page(self, name: str, lang: str, **context: object) -> str:
        """Returns `templates/pages/<name>.html`.

        Every page takes `player` (`Player | None`) and `refused` (a sentence or None), which both
        may be left out. Besides:

        * `home`: nothing more; the games come from the registry.
        * `new`: `game` (`Meta`), `values` (the posted fields as a dict, {} at first), `house_key`
          (whether a key is needed).
        * `error`: `code`, `message` (the sentence for a code not listed here). Codes: `not_found`,
          `unknown_room`, `no_such_game`, `forbidden`, `too_many`, `too_large`, `unavailable`,
          `server_error`, `bad_request`, `house_key`, `removed`.
        """
        return self._language(lang).draw(f"pages/{name}.html", **context)

    def rules_page(self, game_key: str, lang: str, *, player: Player | None = None) -> str:
        """Returns the rules of a game. Raises KeyError for a game there is not."""
        meta = self.games[game_key].meta
        text = self._language(lang).rules(game_key)
        return self.page("rules", lang, game=meta, text=text, player=player)

    def _language(self, lang: str) -> _Language:
        return self._languages.get(lang) or next(iter(self._languages.values()))


class _Language:
    """The templates in one language, loaded once."""

    def __init__(self, renderer: Renderer, lang: str) -> None:
        self._games = renderer.games
        self._lines: OrderedDict[tuple[object, ...], Markup] = OrderedDict()
        self._pieces: dict[tuple[object, ...], Markup] = {}
        self._lang = lang
        self._env = environment(
            renderer.texts.translations(lang),
            lang,
            asset=renderer.assets.url,
            has_asset=renderer.assets.has,
            sprite=_drawings(renderer.assets),
            build=renderer.assets.build,
            languages={code: _own_name(code) for code in renderer.texts.languages},
            games=[game.meta for game in renderer.games.values()],
            isolated=isolated,
            line_of=self.line,
            preview_of=self._preview,
            once=self._once,
        )
        house = _region_files("rooms/game/regions")
        self._regions = {
            "lobby": self._load(_region_files("rooms/lobby/regions")),
            "starting": self._load(_region_files("rooms/starting/regions")),
            **{
                key: self._load({**house, **_region_files(f"games/{key}/regions")})
                for key in renderer.games
            },
        }
        self._rules = {key: _rules(key, lang) for key in renderer.games}

    def _load(self, files: Mapping[str, str]) -> list[tuple[str, str, Template]]:
        named = [(name.partition("@"), path) for name, path in files.items()]
        return [(name, each, self._env.get_template(path)) for (name, _, each), path in named]

    def draw(self, template: str, **context: object) -> str:
        return self._env.get_template(template).render({"player": None, "refused": None, **context})

    def rules(self, game: str) -> Markup:
        return self._rules[game]

    def regions(self, scene: Scene, layout: str) -> dict[str, str]:
        # One set of names for all regions: `Template.render` would copy it for each of them.
        names = {**self._env.globals, **sight(scene, self._games[scene.room.game].meta)}
        drawn: dict[str, str] = {}
        for name, each, template in self._regions[layout]:
            if each:
                for item in (scene.view or {})[each]:
                    drawn[f"{name}-{item}"] = _drawn(template, {**names, "item": item})
            else:
                drawn[name] = _drawn(template, names)
        return drawn

    def line(self, scene: Scene, line: LogLine) -> Markup:
        """Returns one log line; kept, because every view of a room shows the same thirty."""
        key = (scene.room.id, scene.room.r, line.seq, scene.seat, line.kind, len(line.events))
        drawn = self._lines.get(key)
        if drawn is None:
            context = sight(scene, self._games[scene.room.game].meta)
            text = self._env.get_template("rooms/line.html").render(
                context, line=line, told=self.sentences(scene.room.game, line.events, scene)
            )
            drawn = self._lines[key] = Markup(text.strip())  # noqa: S704 our own template
            if len(self._lines) > LINES_KEPT:
                self._lines.popitem(last=False)
        return drawn

    def sentences(self, game: str, events: Iterable[Mapping[str, Json]], scene: Scene) -> list[str]:
        context = sight(scene, self._games[game].meta)
        template = self._env.get_template(f"games/{game}/events.html")
        told = (template.render(context, event=event).strip() for event in events)
        return [Markup(sentence) for sentence in told if sentence]  # noqa: S704 our own template

    def refusal(self, game: str | None, code: str, facts: Mapping[str, Json]) -> str:
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
    return "".join(template.root_render_func(template.new_context(names, shared=True)))


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
