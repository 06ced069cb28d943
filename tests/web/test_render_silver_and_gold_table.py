"""The table of Silver & Gold: whose maps they are, which ones, and what they are worth."""

from __future__ import annotations

import re

import pytest

from app.games.silver_and_gold.maps import MAPS
from app.realtime.scene import Scene
from app.web.render import Renderer
from tests.games.silver_and_gold.positions import has, position
from tests.web.silver_scenes import NAMES, ONE, at, games


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(ONE)


def table() -> Scene:
    """Seat 0 among two others, who have completed maps of one colour, with seals and without."""
    others = (
        has(3, 42, completed=(1, 4, 5, 25, 47)),
        has(37, None, completed=(46,)),
    )
    return at(position(has(14, 15, completed=(16, 17)), *others), 0)


def sheet(renderer: Renderer, scene: Scene, seat: int) -> str:
    return renderer.regions(scene, "en")[f"sheet-{seat}"]


def test_every_sheet_but_my_own_says_whose_it_is(renderer: Renderer) -> None:
    now = games(4, 4)[40]
    for me in (0, 2, None):
        for seat in range(4):
            drawn = sheet(renderer, now.scene(me), seat)
            named = re.findall(r'<p class="whose" aria-hidden="true">(.*?)</p>', drawn)
            assert [re.sub("<[^>]*>", "", one) for one in named] == [NAMES[seat]] * (seat != me)


def test_my_own_chip_is_marked_as_mine(renderer: Renderer) -> None:
    drawn = renderer.regions(table(), "en")
    assert [seat for seat in range(3) if "(you)" in drawn[f"who-{seat}"]] == [0]


def test_no_two_maps_have_the_same_name_and_each_shows_its_number(renderer: Renderer) -> None:
    facts = {"map": 1, "maps": sorted(MAPS)}
    sentence = renderer.refusal("silver_and_gold", "not_your_map", facts, "en")
    names = sentence.rstrip(".").partition(": ")[2].split(", ")
    assert len(set(names)) == len(names) == len(MAPS)
    drawn = "".join(renderer.regions(games(4, 4)[40].scene(0), "en").values())
    pieces = re.findall(r'class="map[^"]*" (?:data-map="\d+" )?data-piece="m(\d+)">(.*?)</', drawn)
    assert len(pieces) >= 8
    shown = re.findall(r'data-piece="m(\d+)"><span class="band".*?№(\d+)<', drawn, re.DOTALL)
    assert len(shown) == len(pieces)
    assert all(number == printed for number, printed in shown)


def test_the_seals_of_others_are_shown_before_their_maps_are_complete(renderer: Renderer) -> None:
    minis = sheet(renderer, table(), 1).partition('<ul class="aside"')[0]
    assert re.findall(r'<span class="seal m-(\w+)" aria-hidden="true">\+(\d)', minis) == [
        ("grey", "1")
    ]


def test_completed_maps_of_others_lie_in_one_chip_for_each_colour(renderer: Renderer) -> None:
    laid = sheet(renderer, table(), 1).partition('<ul class="aside"')[2]
    chips = re.findall(r'<li class="laid m-(\w+)">(.*?)</li>', laid, re.DOTALL)
    assert [name for name, _ in chips] == ["grey", "green", "purple"]
    counts = [re.findall(r"<b aria-hidden=\"true\">\W(\d+)<", chip) for _, chip in chips]
    assert counts == [["1"], ["1"], ["3"]]
    seals = [re.findall(r'class="seal m-(\w+)"', chip) for _, chip in chips]
    assert seals == [[], ["purple"], ["orange"]]
    assert "purple map no. 4, 14 points." in chips[2][1]


def test_at_the_end_my_own_unfinished_maps_are_shown_like_those_of_the_others(
    renderer: Renderer,
) -> None:
    now = games(2, 2)[-1]
    for me in range(2):
        drawn = renderer.regions(now.scene(me), "en")
        view = now.scene(me).view or {}
        own = {held["map"] for held in view["players"][me]["maps"] if held}
        shown = re.findall(r'data-map="(\d+)" data-piece="m(\d+)"', drawn["maps"])
        assert own
        assert {int(number) for number, _ in shown} == own
        for words in ("<form", "<button", "<input", "Arrow keys", 'aria-describedby="keys"'):
            assert words not in drawn["maps"]
