"""What Splendor's page looks like while things change: what travels, what opens, what stays put."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Locator, ViewportSize, expect

from tests.browser.conftest import Meet
from tests.browser.hands import Finger, Keys
from tests.browser.looks import fits, focused, sound
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.splendor_likely import four, shared
from tests.browser.splendor_person import STILL, Player, seated
from tests.browser.splendor_plan import Planned, blocked, with_nobles
from tests.servers import Server

SMALL: ViewportSize = {"width": 320, "height": 640}
LAPTOP: ViewportSize = {"width": 1024, "height": 768}
TABLET: ViewportSize = {"width": 768, "height": 1024}
LOW: ViewportSize = {"width": 768, "height": 900}
RECORD_TRAVELS = """
window.travels = []
const pieces = () => [...document.querySelectorAll('[style*="view-transition-name"]')]
    .map((one) => [one.style.viewTransitionName, one.dataset.piece]).sort()
const start = document.startViewTransition
document.startViewTransition = function (update) {
    const before = pieces()
    return start.call(document, () => {
        update()
        const after = new Map(pieces())
        window.travels.push(...before.map(([name, piece]) => `${piece} ${after.get(name)}`))
    })
}
"""


@pytest.mark.faults
async def test_tokens_travel_between_bank_and_hands(meet: Meet, server: Server) -> None:
    plan = with_nobles("bado-keli-mofu-tadi")
    room = await seated(meet, server, plan)
    for player in room.players:
        await player.page.add_init_script(RECORD_TRAVELS)
    await room.opened()
    for number in sorted(plan.first(kind) for kind in ("take three", "buy", "return")):
        await room.goes_on(number)
        seat = plan.moves[number].seat
        for player in room.players:
            await player.page.locator(f'.panel[data-place="s{seat}"] .turn').wait_for()
            await player.who.evaluate("() => { window.travels = [] }")
        await room.pressed(number + 1)
        wanted = _moved(plan.moves[number], plan.moves[number + 1])
        assert wanted, plan.moves[number].kind
        for player in room.players:
            arrived = "wanted => wanted.every(one => window.travels.includes(one))"
            await player.page.wait_for_function(arrived, arg=wanted)


@pytest.mark.parametrize(
    ("code", "size"),
    [
        pytest.param("po", SMALL, id="small", marks=pytest.mark.faults),
        pytest.param("pa", PHONE, id="phone"),
        pytest.param("pe", TABLET, id="tablet", marks=pytest.mark.faults),
        pytest.param("pi", DESKTOP, id="desktop", marks=pytest.mark.faults),
    ],
)
async def test_the_bar_keeps_its_height_whatever_is_chosen(
    meet: Meet, server: Server, code: str, size: ViewportSize
) -> None:
    plan = with_nobles(f"bado-keli-mofu-pi{code}")
    room = await seated(meet, server, plan, at=plan.first("pay"), viewport=size, **STILL)
    mover = (await room.opened()).players[plan.moves[room.done].seat]
    waiting = room.players[mover is room.players[0]]
    await mover.who.ask.wait_for()
    bar = mover.page.locator(".bar")
    heights = {await _height(waiting.page.locator(".bar"))}
    boxes = mover.page.locator('input[type=radio][name="card"]')
    choices = kept = 0
    for box in await boxes.all():
        await mover.who.hands.choose(box)
        heights.add(await _height(bar))
        await fits(mover.who, "a chosen card")
        own = await box.evaluate("one => one.closest('#r-reserve') !== null")
        await expect(bar.get_by_role("button", name="Reserve")).to_be_visible(visible=not own)
        kept += own
        for button in await bar.locator("button, summary").all():
            await _seen_whole(button, size)
        for drawer in await bar.locator(".pays >> visible=true").all():
            choices += 1
            await drawer.locator("summary").click()
            heights.add(await _height(bar))
            await fits(mover.who, "ways to pay")
            for button in await drawer.locator("button").all():
                await _seen_whole(button, size)
            await mover.page.keyboard.press("Escape")
    assert choices, "expected a card with several payments"
    assert kept, "expected a reserved card, which cannot be reserved again"
    assert len(heights) == 1, f"the bar jumps: {sorted(heights)}"


async def test_gems_can_be_read_and_reserved_cards_are_not_under_the_bar(
    meet: Meet, server: Server
) -> None:
    plan = four("bado-keli-mofu-tepe")
    room = await (await seated(meet, server, plan, at=len(plan.moves) * 2 // 3, **STILL)).opened()
    player = room.players[0]
    for size in (PHONE, TABLET, DESKTOP):
        await player.page.set_viewport_size(size)
        lefts = "all => all.map(one => Math.round(one.getBoundingClientRect().left))"
        rows = [
            await panel.locator(".cells > span").evaluate_all(lefts)
            for panel in await player.page.locator(".panel").all()
        ]
        assert rows == [rows[0]] * 4, f"columns at {size['width']}"
        widths = "all => all.map(one => one.getBoundingClientRect().width)"
        pips = player.page.locator(".cost svg, .noble .cost svg, .cells svg")
        assert min(await pips.evaluate_all(widths)) >= 16, f"pips at {size['width']}"
    keeping, *_ = [one for one in room.players if await one.reserved()]
    await _reserved_above_the_bar(keeping)


async def test_four_need_no_scrolling_on_a_desk(meet: Meet, server: Server) -> None:
    plan = four("bado-keli-mofu-tape")
    room = await (await seated(meet, server, plan, at=len(plan.moves) * 2 // 3, **STILL)).opened()
    for player in room.players:
        for size in (DESKTOP, LAPTOP):
            await player.page.set_viewport_size(size)
            whole = "(({scrollHeight, scrollWidth}) => [scrollHeight, scrollWidth])"
            seen = await player.who.evaluate(f"() => {whole}(document.documentElement)")
            assert seen == [size["height"], size["width"]]
            bank = await player.page.locator("#r-bank").bounding_box()
            log = await player.page.locator(".side").bounding_box()
            assert bank is not None
            assert log is not None
            assert bank["x"] + bank["width"] <= log["x"], "the table lies beside the log"


@pytest.mark.parametrize("keys", [False, True], ids=["finger", "keys"])
async def test_a_rivals_reserved_cards_open_and_close(
    meet: Meet, server: Server, keys: bool
) -> None:
    plan = four("bado-keli-mofu-tope" if keys else "bado-keli-mofu-tupe")
    options = {} if keys else {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    at = len(plan.moves) * 2 // 3
    room = await (await seated(meet, server, plan, at=at, **STILL, **options)).opened()
    for player in room.players[:2]:
        player.who.hands = Keys() if keys else Finger()
        drawer = player.page.locator("details.peek").first
        summary = drawer.locator("summary")
        await player.who.press(summary)
        await expect(drawer.locator("figure").first).to_be_visible()
        await fits(player.who, "a rival's reserved cards")
        await player.who.press(drawer.get_by_role("button", name="Close"))
        await expect(drawer.locator("figure").first).to_be_hidden()
        await expect(summary).to_be_focused()
        await player.who.press(summary)
        await sound(player.who, "a rival's reserved cards", once=True)
        await player.page.keyboard.press("Escape")
        await expect(drawer.locator("figure").first).to_be_hidden()
        await expect(summary).to_be_focused()


@pytest.mark.faults
async def test_the_server_may_restart_while_tokens_are_to_be_given_back(
    meet: Meet, own_house: Server
) -> None:
    plan = with_nobles("bado-keli-mofu-tapi")
    number = plan.first("return")
    room = await seated(meet, own_house, plan, at=number, **STILL)
    mover = (await room.opened()).players[plan.moves[number].seat]
    asked = await mover.who.ask.get_attribute("id")
    sentence = await mover.who.ask.locator(".say").inner_text()
    for player in room.players:
        player.who.troubles.expect("ERR_CONNECTION_REFUSED", "WebSocket connection to")
    own_house.kill()
    await expect(mover.page.locator("#wire")).to_contain_text("No connection")
    own_house.start()
    await mover.who.is_live()
    assert await mover.who.ask.get_attribute("id") == asked, "the same question"
    await mover.page.reload()
    await mover.who.is_live()
    assert await mover.who.ask.get_attribute("id") == asked
    assert await mover.who.ask.locator(".say").inner_text() == sentence
    await room.pressed(number + 1)


async def test_the_sheets_of_a_shared_victory_and_of_a_blocked_game(
    meet: Meet, server: Server
) -> None:
    async def long(name: str, **options: Any) -> Person:
        return await meet(name[0] * 24, **options)

    for plan, why in (
        (shared("bado-keli-mofu-tapo"), "reached 10 points, and the round was played to its end."),
        (blocked("bado-keli-mofu-tapu"), "Nobody could move any more"),
    ):
        room = await (await seated(long, server, plan, at=len(plan.moves) - 1, **STILL)).opened()
        last = room.players[plan.moves[-1].seat]
        await last.who.ask.wait_for()
        await sound(last.who, f"before: {why}", once=True)
        await room.pressed(len(plan.moves))
        for player in room.players:
            sheet = await player.sheet()
            assert [row[1:] for row in sheet] == [sheet[0][1:]] * 2, "equal in all that counts"
            await expect(player.who.result.get_by_role("heading").first).to_have_text("A draw!")
            await expect(player.who.result).to_contain_text(why)
            await expect(player.who.result.locator(".place.first")).to_have_count(2)
        await focused(last.who, "at the end")
        await sound(last.who, why)
        await last.page.set_viewport_size(PHONE)
        await fits(last.who, why)


def _moved(before: Planned, after: Planned) -> list[str]:
    """What must travel in a move, as "from to": tokens between the bank and the mover's hand."""
    seat, found = before.seat, []
    hands = [planned.state.players[seat].tokens for planned in (before, after)]
    for letter, had, has in zip("DSEROG", *hands, strict=True):
        if has > had:
            found.append(f"b{letter} {seat}{letter}")
        elif has < had:
            found.append(f"{seat}{letter} b{letter}")
    return found


async def _reserved_above_the_bar(player: Player) -> None:
    """At once on a tablet; where the page is longer than the window, once they have the focus."""
    last = player.page.locator("#r-reserve .slot").last
    for size in (TABLET, LOW, PHONE):
        await player.page.set_viewport_size(size)
        if size == PHONE:
            await last.locator("input").focus()
        card = await last.locator(".card").bounding_box()
        bar = await player.page.locator(".bar").bounding_box()
        assert card is not None
        assert bar is not None
        assert card["y"] + card["height"] <= bar["y"], f"under the bar at {size}"


async def _seen_whole(button: Locator, size: ViewportSize) -> None:
    box = await button.bounding_box()
    if box is not None:
        inside = box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
        assert inside, f"expected {await button.inner_text()} inside the window, got {box}"


async def _height(bar: Locator) -> float:
    box = await bar.bounding_box()
    assert box is not None
    return box["height"]
