"""The templates in one language, and what is kept of what they drew."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import structlog
from babel import Locale
from jinja2.runtime import Macro
from markdown_it import MarkdownIt
from markupsafe import Markup

from app.chat.lines import REACTIONS
from app.games.contract import Json
from app.games.registry import Registry
from app.play.clock import CHOICES
from app.realtime.kept import Kept, Shown
from app.realtime.scene import LogLine, Scene
from app.web.assets import Assets
from app.web.compiled import Context, Names, safe
from app.web.helpers import Marks, Preview, Question, Teller
from app.web.inputs import inputs_of
from app.web.regions import Regions
from app.web.sight import isolated, sight
from app.web.text import ROOT, TEMPLATES, Texts, environment

log = structlog.get_logger()

PIECES_KEPT = 1 << 14
"""How many drawn pieces (a card in a hand, an expedition) are kept as HTML for each language."""
READERS_KEPT = 1 << 7
"""The readers whose log lines are kept as HTML, for each language: from a page to its socket."""
LINES_KEPT = 1 << 6
"""How many log lines are kept for each of them: twice what a page shows."""
SENTENCES_KEPT = 1 << 12
"""How many sentences for single events are kept for each language."""


_BARE: Mapping[str, object] = MappingProxyType(
    dict.fromkeys(("player", "refused", "back", "keeping", "announced"))
)
"""What every page has; who draws it knows more."""


class Templates:
    """The templates in one language, loaded once."""

    def __init__(self, games: Registry, texts: Texts, assets: Assets, lang: str) -> None:
        self._games = games
        self._lang = lang
        self._lines: dict[tuple[object, ...], dict[tuple[int, str, int], Markup]] = {}
        self._told: dict[tuple[str, bytes | None], Markup] = {}
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
            clocks=CHOICES,
            isolated=isolated,
            reactions=REACTIONS,
            new_key=lambda: secrets.token_hex(16),
            components={key: game.components() for key, game in games.items()},
            once=self._once,
        )
        self._line = self._env.get_template("rooms/line.html")
        self._events = {}
        for key in games:
            template = self._env.select_template([f"games/{key}/events.html", "parts/none.html"])
            assert template.name is not None
            self._events[key] = template, inputs_of(self._env, template.name, "event")
        self._regions = {
            "lobby": Regions(self._env, "rooms/lobby/regions"),
            "starting": Regions(self._env, "rooms/starting/regions"),
            "curtain": Regions(self._env, "rooms/game/regions", "rooms/curtain/regions"),
            **{
                key: Regions(self._env, "rooms/game/regions", f"games/{key}/regions")
                for key in games
            },
        }
        self._rules = {key: _rules(key, lang) for key in games}

    def draw(self, template: str | list[str], **context: object) -> str:
        """Returns a whole page, by the first of the templates that there is."""
        found = self._env.select_template([template] if isinstance(template, str) else template)
        seen = found.new_context({**_BARE, **context})
        try:
            return self._env.concat(found.root_render_func(seen))
        finally:
            # A macro holds what it is drawn with, which has the macro: nobody would free that soon.
            seen.vars.clear()
            seen.parent.clear()

    def draw_room(self, template: str | list[str], scene: Scene, **context: object) -> str:
        """Returns a whole page of a room."""
        with self._seeing(scene) as seen:
            return self.draw(template, **seen, **context)

    def rules(self, game: str) -> Markup:
        """Returns the rules of a game; empty where nobody wrote them."""
        return self._rules[game]

    def regions(
        self,
        scene: Scene,
        layout: str,
        *,
        typed: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> dict[str, str]:
        """Returns the inner HTML of each region of a layout.

        `typed` are the values of a refused form by name, so that it need not be filled in again.
        """
        with self._seeing(scene, typed=typed) as seen:
            return self._regions[layout].draw(seen)

    def changes(
        self, scene: Scene, layout: str, kept: Kept, shown: Shown
    ) -> tuple[dict[str, str], Shown]:
        """Returns the regions that differ from what is shown, and what is shown with them."""
        with self._seeing(scene, kept) as seen:
            return self._regions[layout].change(seen, kept, shown)

    def board(self, scene: Scene, layout: str) -> dict[str, str]:
        """Returns the regions of the pieces and the players alone."""
        regions = self._regions[layout]
        with self._seeing(scene) as seen:
            return regions.draw(seen, regions.board)

    def board_changes(
        self, scene: Scene, layout: str, shown: Shown
    ) -> tuple[dict[str, str], Shown]:
        """Returns those of these regions that differ from what is shown, and what is shown then."""
        regions = self._regions[layout]
        with self._seeing(scene) as seen:
            return regions.change(seen, Kept(), shown, regions.board)

    def told(self, scene: Scene, line: LogLine) -> Markup:
        """Returns a line of the log as the viewer of a scene reads it."""
        with self._seeing(scene) as seen:
            told: Teller = seen["told"]
            return told(line)

    @contextmanager
    def _seeing(
        self,
        scene: Scene,
        kept: Kept | None = None,
        *,
        typed: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> Iterator[Names]:
        """Gives what `sight` does, the globals, and what `helpers` has for templates to call.

        It is forgotten at the end: what lines are drawn with is among the names and holds them, so
        that nobody would free either.
        """
        game = self._games[scene.room.game]
        seen = Names(self._env.globals)
        seen.update(sight(scene, game.meta))
        # A reader of another language is told other lines.
        reader = (self._lang, scene.room.game, scene.room.id, scene.seat, *seen["plain"].values())
        lines = self._lines_for(reader)

        def draw(line: LogLine) -> Markup:
            # Kept, because every change shows thirty of them again.
            key = (line.seq, line.kind, len(line.events))
            told = lines.get(key)
            if told is None:
                sentences = self._sentences(scene.room.game, line.events, seen)
                if len(lines) >= LINES_KEPT:
                    del lines[next(iter(lines))]
                names = Names(seen, line=line, sentences=sentences)
                text = Context.of(self._env, names).draw(self._line).strip()
                # Most lines are one sentence, which other readers are told as well.
                alone = len(sentences) == 1 and sentences[0] == text
                told = lines[key] = sentences[0] if alone else safe(text)
            return told

        seen["told"] = Teller(reader, draw, None if kept is None else kept.logs)
        seen["marks"] = Marks(seen["marks"])
        seen["recent"] = Marks(seen["recent"])
        seen["my_last"] = Marks(
            next((line.events for line in reversed(scene.log) if line.seq == scene.own), ())
        )
        seen["prompt"] = Question.of(scene.prompt, scene.seat if scene.shared else None)
        seen["preview_of"] = Preview(game)
        seen["typed"] = dict(typed)
        try:
            yield seen
        finally:
            seen.clear()

    def _lines_for(self, reader: tuple[object, ...]) -> dict[tuple[int, str, int], Markup]:
        """Returns the lines that were drawn for a reader; the reader of long ago is forgotten."""
        lines = self._lines.pop(reader, None)
        if lines is None:
            lines = {}
            if len(self._lines) >= READERS_KEPT:
                del self._lines[next(iter(self._lines))]
        self._lines[reader] = lines
        return lines

    def _sentences(
        self, game: str, events: Iterable[Mapping[str, Json]], seen: Names
    ) -> list[Markup]:
        template, inputs = self._events[game]
        names = Names(seen)
        context = Context.of(self._env, names)
        told = []
        for event in events:
            names["event"] = event
            read = inputs.read(context) if inputs is not None else None
            # Most sentences are the same for all viewers but one.
            sentence = self._told.get((game, read))
            if sentence is None:
                sentence = safe(context.draw(template).strip())
                if read is not None:
                    if len(self._told) >= SENTENCES_KEPT:
                        self._told.clear()
                    # A copy: the text is in the buffer that orjson wrote into, ten times as large.
                    self._told[game, bytes(memoryview(read))] = sentence
            told.append(sentence)
        return [sentence for sentence in told if sentence]

    def refusal(self, game: str | None, code: str, facts: Mapping[str, Json]) -> str:
        """Returns the sentence for a refusal, a general one for an unknown code.

        So it is for facts that the sentence cannot be made of, which is logged: the refusal itself
        is right, and what was refused must not look as if the house had failed.
        """
        for name in (f"games/{game}/refusal.txt", "rooms/refusal.txt"):
            if not (TEMPLATES / name).is_file():
                continue
            try:
                sentence = self._env.get_template(name).render(code=code, facts=facts).strip()
            except Exception:
                log.exception("refusal_not_drawn", game=game, code=code)
                break
            if sentence:
                return sentence
        return self._env.get_template("rooms/refusal.txt").render(code="", facts={}).strip()

    def _once(self, macro: Macro, *arguments: Any) -> Markup:
        """Returns what an imported macro draws; kept, so it must depend on its arguments alone."""
        # bool and int are equal as keys but not as text.
        key = (macro, *arguments, *map(type, arguments))
        html = self._pieces.get(key)
        if html is None:
            if len(self._pieces) >= PIECES_KEPT:
                self._pieces.clear()
            html = self._pieces[key] = Markup(macro(*arguments))  # noqa: S704 ours
        return html


def _own_name(lang: str) -> str:
    """Returns what a language calls itself."""
    return Locale.parse(lang, sep="-").get_display_name() or lang


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
