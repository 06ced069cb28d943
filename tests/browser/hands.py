"""Three ways of pressing: mouse, finger, keys. None of them cheats: what is covered or cannot be
reached cannot be pressed.
"""

from __future__ import annotations

from typing import Protocol

from playwright.async_api import Locator, expect

MOST_TABS = 80
THUMB = 44
"""The least width and height, in CSS pixels, of what a thumb should hit."""


class Hands(Protocol):
    """How somebody presses, types and chooses."""

    async def press(self, target: Locator) -> None:
        """Presses a button, a link or a choice."""

    async def type(self, field: Locator, text: str) -> None:
        """Fills a text field."""

    async def choose(self, box: Locator) -> None:
        """Marks one of several choices (a radio input, maybe hidden behind its label)."""

    async def toggle(self, box: Locator) -> None:
        """Presses a checkbox that may be hidden behind its label."""


class Mouse:
    """Clicks."""

    async def press(self, target: Locator) -> None:
        await target.click()

    async def type(self, field: Locator, text: str) -> None:
        await field.click()
        await field.fill(text)

    async def choose(self, box: Locator) -> None:
        await label_of(box).click()

    async def toggle(self, box: Locator) -> None:
        await self.choose(box)


class Finger:
    """Taps, and checks that the target is large enough for a thumb."""

    async def press(self, target: Locator) -> None:
        box = await target.bounding_box()
        assert box is not None, f"expected to see {target}"
        small = min(box["width"], box["height"])
        assert small >= THUMB, f"expected {target} to be {THUMB} px wide and high, got {box}"
        await target.tap()

    async def type(self, field: Locator, text: str) -> None:
        await field.tap()
        await field.fill(text)

    async def choose(self, box: Locator) -> None:
        await self.press(label_of(box))

    async def toggle(self, box: Locator) -> None:
        await self.choose(box)


class Keys:
    """Tab, arrows, Enter and Space. The focus must always be somewhere, and be visible."""

    async def press(self, target: Locator) -> None:
        await self.reach(target)
        kind = await target.evaluate("one => one.tagName + (one.type ?? '')")
        await target.press("Space" if kind in {"INPUTradio", "INPUTcheckbox"} else "Enter")

    async def type(self, field: Locator, text: str) -> None:
        await self.reach(field)
        await field.page.keyboard.press("Control+A")
        await field.page.keyboard.type(text)

    async def choose(self, box: Locator) -> None:
        page = box.page
        group = await box.get_attribute("name")
        for _ in range(MOST_TABS):
            if await page.evaluate("group => document.activeElement.name === group", group):
                break
            await page.keyboard.press("Tab")
        if await box.is_checked() is False:
            await page.keyboard.press("Space")
        for _ in range(MOST_TABS):
            if await box.is_checked():
                await expect(box).to_be_focused()
                await self._visible(label_of(box) if await _unseen(box) else box)
                return
            await page.keyboard.press("ArrowRight")
        raise AssertionError(f"expected arrows to reach {box}")

    async def toggle(self, box: Locator) -> None:
        await self.press(box)

    async def reach(self, target: Locator) -> None:
        """Tabs to something; its focus must be seen."""
        handle = await target.element_handle()
        page = target.page
        for _ in range(MOST_TABS):
            if await page.evaluate("one => document.activeElement === one", handle):
                await self._visible(label_of(target) if await _unseen(target) else target)
                return
            await page.keyboard.press("Tab")
        raise AssertionError(f"expected Tab to reach {target}")

    async def _visible(self, target: Locator) -> None:
        drawn = await target.evaluate(_FOCUS)
        assert drawn["outline"] >= 2, f"expected a visible focus on {target}, got {drawn}"
        assert drawn["inside"], f"expected the focus inside the window at {target}, got {drawn}"


async def _unseen(box: Locator) -> bool:
    return bool(await box.evaluate("one => one.offsetWidth < 4"))


def label_of(box: Locator) -> Locator:
    """Returns the label that stands for a choice on the page."""
    return box.locator("xpath=following-sibling::label[1] | ancestor::label[1]").first


_FOCUS = """one => {
    const style = getComputedStyle(one), box = one.getBoundingClientRect()
    return {
        outline: style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth),
        inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    }
}"""
