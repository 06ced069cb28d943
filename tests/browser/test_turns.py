"""Being told that it is my turn: by a tone, by a notification, and why not on plain http."""

from __future__ import annotations

import asyncio

import orjson
from playwright.async_api import Browser as WholeBrowser
from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.person import HOUSE_NAME, Person
from tests.browser.tables import running
from tests.notify.pushservice import Browser
from tests.servers import Server

TURN, MOVE = [659, 880], [330]
"""The tones of static/sound.js, in Hz."""
LISTEN = """(() => {
    window.heard = []
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (...all) {
        window.heard.push(Math.round(this.frequency.value))
        return start.apply(this, all)
    }
})()"""
LOOK_AWAY = """() => {
    Object.defineProperty(document, 'hidden', {value: true, configurable: true})
    document.dispatchEvent(new Event('visibilitychange'))
}"""
COME_BACK = """() => {
    delete document.hidden
    document.dispatchEvent(new Event('visibilitychange'))
}"""
SHOWN = """async () => {
    const worker = await navigator.serviceWorker.getRegistration('/')
    const all = await worker.getNotifications()
    return all.map(({title, body, data}) => [title, body, data.path])
}"""
SUBSCRIBE = """() => {
    const wire = %s
    PushManager.prototype.subscribe = async ({applicationServerKey}) => {
        if (applicationServerKey.length !== 87) throw new Error('no key')
        return {endpoint: wire.endpoint, toJSON: () => wire}
    }
}"""
"""Stands for the browser's push service, which none of our tests can reach."""
HOSTILE = "<svg/onload=alert(1)>"


async def heard(*tabs: Person) -> list[int]:
    """Returns the tones that were played in these tabs since they were loaded."""
    return [tone for tab in tabs for tone in await tab.evaluate("() => window.heard")]


async def round_of(ann: Person, bo: Person) -> None:
    """Has both take a turn, and waits until Bo is asked again."""
    await bo.takes_turn()
    await ann.takes_turn()
    await bo.ask.wait_for()


async def test_one_tone_when_my_turn_comes_after_a_press_until_it_is_switched_off(
    meet: Meet,
) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    await bo.context.add_init_script(LISTEN)
    await running(ann, bo)
    await ann.takes_turn()
    await bo.ask.wait_for()
    assert await heard(bo) == [], "nothing before the first press, not even a warning"
    await round_of(ann, bo)
    await bo.page.wait_for_function("() => window.heard.length >= 4")
    assert await heard(bo) == [*MOVE, *MOVE, *TURN]
    tab = await bo.another_tab()
    await tab.press(tab.page.locator("#story summary"))
    await bo.page.bring_to_front()
    await round_of(ann, bo)
    await tab.ask.wait_for()
    await asyncio.sleep(0.3)
    assert sorted(await heard(bo, tab)) == sorted([*MOVE, *MOVE, *TURN] * 2)
    before = await heard(bo, tab)
    await bo.press(bo.page.locator("summary", has_text="Menu"))
    await bo.hands.toggle(bo.page.locator("[data-sound]"))
    await round_of(ann, bo)
    await tab.ask.wait_for()
    await asyncio.sleep(0.3)
    assert await heard(bo, tab) == before
    await bo.page.reload()
    await bo.press(bo.page.locator("summary", has_text="Menu"))
    await expect(bo.page.locator("[data-sound]")).not_to_be_checked()


async def test_a_notification_while_the_page_is_out_of_sight_or_closed(
    whole_chromium: WholeBrowser, meet: Meet, house: Server
) -> None:
    ann, bo = await meet(HOSTILE), await meet("Bo")
    await bo.context.grant_permissions(["notifications"], origin=bo.url)
    table = await running(ann, bo)
    note = ["Your turn · Lost Cities", f"With {HOSTILE}", f"/r/{table.code}"]
    await bo.press(bo.page.locator("summary", has_text="Menu"))
    box, said = bo.page.locator("[data-tell]"), bo.page.locator("[data-said]")
    bo.troubles.expect("support the Push API in incognito mode")
    await bo.hands.toggle(box)
    await expect(said).to_contain_text("no way to tell you once it is closed")
    await bo.hands.toggle(box)
    await expect(said).to_be_empty()
    wire = Browser("https://fcm.googleapis.com/fcm/send/bo").wire
    await bo.evaluate(SUBSCRIBE % orjson.dumps(wire).decode())
    await bo.hands.toggle(box)
    await expect(said).to_contain_text("On, also while no page is open")
    await bo.page.keyboard.press("Escape")
    await bo.evaluate(LOOK_AWAY)
    await ann.takes_turn()
    await bo.page.wait_for_function(f"async () => (await ({SHOWN})()).length === 1")
    assert await bo.evaluate(SHOWN) == [note]
    await bo.evaluate(COME_BACK)
    await bo.page.wait_for_function(f"async () => (await ({SHOWN})()).length === 0")
    await round_of(ann, bo)
    assert await bo.evaluate(SHOWN) == [], "the page is in sight"
    # A push, as the browser hands it to our script when its push service has brought one.
    line = await bo.context.new_cdp_session(bo.page)
    worker: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def updated(told: dict[str, list[dict[str, str]]]) -> None:
        for one in told["registrations"]:
            if not worker.done():
                worker.set_result(one["registrationId"])

    line.on("ServiceWorker.workerRegistrationUpdated", updated)
    await line.send("ServiceWorker.enable")
    push = {
        "origin": bo.url,
        "registrationId": await worker,
        "data": orjson.dumps(
            dict(zip(("title", "body", "path"), note, strict=True)) | {"tag": table.code}
        ).decode(),
    }
    await line.send("ServiceWorker.deliverPushMessage", push)
    await asyncio.sleep(0.5)
    assert await bo.evaluate(SHOWN) == [], "a page of the house is in sight"
    await bo.page.goto("about:blank")
    await line.send("ServiceWorker.deliverPushMessage", push)
    await asyncio.sleep(0.5)
    await bo.page.goto("/games")
    assert await bo.evaluate(SHOWN) == [note]


async def test_plain_http_says_why_there_are_no_notifications(meet: Meet, house: Server) -> None:
    ann = await meet("Ann", url=f"http://{HOUSE_NAME}:{house.port}")
    await ann.opens_room()
    await ann.page.goto("/me")
    await expect(ann.page.locator("[data-said]")).to_contain_text("need an address with https")
    await expect(ann.page.locator("[data-tell]")).to_be_disabled()
    await ann.hands.toggle(ann.page.locator("[data-sound]"))
    await ann.page.reload()
    await expect(ann.page.locator("[data-sound]")).not_to_be_checked()
