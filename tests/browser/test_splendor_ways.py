"""Splendor by keyboard, by finger on a small phone, without JavaScript; axe on every stage."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.hands import Finger, Keys
from tests.browser.looks import fits, focused, sound
from tests.browser.person import PHONE
from tests.browser.splendor_person import STILL, Player, seated
from tests.browser.splendor_plan import OPTIONS, Planned, blocked, with_nobles
from tests.browser.tables import fix
from tests.servers import Server


@pytest.mark.faults
async def test_a_whole_game_by_keyboard(meet: Meet, server: Server) -> None:
    """Two take all gems, reserve unseen, give back, pass: the game ends blocked."""
    room = await (await seated(meet, server, blocked("bado-keli-mofu-tahu"), **STILL)).opened()
    for player in room.players:
        player.who.hands = Keys()
    for number, planned in enumerate(room.plan.moves):
        mover = room.players[planned.seat]
        if 9 < number < len(room.plan.moves) - 4:
            await room.goes_on(number + 1)
            continue
        await mover.who.ask.wait_for()
        if number > 1:
            await focused(mover.who, "when my turn comes")
        await room.pressed(number + 1)
        await focused(mover.who, "after my move")
    for player in room.players:
        await player.who.result.wait_for()
        await focused(player.who, "at the end")


async def test_buying_paying_with_gold_and_choosing_a_noble_by_keyboard(
    meet: Meet, server: Server
) -> None:
    plan = with_nobles("bado-keli-mofu-tahe")
    room = await (await seated(meet, server, plan, at=plan.first("pay"), **STILL)).opened()
    for player in room.players:
        player.who.hands = Keys()
    await room.pressed(plan.first("pay") + 1)
    await room.goes_on(plan.first("choose_noble") - 1)
    await room.pressed(plan.first("choose_noble") + 1)
    await focused(room.players[0].who, "after the choice")
    noble = plan.moves[plan.first("choose_noble")].move["noble"]
    panel = room.players[0].page.locator('.panel[data-place="s0"]')
    await expect(panel.locator(f'[data-piece="n{noble}"]')).to_have_count(1)


async def test_every_stage_by_finger_on_a_small_phone(meet: Meet, server: Server) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True, **STILL}
    plan = with_nobles("bado-keli-mofu-tafa")
    room = await seated(meet, server, plan, **phone)
    for player in room.players:
        player.who.hands = Finger()
    wanted = ("take three", "take two", "reserve", "reserve blind", "buy", "return", "choose_noble")
    numbers = sorted(plan.first(kind) for kind in (*wanted, "pay"))
    await room.opened()
    for number in numbers:
        await room.goes_on(number)
        await _taps(room.players[plan.moves[number].seat], plan.moves[number])
        room.done = number + 1
        if number in (numbers[0], numbers[-1]):
            for player in room.players:
                await fits(player.who, f"after move {number}")
    await room.goes_on(len(plan.moves))
    for player in room.players:
        await player.who.result.wait_for()
        await fits(player.who, "end")


@pytest.mark.faults
async def test_a_game_without_javascript(meet: Meet, server: Server) -> None:
    plan = blocked("bado-keli-mofu-tafe")
    ann, bo = [Player(await meet(name, java_script_enabled=False)) for name in ("Ann", "Bo")]
    first, second = await ann.who.remote(), await bo.who.remote()
    code = await first.opens_room("splendor", 2, **OPTIONS)
    await fix(server, code, to=plan.code, secret=plan.secret)
    await bo.who.loads(f"/r/{plan.code}")
    await bo.who.sits_down()
    await ann.who.loads(f"/r/{plan.code}")
    await ann.who.press(ann.who.button("Start the game"))
    await ann.who.main("splendor").wait_for()
    before = await first.shown(plan.code)
    ann.who.troubles.expect("422", "409")
    await ann.gems(["white", "blue"])
    await ann.who.press(ann.button(plan.moves[0].move))
    alert = ann.page.get_by_role("alert").filter(has_text="Take 3 different gems")
    await expect(alert).to_be_visible()
    assert await first.shown(plan.code) == before, "a refused move leaves no trace"
    await ann.who.loads(f"/r/{plan.code}")
    for number, planned in enumerate(plan.moves):
        player, remote = ((ann, first), (bo, second))[planned.seat]
        if planned.kind in {"take two", "pass"} or 8 <= number < 10:
            await player.who.loads(f"/r/{plan.code}")
            await player.makes(planned)
        else:
            await remote.plays(plan.code, planned.move, prompt=number)
    await bo.who.result.wait_for()
    await ann.who.loads(f"/r/{plan.code}")
    assert await ann.sheet() == await bo.sheet()


async def test_buying_and_choosing_a_noble_without_javascript(meet: Meet, server: Server) -> None:
    plan = with_nobles("bado-keli-mofu-tafi")
    room = await seated(meet, server, plan, java_script_enabled=False)
    for kind in ("pay", "buy", "reserve", "choose_noble"):
        if plan.first(kind) >= room.done:
            await room.goes_on(plan.first(kind))
            mover = room.players[plan.moves[room.done].seat]
            await mover.who.follows(room.link)
            if kind == "pay":
                await _cannot_reserve_again(mover)
                await mover.who.follows(room.link)
            await room.pressed(room.done + 1)
    assert room.done > plan.first("choose_noble")


@pytest.mark.faults
async def test_axe_finds_nothing_serious_at_any_stage(meet: Meet, server: Server) -> None:
    plan = with_nobles("bado-keli-mofu-tafo")
    stages = {
        "tokens chosen": plan.first("take three"),
        "a card chosen": plan.first("pay"),
        "return": plan.first("return"),
        "choose a noble": plan.first("choose_noble"),
    }
    room = await (await seated(meet, server, plan, **STILL)).opened()
    watching = await meet("Dan", **STILL)
    await watching.follows(room.link)
    for stage, number in sorted(stages.items(), key=lambda item: item[1]):
        await room.goes_on(number)
        player, planned = room.players[plan.moves[number].seat], plan.moves[number]
        await player.who.ask.wait_for()
        await player.prepares(planned.move, planned.payments)
        await sound(player.who, stage)
    await sound(watching, "spectator")
    await sound(room.players[1].who, "not my turn")
    await room.goes_on(len(plan.moves))
    for person in (room.players[0].who, watching):
        await person.result.wait_for()
        await sound(person, "end")


async def _taps(player: Player, planned: Planned) -> None:
    await player.who.ask.wait_for()
    await fits(player.who, f"before {planned.kind}")
    await player.prepares(planned.move, planned.payments)
    await fits(player.who, f"{planned.kind}, chosen")
    await player.confirms(planned)


async def _cannot_reserve_again(player: Player) -> None:
    """A reserved card has no button to reserve it; the key that would is answered truly."""
    box = player.page.locator("#r-reserve input").first
    await player.who.hands.choose(box)
    await expect(player.page.locator("#chosen button")).to_be_hidden()
    player.who.troubles.expect("422", "409")
    await box.press("Enter")
    alert = player.page.get_by_role("alert").filter(has_text="in your reserve already")
    await expect(alert).to_be_visible()
