"""Silver & Gold by keyboard, by finger on a small phone; every stage looked over by axe."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.hands import THUMB, Finger, Keys
from tests.browser.looks import fits, focused, sound
from tests.browser.person import DESKTOP, PHONE
from tests.browser.silver_person import STILL, Cell, Marker, Place, seated
from tests.servers import Server

WIDTHS = (320, 360, 480, 640, 768, 1024, 1280)


async def test_by_keyboard_alone(meet: Meet, server: Server) -> None:
    crew = await (await seated(meet, server, "bado-keli-mofu-sata", {}, {}, secret=1)).opened()
    ann, bo = crew.markers
    ann.who.hands, keys = Keys(), ann.page.keyboard
    await ann.keeps()
    await bo.keeps()
    await crew.comes("ell4")
    await focused(ann.who, "when a turn begins")
    await ann.who.hands.reach(ann.page.locator("#own"))
    await expect(ann.page.locator("#choice")).to_have_attribute("aria-live", "polite")
    there = {_form(one) for one in await _on_the_same_map(ann)}
    forms = {_form(await ann.chosen())}
    for key in "rrrfrrr":
        before = await ann.page.locator("#choice").text_content()
        await keys.press(key)
        forms.add(_form(await ann.chosen()))
        assert await ann.page.locator("#choice").text_content() != before, "what changed is told"
    assert forms == there, "turned and mirrored it is in every form that fits there"
    await _walks(ann)
    whole = await ann.places(whole=True)
    seen = []
    for _ in whole:
        seen.append(await ann.chosen())
        await keys.press("n")
    assert {one.value for one in seen} == {one.value for one in whole}
    assert await ann.chosen() == seen[0], "after the last one comes the first one"
    await keys.press("p")
    assert await ann.chosen() == seen[-1]
    await keys.press("s")
    single = await ann.chosen()
    assert not single.whole
    while not single.brings.startswith("x"):
        await keys.press("n")
        single = await ann.chosen()
    await ann.answers(None)
    assert await ann.fresh() == {(single.map, *single.cells)}
    await focused(ann.who, "after a mark")
    await ann.who.hands.reach(ann.page.locator("#own"))
    await keys.press("ArrowDown")
    await ann.answers(None)
    await keys.press("Control+z")
    await ann.page.locator('form.ask input[value="extra"]').wait_for(state="attached")
    await focused(ann.who, "after a mark was taken back")
    await ann.done()
    await bo.done()
    await expect(ann.page.locator("#r-speech")).to_contain_text("Your turn.")
    await focused(ann.who, "in the next turn")


async def test_by_finger_on_a_small_phone(meet: Meet, server: Server) -> None:
    """Every place can be reached by tapping squares of it; a corner's missing one is not needed."""
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    crew = await seated(meet, server, "bado-keli-mofu-sate", phone, {}, secret=1)
    await crew.comes("corner3_a")
    ann, bo = (await crew.opened()).markers
    ann.who.hands = Finger()
    await fits(ann.who, "a pattern is to be marked")
    first, there = await ann.chosen(), await _on_the_same_map(ann)
    squares = sorted({cell for place in there for cell in place.cells})
    for cell in squares:
        await ann.points_at(first.map, cell)
        assert cell in (await ann.chosen()).cells, "what is tapped is covered"
    over = [place for place in there if squares[-1] in place.cells]
    seen = set()
    for _ in over:
        seen.add((await ann.chosen()).value)
        await ann.points_at(first.map, squares[-1])
    assert seen == {place.value for place in over}, "tapped again, it goes on to the next place"
    await _square_is_large(ann)
    for name in ("turn", "mirror"):
        before = await ann.page.locator("#choice").text_content()
        await ann.who.press(ann.tool(name))
        assert await ann.page.locator("#choice").text_content() != before
    await ann.answers(ann.mark)
    await ann.who.press(ann.who.button("Take back"))
    await ann.mark.wait_for()
    await ann.who.press(ann.tool("one"))
    place = next(one for one in await ann.places(whole=False) if one.brings.startswith("x"))
    await ann.points_at(place.map, *place.cells)
    assert await ann.chosen() == place
    await ann.answers(ann.mark)
    await fits(ann.who, "an extra is owed")
    place = (await ann.places())[-1]
    await ann.points_at(place.map, *place.cells)
    assert await ann.chosen() == place
    await ann.answers(ann.mark)
    await fits(ann.who, "waiting")
    await bo.done()
    await ann.mark.wait_for()


