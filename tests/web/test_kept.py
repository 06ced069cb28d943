"""Regions that are kept are the same, byte for byte, as regions that are drawn anew."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from itertools import cycle
from random import Random

import pytest

from app.games.registry import GAMES, AnyGame
from app.realtime.kept import NOTHING, Kept
from app.realtime.scene import Scene
from app.web.render import Renderer
from bench.walks import Walk, default_options
from tests.conformance.driver import every_setting
from tests.web.reading import HOSTILE, in_brackets

BURST = 8
"""States in a row that are drawn; as many after them are not."""


@pytest.fixture(scope="module")
def renderer(tmp_path_factory: pytest.TempPathFactory) -> Renderer:
    """Draws in English and in a made-up language."""
    return Renderer(GAMES, texts=in_brackets(tmp_path_factory.mktemp("texts")))


@pytest.fixture(scope="module", params=[*GAMES])
def game(request: pytest.FixtureRequest) -> AnyGame:
    return GAMES[request.param]


def walks(game: AnyGame, most: int = 2) -> Iterator[Walk]:
    """Games of some settings, with take-backs and, between two, an end by giving up."""
    settings = every_setting(game)
    Random(game.meta.key).shuffle(settings)
    for number, (seats, options) in zip(range(most), cycle(settings), strict=False):
        names = (*HOSTILE[:2], "Ann", "ann", "Ann") if number % 2 else ("Ann", "Bob", "Cleo", "Dan")
        concede = 0.01 if number % 2 else 0.0
        yield Walk(game, seats, options, number + 1, names=names, undo=0.1, concede=concede)


def looks(walk: Walk, scene: Scene, dice: Random) -> Scene:
    """Lets people come and go, as rooms do between two moves."""
    online = frozenset(seat for seat in range(walk.table.seats) if dice.random() < 0.9)
    return replace(scene, online=online, watchers=dice.randrange(3))


@pytest.fixture(scope="module")
def forgetful(renderer: Renderer) -> Callable[[Scene, str], dict[str, str]]:
    """Draws like the other one, but keeps neither pieces nor sentences nor lines."""
    other = Renderer(GAMES, texts=renderer.texts)

    def draw(scene: Scene, lang: str) -> dict[str, str]:
        with pytest.MonkeyPatch.context() as patch:
            for limit in ("PIECES_KEPT", "READERS_KEPT", "LINES_KEPT", "SENTENCES_KEPT"):
                patch.setattr(f"app.web.templates.{limit}", 1)
            return other.regions(scene, lang)

    return draw


def test_kept_regions_are_as_if_drawn_anew(
    renderer: Renderer, forgetful: Callable[[Scene, str], dict[str, str]], game: AnyGame
) -> None:
    """One `Kept` for two rooms at once is more than any room shares. Some views are compared."""
    dice = Random(1)
    languages = renderer.texts.languages
    drawn = regions = 0
    rooms = list(walks(game))
    for first, second in zip(rooms[::2], rooms[1::2], strict=True):
        kept = _Counting()
        pages: dict[tuple[int, int | None], Page] = {}
        for number, pair in enumerate(_together(first, second)):
            if number // BURST % 2:
                continue
            kept.forget()
            for walk in pair:
                for seat, player in walk.viewers:
                    scene = looks(walk, walk.live.scene(seat, player), dice)
                    lang = languages[(walk.number + (seat or 0)) % len(languages)]
                    page = pages.setdefault((walk.number, seat), Page())
                    page.follow(renderer, scene, lang, kept)
                    regions += len(page.regions)
                    draw = dice.choices((forgetful, renderer.regions, None), (1, 3, 6))[0]
                    if draw is not None:
                        assert page.regions == draw(scene, lang), f"{seat} at {scene.v}"
        drawn += kept.drawn
    assert drawn < regions / 2, "little is kept"


class Page:
    """What somebody sees who is sent what changed, as `static/wire.js` puts it together."""

    def __init__(self) -> None:
        self.shown = NOTHING
        self.regions: dict[str, str] = {}

    def follow(self, renderer: Renderer, scene: Scene, lang: str, kept: Kept) -> dict[str, str]:
        """Takes what changed, and returns it."""
        changed, self.shown = renderer.changes(scene, lang, kept, self.shown)
        assert all(self.regions.get(name) != html for name, html in changed.items())
        self.regions = {name: self.regions.get(name, "") for name in self.shown.marks} | changed
        return changed


class _Counting(Kept):
    """Counts what is drawn."""

    drawn = 0

    def __setitem__(self, key: Hashable, html: str) -> None:
        super().__setitem__(key, html)
        self.drawn += 1


def _together(*walks: Walk) -> Iterator[tuple[Walk, ...]]:
    """Yields those games that go on, after a move in each."""
    going = {walk: walk.states() for walk in walks}
    while going:
        for walk in list(going):
            if next(going[walk], None) is None:
                del going[walk]
        yield tuple(going)


def test_the_regions_of_all_games_can_be_kept(renderer: Renderer, game: AnyGame) -> None:
    """An author who writes what cannot be followed makes every page of his game slow."""
    walk = Walk(game, game.meta.seats[1], default_options(game), 1)
    for live in walk.states():
        if live.v % 7:
            continue
        for seat, player in walk.viewers:
            scene = live.scene(seat, player)
            page, unseen = Page(), _Counting()
            page.follow(renderer, scene, "en", unseen)
            assert page.regions == renderer.regions(scene, "en")
            again = _Counting()
            assert page.follow(renderer, scene, "en", again) == {}
            assert again.drawn == 0, f"{seat} at {scene.v}"
            unread = [name for name, (made, _) in page.shown.marks.items() if made is None]
            assert unread == [], f"{seat} at {scene.v}"


def test_a_page_in_another_language_or_of_another_kind_is_drawn_anew(renderer: Renderer) -> None:
    """Regions that hardly ever change are not asked for one by one: they must not stay behind."""
    walk = Walk(GAMES["lost_cities"], 2, default_options(GAMES["lost_cities"]), 1)
    scene = walk.live.scene(0, walk.viewers[0][1])
    page = Page()
    for lang in (*renderer.texts.languages, "en"):
        page.follow(renderer, scene, lang, Kept())
        assert page.regions == renderer.regions(scene, lang)
    lobby = replace(scene, view=None, prompt=None, v=-1, log=())
    page.follow(renderer, lobby, "en", Kept())
    assert page.regions == renderer.regions(lobby, "en")
