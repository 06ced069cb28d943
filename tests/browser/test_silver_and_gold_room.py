"""Silver & Gold on small and wide screens: what is needed for a turn is seen without scrolling."""

from __future__ import annotations

from playwright.async_api import Locator, expect

from tests.browser.conftest import Meet
from tests.browser.silver_person import seated
from tests.servers import Server


async def test_four_late_in_the_game_fit_above_the_bar(meet: Meet, server: Server) -> None:
    crew = await seated(meet, server, "bado-keli-mofu-sabi", {}, {}, {}, {})
    await crew.plays_on(4, 4)
    page = (await crew.opened()).markers[0].page
    bar = await _top(page.locator(".bar"))
    for part in (".rivals .panel .aside", ".display .map", "#own .map"):
        for one in await page.locator(part).all():
            assert await _bottom(one) <= bar, part
    await expect(page.locator("#keys")).to_be_visible()
    for word in ("Turn", "Mirror", "Previous", "Next", "One square"):
        box = await page.locator(".tools .word", has_text=word).first.bounding_box()
        assert box
        assert box["width"] > 15, f"{word} can be read"


async def test_on_a_phone_held_across_both_maps_are_seen(meet: Meet, server: Server) -> None:
    across = {"viewport": {"width": 740, "height": 360}, "has_touch": True, "is_mobile": True}
    crew = await seated(meet, server, "bado-keli-mofu-sabo", across, {}, {}, {})
    await crew.plays_on(1, 1)
    page = (await crew.opened()).markers[0].page
    bar = await _top(page.locator(".bar"))
    assert bar > 290, "the bar is flat"
    for one in await page.locator("#own .map").all():
        assert await _bottom(one) <= bar


async def test_on_a_phone_the_chips_have_two_lines_at_most(meet: Meet, server: Server) -> None:
    phone = {"viewport": {"width": 360, "height": 740}}
    crew = await seated(meet, server, "bado-keli-mofu-sabu", phone, {})
    await crew.plays_on(1, 1)
    page = (await crew.opened()).markers[0].page
    tops = []
    for chip in await page.locator(".silver .chip").all():
        tops.append(await _top(chip.locator(".points")) - await _top(chip))
        assert await _bottom(chip) - await _top(chip) < 46
    assert len(tops) == 2
    assert abs(tops[0] - tops[1]) < 2, "the start player's points stand where the others' do"
    await expect(page.locator(".chip .you")).to_be_visible()


async def _top(one: Locator) -> float:
    box = await one.bounding_box()
    assert box
    return box["y"]


async def _bottom(one: Locator) -> float:
    box = await one.bounding_box()
    assert box
    return box["y"] + box["height"]