@pytest.mark.faults
async def test_axe_finds_nothing_and_nothing_sticks_out(meet: Meet, server: Server) -> None:
    crew = await (await seated(meet, server, "bado-keli-mofu-sati", {}, {})).opened()
    ann, bo = crew.markers
    eve = await meet("Eve", **STILL)
    await eve.follows(crew.link)
    await ann.who.hands.toggle(ann.page.locator("input[name=maps]").first)
    await sound(ann.who, "maps are to be kept")
    await _fits_everywhere(ann, "maps are to be kept")
    await ann.page.reload()
    await ann.keeps()
    await bo.keeps()
    await ann.kind()
    await ann.who.press(ann.tool("next"))
    await sound(ann.who, "a pattern is to be marked")
    await sound(eve, "spectator")
    await _fits_everywhere(ann, "a pattern is to be marked")
    await ann.done()
    await sound(ann.who, "waiting")
    await crew.takes_a_map(0)
    await ann.who.hands.choose(ann.page.locator("input[name=map]").last)
    await sound(ann.who, "a map is to be taken")
    await _fits_everywhere(ann, "a map is to be taken")
    await crew.plays_on(5, 1)
    await ann.who.result.wait_for()
    await sound(ann.who, "the end")
    await _fits_everywhere(ann, "the end")


async def test_a_finger_drags_the_pattern_and_scrolls_beside_it(meet: Meet, server: Server) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    crew = await seated(meet, server, "bado-keli-mofu-satu", phone, {}, secret=1)
    await crew.comes("corner3_a")
    ann = (await crew.opened()).markers[0]
    first = await ann.chosen()
    like = [one for one in await _on_the_same_map(ann) if _form(one) == _form(first)]
    other = max(like, key=lambda one: min(one.cells))
    assert other != first
    start, end = [await _in_pixels(ann, min(one.cells)) for one in (first, other)]
    await _drags(ann, start, end)
    assert await ann.chosen() == other
    assert await ann.who.evaluate("() => scrollY") == 0, "a drag of the pattern scrolls nothing"
    sea = await ann.page.locator(".silver .worths").bounding_box()
    assert sea
    await _drags(ann, (sea["x"] + 5, sea["y"] + 9), (sea["x"] + 5, sea["y"] - 80))
    assert await ann.who.evaluate("() => scrollY") > 0, "elsewhere a finger scrolls"
    assert await ann.chosen() == other


async def _in_pixels(marker: Marker, cell: Cell) -> tuple[float, float]:
    """Returns the middle of a square of the map of the chosen place, in the window."""
    spot = await marker.page.locator("#own .at .island").evaluate(
        """(one, [row, column]) => {
            const box = one.viewBox.baseVal, at = one.getBoundingClientRect()
            const scale = at.width / box.width
            return [at.left + (column * 44 + 22 - box.x) * scale, at.top + (row * 44 + 22) * scale]
        }""",
        list(cell),
    )
    return spot[0], spot[1]


async def _drags(marker: Marker, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Moves a finger over the glass in a few steps."""
    line = await marker.who.context.new_cdp_session(marker.page)

    async def touch(kind: str, *points: dict[str, float]) -> None:
        await line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    await touch("touchStart", {"x": start[0], "y": start[1]})
    for step in range(1, 9):
        x, y = (a + (b - a) * step / 8 for a, b in zip(start, end, strict=True))
        await touch("touchMove", {"x": x, "y": y})
        await marker.page.wait_for_timeout(20)
    await touch("touchEnd")
    await line.detach()


def _form(place: Place) -> frozenset[Cell]:
    """Returns the squares of a place moved to the top left."""
    top, left = min(row for row, _ in place.cells), min(column for _, column in place.cells)
    return frozenset((row - top, column - left) for row, column in place.cells)


async def _on_the_same_map(marker: Marker) -> list[Place]:
    """Returns the places for the pattern on the map of the chosen one."""
    number = (await marker.chosen()).map
    return [place for place in await marker.places(whole=True) if place.map == number]


async def _walks(marker: Marker) -> None:
    """Each arrow key goes to a place that lies that way, if there is one."""
    moved = 0
    for key, axis, sign in (
        ("ArrowDown", 0, 1),
        ("ArrowRight", 1, 1),
        ("ArrowUp", 0, -1),
        ("ArrowLeft", 1, -1),
    ):
        before = await marker.chosen()
        await marker.page.keyboard.press(key)
        after = await marker.chosen()
        if after.map == before.map and after != before:
            way = [sum(cell[axis] for cell in one.cells) for one in (before, after)]
            assert (way[1] - way[0]) * sign > 0, f"{key}: {before.value} to {after.value}"
            moved += 1
    assert moved >= 2


async def _square_is_large(marker: Marker) -> None:
    wide = await marker.page.locator("#own .island").first.evaluate(
        "one => one.getBoundingClientRect().width / one.viewBox.baseVal.width * 44"
    )
    assert wide >= THUMB - 0.5, f"a square is {wide} px wide"


async def _fits_everywhere(marker: Marker, where: str) -> None:
    for width in WIDTHS:
        await marker.page.set_viewport_size({"width": width, "height": 740})
        await fits(marker.who, f"{where}, {width} px")
    await marker.page.set_viewport_size(DESKTOP)
