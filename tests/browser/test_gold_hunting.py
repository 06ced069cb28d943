"""Gold Hunting at the browser: two people build and hunt to the end, in every way of pressing."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.gold_person import MINE, STILL, THEIRS, Claim, Digger, build, claimed, two
from tests.browser.hands import Finger, Keys
from tests.browser.looks import SIZES, fits, focused, sound
from tests.browser.person import PHONE

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


async def test_two_build_and_hunt_to_the_end(meet: Meet) -> None:
    claim = await two(meet, **STILL)
    ann, bo = claim.ann, claim.bo
    await ann.stacks(MINE)
    assert await ann.built() == MINE
    await ann.is_ready()
    await expect(ann.page.locator("#r-turn")).to_have_text("You are done. Waiting for Bo.")
    await expect(bo.page.locator(".far .chip")).to_contain_text("ready")
    await expect(ann.page.locator(".far .chip")).to_contain_text("building")
    await ann.who.press(ann.who.button("Take back"))
    await ann.ready.wait_for()
    await expect(bo.page.locator(".far .chip")).to_contain_text("building")
    assert await ann.built() == MINE, "what was built is still there to be rearranged"
    await ann.who.press(ann.piece(1, 0))
    await ann.who.press(ann.base(3))
    await ann.is_ready()
    theirs = await _mixed(bo)
    await bo.is_ready()
    stacks = [_tops("21 32 123 121"), _tops(theirs)]
    await _hunt(claim, stacks)
    sheets = [await digger.who.final_sheet() for digger in (ann, bo)]
    shown = await ann.remote.shown(claim.code)
    points = shown["view"]["points"]
    rows = {row[0]: row[1:] for row in sheets[0][1:]}
    assert rows["Pile"] == [str(one["pile"]) for one in points]
    assert rows["Rush"] == [str(one["rush"]) for one in points]
    assert rows["Total"] == [str(one["total"]) for one in points]
    assert points[0]["rush"] == 2
    assert points[1]["safe"] > 0
    assert {row[0]: row[1:][::-1] for row in sheets[1][1:]} == rows
    assert await ann.page.locator("main form.ask, main input[type=radio]").count() == 0


async def _mixed(bo: Digger) -> str:
    """Mixes several times, and each time it is another whole build."""
    builds = set()
    for _ in range(3):
        await bo.who.press(bo.action("mix"))
        await expect(bo.ready).to_be_enabled()
        builds.add(await bo.built())
        assert sorted("".join(builds).replace(" ", "")).count("3") == 2 * len(builds)
    assert len(builds) == 3
    return await bo.built()


def _tops(stacks: str) -> list[list[int]]:
    return [[int(size) for size in bars] for bars in stacks.split()]


async def _hunt(claim: Claim, stacks: list[list[list[int]]]) -> None:
    """Ann is right all the time and rushes once; Bo puts two bars into the safe, then errs."""
    diggers = (claim.ann, claim.bo)
    token = (await claim.ann.remote.shown(claim.code))["view"]["tokens"][0]["number"]
    rushed = saved = False
    for turn in range(20):
        mover, target = diggers[turn % 2], stacks[1 - turn % 2]
        at = next(number for number, bars in enumerate(target) if bars)
        if turn % 2 == 0 and not rushed:
            at = next((n for n, bars in enumerate(target) if bars and bars[-1] == token), at)
        if sum(map(bool, target)) == 1:
            # Nothing else can be chosen: it is, on a page that has been open all the time.
            await mover.who.ask.wait_for()
            await expect(mover.mountain(at)).to_be_checked()
        top = target[at].pop()
        if turn % 2 == 0 and not rushed and top == token:
            rushed = True
            await mover.digs(at, "rush")
        elif turn % 2 and turn > 3 and not saved:
            saved = True
            await mover.saves()
            await expect(mover.page.locator("form.ask .say")).to_contain_text("Now dig.")
            await mover.digs(at, str(top))
        else:
            wrong = turn % 2 and saved
            await mover.digs(at, str(top % 3 + 1 if wrong else top))
            line = await mover.told()
            assert ("wrong" if wrong else "right!") in line
        if turn == 0:
            await _one_lift_is_seen_by_both(claim, at, top)
    assert rushed
    assert saved


async def _one_lift_is_seen_by_both(claim: Claim, at: int, top: int) -> None:
    letter = "ABCD"[at]
    for digger, words in ((claim.ann, "You"), (claim.bo, "Ann")):
        await expect(digger.page.locator(".gh-last")).to_contain_text(
            f"{words} at mountain {letter}"
        )
        await expect(digger.page.locator(".gh-last")).to_contain_text(f"lifted {top}")
        await expect(digger.page.locator("#r-speech")).to_contain_text(f"mountain {letter}")
    mine = claim.bo.page.locator(f'.near [data-mountain="1{at}"]')
    await expect(mine).to_have_class(re.compile(r"\bnew\b"))


async def test_bars_are_dragged_and_rearranged(meet: Meet) -> None:
    claim = await two(meet)
    ann = claim.ann
    sent: list[str] = []
    ann.page.on("websocket", lambda line: line.on("framesent", lambda data: sent.append(str(data))))
    await ann.page.reload()
    await ann.who.is_live()
    await _drag(ann, ".gh-tray .gh-piece >> nth=9", '[data-lot="0"] .gh-base')
    assert await ann.built() == "3 - - -"
    await _drag(ann, ".gh-tray .gh-piece >> nth=0", '[data-lot="0"] .gh-base')
    assert await ann.built() == "13 - - -", "dropped below a bar, it lies below it"
    await _drag(ann, '[data-lot="0"] .gh-piece >> nth=0', '[data-lot="2"] .gh-base')
    assert await ann.built() == "1 - 3 -"
    await _drag(ann, '[data-lot="2"] .gh-piece', ".gh-tray")
    assert await ann.built() == "1 - - -"
    await _drag(ann, '[data-lot="0"] .gh-piece', "header")
    assert await ann.built() == "1 - - -", "dropped beside, it goes back where it was"
    await ann.who.press(ann.loose(2))
    await ann.who.press(ann.piece(0, 0))
    assert await ann.built() == "12 - - -", "pressed on a bar, it goes on top of that bar"
    await expect(ann.page.locator("#missing")).to_have_text("Left to place: 8. Empty: B, C, D.")
    await expect(ann.ready).to_be_disabled()
    await ann.page.reload()
    await ann.who.is_live()
    assert await ann.built() == "12 - - -", "what is half built outlives a reload"
    await ann.who.press(ann.action("clear"))
    assert await ann.built() == "- - - -"
    await expect(ann.action("clear")).to_be_disabled()
    await ann.who.press(ann.action("back"))
    assert await ann.built() == "12 - - -", "what was cleared can be had back"
    await ann.who.press(ann.action("mix"))
    await ann.page.keyboard.press("Control+z")
    assert await ann.built() == "12 - - -", "what was mixed away can be had back"
    await expect(ann.action("back")).to_be_disabled()
    assert not [frame for frame in sent if "build" in frame], "nothing is sent before it is ready"


async def _drag(digger: Digger, what: str, to: str) -> None:
    await expect(digger.page.locator(what)).to_be_visible()
    await digger.page.wait_for_timeout(200)  # the bar before is on its way yet
    start = await digger.page.locator(what).bounding_box()
    end = await digger.page.locator(to).bounding_box()
    assert start
    assert end
    mouse = digger.page.mouse
    await mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    await mouse.down()
    await mouse.move(end["x"] + 20, end["y"] + 12, steps=6)
    await mouse.up()


async def test_by_keyboard_alone(meet: Meet) -> None:
    claim = await two(meet, **STILL)
    ann, bo = claim.ann, claim.bo
    ann.who.hands = Keys()
    keys = ann.page.keyboard
    await ann.who.hands.reach(ann.loose(1))
    for key in "aabbccddab":
        focus = ann.page.locator(".gh-tray .gh-piece").first
        await ann.who.hands.reach(focus)
        await keys.press(key)
        await focused(ann.who, "after a bar was placed")
    await expect(ann.page.locator("#said")).to_contain_text("mountain B")
    assert await ann.built() == "113 113 22 22"
    await keys.press("ArrowDown")
    assert await ann.built() == "113 131 22 22"
    await keys.press("ArrowRight")
    await keys.press("ArrowUp")
    assert await ann.built() == "113 11 223 22"
    await keys.press("Delete")
    assert await ann.built() == "113 11 22 22"
    await ann.who.press(ann.loose(3))
    await ann.who.press(ann.base(1))
    assert await ann.built() == "113 113 22 22"
    await ann.is_ready()
    await keys.press("Control+z")
    await ann.ready.wait_for()
    await ann.is_ready()
    await bo.remote.plays(claim.code, build(THEIRS))
    await ann.page.locator(".gh-calls").wait_for()
    await ann.who.hands.choose(ann.mountain(1))
    await keys.press("Enter")
    await expect(ann.call("1")).to_be_focused()
    await ann.answers(ann.call("2"))
    await focused(ann.who, "after a dig")
    assert "right!" in await ann.told()


async def test_by_touch_on_a_phone(meet: Meet) -> None:
    claim = await claimed(await meet("Ann", **TOUCH, **STILL), await meet("Bo", **TOUCH, **STILL))
    ann, bo = claim.ann, claim.bo
    ann.who.hands = bo.who.hands = Finger()
    await fits(ann.who, "an empty building site")
    await ann.stacks("3")
    await _swipe(ann, '[data-lot="0"] .gh-piece', '[data-lot="3"] .gh-base')
    assert await ann.built() == "- - - 3"
    await ann.who.press(ann.action("clear"))
    await expect(ann.page.locator(".gh-tray .gh-piece")).to_have_count(10)
    await ann.stacks("21 321 123 12")
    await fits(ann.who, "a full building site")
    await ann.is_ready()
    await fits(ann.who, "waiting")
    await bo.who.press(bo.action("mix"))
    await bo.is_ready()
    await ann.page.locator(".gh-calls").wait_for()
    await fits(ann.who, "hunting")
    await ann.digs(0, "1")
    await bo.digs(1, "1")
    assert "right!" in await bo.told(), "the top of B is a 1"
    await fits(bo.who, "after a dig")
    await ann.who.ask.wait_for()
    bar = await ann.page.locator(".bar").bounding_box()
    own = await ann.page.locator(".near .gh-hills").bounding_box()
    assert bar
    assert own
    assert own["y"] + own["height"] <= bar["y"] + 1, "nothing is hidden behind the bar"


async def _swipe(digger: Digger, what: str, to: str) -> None:
    """Drags with one finger."""
    start = await digger.page.locator(what).bounding_box()
    end = await digger.page.locator(to).bounding_box()
    assert start
    assert end
    line = await digger.who.context.new_cdp_session(digger.page)
    x, y = start["x"] + 20, start["y"] + 20
    across, down = end["x"] + 20 - x, end["y"] + 15 - y
    points = [{"x": x + across * step / 5, "y": y + down * step / 5} for step in range(6)]
    for kind, point in zip(["touchStart", *["touchMove"] * 6], [*points, points[-1]], strict=True):
        await line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        await digger.page.wait_for_timeout(60)  # faster would be a flick, which swallows a tap
    await line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await line.detach()


async def test_the_lifting_is_played_and_delays_nothing(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo", **STILL)
    claim = await (await claimed(ann, bo)).begun()
    stage = ann.page.locator(".gh-stage")
    await bo.evaluate(
        """() => new MutationObserver((all) => all.forEach(({addedNodes}) => addedNodes.forEach(
            (one) => { if (one.className === 'gh-stage') document.body.dataset.played = '' })))
            .observe(document.body, {childList: true})"""
    )
    await claim.ann.digs(2, "3")
    await expect(stage.locator(".gh-bubble")).to_contain_text("3")
    await claim.bo.digs(1, "1")
    await claim.ann.digs(2, "3")
    await expect(ann.page.locator(".gh-last")).to_contain_text("You at mountain C")
    await expect(stage).to_have_count(0)
    await expect(ann.page.locator('[data-pile="0"] .gh-bar')).to_have_count(1)
    for thing in (".gh-fact", '[data-pile="0"]', "[data-box]"):
        await expect(ann.page.locator(thing)).to_have_css("opacity", "1")
    assert await bo.evaluate("() => document.body.dataset.played === undefined")


@pytest.mark.faults
async def test_without_javascript(meet: Meet) -> None:
    claim = await two(meet, java_script_enabled=False)
    ann, bo = claim.ann, claim.bo
    fields = ann.page.locator("form.ask input[name=mountain]")
    for number, bars in enumerate(("21", "321", "123", "11")):
        await ann.who.types(fields.nth(number), bars)
    ann.who.troubles.expect("422", "409")
    await ann.who.press(ann.ready)
    note = ann.page.get_by_role("alert").filter(has_text=re.compile(r"\w"))
    await expect(note).to_contain_text("Missing: 1 bar of 2. Too many: 1 bar of 1.")
    for number, bars in enumerate(("21", "321", "123", "11")):
        await expect(fields.nth(number)).to_have_value(bars)
    await ann.who.types(fields.nth(3), "12")
    await ann.who.press(ann.ready)
    await ann.who.press(ann.who.button("Take back"))
    await ann.who.press(ann.page.locator(".gh-examples button").first)
    await expect(ann.page.locator("#r-turn")).to_contain_text("Waiting for Bo")
    await bo.who.looks_again()
    await bo.who.press(bo.page.locator(".gh-examples button").nth(1))
    await ann.who.ask.wait_for()
    await ann.who.press(ann.call("3"))
    await expect(ann.who.ask).to_be_visible()  # no mountain was chosen: the browser asks for one
    await ann.digs(1, "2")
    await bo.who.ask.wait_for()
    await expect(bo.page.locator(".gh-last")).to_contain_text("right")
    await bo.digs(3, "2")
    await ann.who.ask.wait_for()
    await ann.answers(ann.call("safe"))
    await ann.digs(1, "1")


@pytest.mark.parametrize("viewport", SIZES)
async def test_axe_finds_nothing(meet: Meet, viewport: dict[str, int] | None) -> None:
    size = STILL | ({"viewport": viewport} if viewport else {})
    claim = await two(meet, **size)
    ann, bo = claim.ann, claim.bo
    await sound(ann.who, "an empty building site")
    await ann.stacks("21")
    await ann.who.press(ann.loose(3))
    await sound(ann.who, "a bar chosen")
    await ann.remote.plays(claim.code, build(MINE))
    await sound(ann.who, "waiting")
    await bo.remote.plays(claim.code, build(THEIRS))
    await ann.page.locator(".gh-calls").wait_for()
    await sound(ann.who, "my turn")
    for mover, mountain, action in ((ann, 1, "2"), (bo, 1, "1"), (ann, 1, "3"), (bo, 1, "3")):
        await mover.digs(mountain, action)
    await ann.who.ask.wait_for()
    await ann.who.hands.choose(ann.mountain(2))
    await sound(ann.who, "a mountain chosen, a pile at risk")
    await ann.saves()
    await sound(ann.who, "after the safe")
    await ann.digs(2, "1")
    cy = await meet("Cy", **size)
    await cy.follows(f"{cy.url}/r/{claim.code}")
    await sound(cy, "spectator")
    for turn in range(15):
        remote = (bo, ann)[turn % 2].remote
        legal = (await remote.shown(claim.code))["prompt"]["legal"]
        await remote.plays(claim.code, legal[0])
    await ann.who.result.wait_for()
    await sound(ann.who, "the end")
