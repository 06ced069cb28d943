"""What every page must be like: nothing sticks out, all can be hit, axe finds nothing serious."""

from __future__ import annotations

import pytest
from axe_playwright_python.async_playwright import Axe

from tests.browser.hands import THUMB
from tests.browser.person import PHONE, Person

SIZES = [
    pytest.param(None, id="desktop"),
    pytest.param(PHONE, id="phone", marks=pytest.mark.faults),
]
"""Windows in which all pages of a game are looked through; the phone's in the long form."""

BAD = {"serious", "critical"}
DRAWN = {"exclude": [[".faces"]]}
"""All but the drawings that are only pointed to: they are not shown, and many."""


async def sound(person: Person, where: str, *, once: bool = False) -> None:
    """Nothing serious in light; and in dark, what can differ there: contrast."""
    page = person.page
    axe = Axe()
    found = (await axe.run(page, context=DRAWN)).response["violations"]
    wide = page.viewport_size is None or page.viewport_size["width"] > PHONE["width"]
    if wide and not once:
        await page.emulate_media(color_scheme="dark")
        only = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
        found += (await axe.run(page, context=DRAWN, options=only)).response["violations"]
        await page.emulate_media(color_scheme="light")
    bad = [
        f"{one['id']} ({one['impact']}): {node['html'][:160]} {node['failureSummary'][:300]}"
        for one in found
        if one["impact"] in BAD
        for node in one["nodes"]
    ]
    assert not bad, f"{where}:\n" + "\n".join(bad)


async def focused(person: Person, when: str) -> None:
    """The focus must be in the page, not lost to its body, whenever a state has come."""
    await person.page.wait_for_timeout(20)
    where = await person.evaluate("() => document.activeElement.tagName")
    assert where != "BODY", f"expected {person.name} to keep the focus {when}"


async def fits(person: Person, where: str) -> None:
    """Nothing sticks out of the window or of a button; what can be pressed is large enough."""
    found = await person.evaluate(_MISFITS)
    assert not found["wide"], f"{where}: wider than the window: {found['wide']}"
    small = [
        one for one in found["targets"] if one["width"] < THUMB - 0.5 or one["height"] < THUMB - 0.5
    ]
    assert not small, f"{where}: too small to hit: {small}"
    assert not found["tight"], f"{where}: narrower than their words: {found['tight']}"


_MISFITS = """() => {
    const seen = (one) => one.checkVisibility({visibilityProperty: true, opacityProperty: true})
    const wide = []
    if (document.documentElement.scrollWidth > innerWidth)
        for (const one of document.querySelectorAll('body *'))
            if (one.getBoundingClientRect().right > innerWidth + 1 && seen(one))
                wide.push(`${one.tagName}.${one.getAttribute('class')}`)
    const targets = []
    const things = 'a[href], button:enabled, summary, select, input:not([type=hidden]):enabled'
    for (const one of document.querySelectorAll(things)) {
        const target = one.type === 'radio' || one.type === 'checkbox' ? one.labels[0] : one
        const inText = one.tagName === 'A' && one.closest('p, li') && !one.matches('.button')
        const pressed = getComputedStyle(target).pointerEvents !== 'none'
        if (!seen(target) || inText || target.matches('.vh') || !pressed) continue
        const {width, height} = target.getBoundingClientRect()
        targets.push({what: target.outerHTML.slice(0, 120), width, height})
    }
    // A card that can be pressed has no words, and may have a number that hangs over its edge.
    const worded = 'button:not(:has([data-piece])), .button, .score th'
    const tight = [...document.querySelectorAll(worded)]
        .filter((one) => seen(one) && one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.outerHTML.slice(0, 120))
    return {wide, targets, tight}
}"""
