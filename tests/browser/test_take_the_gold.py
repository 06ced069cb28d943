"""Take the Gold at the browser: four attack each other and answer, in every way of pressing."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.hands import Finger, Keys
from tests.browser.looks import SIZES, fits, focused, sound
from tests.browser.person import PHONE
from tests.browser.take_person import STILL, Rogue, Room, seated
from tests.browser.take_plan import WANTED, all_attacks
from tests.servers import Server

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
CODE = "bado-keli-mofu-"
SAID = {
    "pirate officer": "Stopped.",
    "pirate None": "1 card stolen.",
    "two_pirates None": "2 cards stolen.",
    "kraken captain": "The kraken is sent away.",
    "kraken None": "The hand is lost:",
    "captain coin": "A coin is paid.",
    "captain None": "2 cards stolen.",
}
"""What bystanders are told of each attack and its answer."""


async def test_four_attack_and_answer_in_every_way(meet: Meet, server: Server) -> None:
    plan = all_attacks(f"{CODE}take")
    room = await (await seated(meet, server, plan, **STILL)).opened()
    for number in sorted(plan.first(what) for what in WANTED):
        await room.goes_on(number - 1)
        await room.presses()
        await _all_know_who_is_asked(room)
        await room.presses()
        await _all_know_what_came_of_it(room, number)
    for kind in ("discard", "pass"):
        if plan.first(kind) >= room.done:
            await room.goes_on(plan.first(kind))
            await room.presses()
    await room.goes_on(len(plan.moves) - 1)
    await room.presses()
    won = plan.end.won
    assert won is not None
    for seat, rogue in enumerate(room.rogues):
        await rogue.who.result.wait_for()
        winner = "You win!" if seat == won.seat else f"{room.rogues[won.seat].who.name} wins!"
        await expect(rogue.who.result.get_by_role("heading")).to_have_text(winner)
        await expect(rogue.page.locator("main form.ask, main input[type=radio]")).to_have_count(0)
        await focused(rogue.who, "at the end")


async def _all_know_who_is_asked(room: Room) -> None:
    """The target has a question, all others a quiet line."""
    target = room.next.seat
    for seat, rogue in enumerate(room.rogues):
        if seat == target:
            await expect(rogue.who.ask.locator(".say")).to_contain_text("attacks you with")
            assert await rogue.hand() == list(room.next.state.hands[seat])
        else:
            name = room.rogues[target].who.name
            await expect(rogue.page.locator("#r-turn")).to_have_text(f"{name} is thinking …")
            await expect(rogue.outcome).to_have_count(0)
            asked = rogue.page.locator(f'[data-seat="{target}"] .answers')
            await expect(asked).to_be_visible()


async def _all_know_what_came_of_it(room: Room, number: int) -> None:
    planned = room.plan.moves[number]
    last = (room.next.state if room.done < len(room.plan.moves) else room.plan.end).last
    assert last is not None
    for seat, rogue in enumerate(room.rogues):
        told = SAID[planned.what]
        if last.stolen:
            knows = seat in {last.attacker, last.target}
            told = "Stolen:" if knows else f"{last.stolen} card"
        await expect(rogue.outcome).to_contain_text(told)
        await expect(rogue.page.locator("#r-speech")).not_to_be_empty()


async def test_by_keyboard_alone(meet: Meet, server: Server) -> None:
    plan = all_attacks(f"{CODE}tako")
    number = plan.first("pirate None")
    room = await (await seated(meet, server, plan, at=number - 1, **STILL)).opened()
    for rogue in room.rogues:
        rogue.who.hands = Keys()
    mover = room.mover
    await mover.prepares(room.next.move)
    await mover.page.keyboard.press("Enter")
    await expect(mover.button(room.next.move)).to_be_focused()
    await room.presses()
    await focused(mover.who, "after an attack")
    victim = room.mover
    await room.presses()
    await focused(victim.who, "after an answer")
    await room.goes_on(plan.first("discard"))
    await room.presses()
    pile = mover.page.locator(".ttg-gone")
    lying = len(room.next.state.discards)
    await expect(pile.locator("summary b")).to_have_text(str(lying))
    await mover.who.press(pile.locator("summary"))
    await expect(pile.locator("table")).to_be_visible()
    await mover.page.keyboard.press("Escape")
    await expect(pile.locator("table")).to_be_hidden()
    await expect(pile.locator("summary")).to_be_focused()


async def test_by_touch_on_a_phone(meet: Meet, server: Server) -> None:
    plan = all_attacks(f"{CODE}taki")
    number = plan.first("captain coin")
    room = await (await seated(meet, server, plan, at=number - 1, **STILL, **TOUCH)).opened()
    for rogue in room.rogues:
        rogue.who.hands = Finger()
    mover = room.mover
    await fits(mover.who, "my turn")
    await mover.prepares(room.next.move)
    await fits(mover.who, "card and target chosen")
    other = next(
        seat for seat in range(4) if seat not in (room.next.seat, room.next.move["target"])
    )
    await mover.page.locator(f'.ttg-hit[for="t{other}"]').tap()
    await expect(mover.target(other)).to_be_checked()
    await room.presses()
    await fits(room.mover.who, "asked")
    await fits(mover.who, "waiting")
    await room.presses()
    await room.goes_on(plan.first("discard"))
    await fits(room.mover.who, "a discard")
    await room.presses()
    await mover.who.press(mover.page.locator(".ttg-gone summary"))
    await fits(mover.who, "the discard pile")
    await mover.who.press(mover.page.locator(".ttg-gone [data-shut]"))
    await room.goes_on(len(plan.moves))
    await mover.who.result.wait_for()
    await fits(mover.who, "the end")


async def test_a_discard_takes_exactly_as_many_as_are_too_many(meet: Meet, server: Server) -> None:
    plan = all_attacks(f"{CODE}taku")
    room = await seated(meet, server, plan, at=plan.first("discard"), **STILL)
    mover = (await room.opened()).mover
    button = mover.button(room.next.move)
    await expect(button).to_be_disabled()
    await mover.prepares(room.next.move)
    await expect(button).to_be_enabled()
    boxes = mover.page.locator("form.ask input[name=cards]:not(:checked)")
    assert await boxes.count() == 5
    if len(room.next.move["cards"]) == 1:
        other = await boxes.first.get_attribute("id")
        await mover.page.locator(f"label[for={other}]").click()
        assert await boxes.count() == 5, "another press moves the choice"
        await expect(mover.page.locator(f"#{other}")).to_be_checked()
        await mover.prepares(room.next.move)
    else:
        for box in await boxes.all():
            await expect(box).to_be_disabled()
    await mover.who.press(button)
    await button.wait_for(state="detached")


async def test_without_javascript(meet: Meet, server: Server) -> None:
    plan = all_attacks(f"{CODE}taka")
    number = plan.first("kraken None")
    room = await seated(meet, server, plan, at=number - 1, java_script_enabled=False)
    await room.opened()
    mover = room.mover
    await mover.who.press(mover.button(room.next.move))
    await expect(mover.who.ask).to_be_visible()  # no card was chosen: the browser asks for one
    await room.presses()
    await room.mover.who.looks_again()
    await room.presses()
    await mover.who.looks_again()
    await expect(mover.outcome).to_contain_text("The hand is lost:")
    await room.goes_on(plan.first("discard"))
    mover = room.mover
    await mover.who.looks_again()
    await mover.who.press(mover.button(room.next.move))
    if len(room.next.move["cards"]) == 1:
        await expect(mover.who.ask).to_be_visible()  # here too the browser asks for one
    else:
        mover.who.troubles.expect("422", "409")
        note = mover.page.get_by_role("alert").filter(has_text="Choose exactly")
        await expect(note).to_be_visible()
    await room.presses()


@pytest.mark.parametrize("viewport", SIZES)
async def test_axe_finds_nothing(
    meet: Meet, server: Server, viewport: dict[str, int] | None
) -> None:
    size = STILL | ({"viewport": viewport} if viewport else {})
    plan = all_attacks(f"{CODE}{'teka' if viewport else 'teki'}")
    number = plan.first("two_pirates None")
    room = await (await seated(meet, server, plan, at=number - 1, **size)).opened()
    mover = room.mover
    await sound(mover.who, "my turn")
    await mover.prepares(room.next.move)
    await sound(mover.who, "card and target chosen")
    await room.presses()
    await sound(room.mover.who, "asked")
    await sound(mover.who, "waiting")
    await room.presses()
    await sound(mover.who, "stolen")
    await room.goes_on(plan.first("discard"))
    await room.mover.who.ask.wait_for()
    await sound(room.mover.who, "a discard")
    await mover.page.locator(".ttg-gone summary").click()
    await sound(mover.who, "the discard pile")
    watcher = Rogue(await meet("Gus", **size))
    await watcher.who.follows(room.link)
    await sound(watcher.who, "spectator")
    await room.goes_on(len(plan.moves))
    await mover.who.result.wait_for()
    await sound(mover.who, "the end")


async def test_public_cards_travel(meet: Meet, server: Server) -> None:
    """From the attacker's hand to the table, and from there to the pile."""
    plan = all_attacks(f"{CODE}teko")
    number = plan.first("pirate officer")
    room = await seated(meet, server, plan, at=number - 1)
    for rogue in room.rogues:
        await rogue.page.add_init_script(RECORD_TRAVELS)
    await room.opened()
    for wanted in (["attack"], ["answer", "gone"]):
        await room.presses()
        for rogue in room.rogues:
            await rogue.page.wait_for_function(
                "all => all.every(it => window.travels.includes(it))", arg=wanted
            )


RECORD_TRAVELS = """
window.travels = []
const start = document.startViewTransition
document.startViewTransition = function (update) {
    return start.call(document, () => {
        update()
        for (const one of document.querySelectorAll('[style*="view-transition-name"]'))
            window.travels.push(one.dataset.piece)
    })
}
"""
