"""Splendor at the browser: a whole game of three, every kind of move by pressing."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest
from playwright.async_api import WebSocketRoute, expect

from app.games.splendor.cards import CARDS
from app.games.splendor.scoring import points
from tests.browser.conftest import Meet
from tests.browser.remote import Remote
from tests.browser.splendor_person import STILL, Player, seated
from tests.browser.splendor_plan import Planned, blocked, with_nobles
from tests.servers import Server

GEMS = {"white": "diamond", "blue": "sapphire", "green": "emerald", "red": "ruby", "black": "onyx"}
SEVERAL = {gem: f"{gem}s" for gem in GEMS.values()} | {"ruby": "rubies", "onyx": "onyxes"}
LAST_TURNS = 6
"""Moves at the end of the game that are made on the pages."""


async def test_from_the_home_page_to_the_first_turns(meet: Meet) -> None:
    ann, bo, cy = [await meet(name) for name in ("Ann", "Bo", "Cy")]
    await ann.page.goto("/")
    await ann.press(ann.page.locator('a[href="/new/splendor"]'))
    await ann.types(ann.page.locator("main input[name=name]"), "Ann")
    await ann.hands.choose(ann.page.locator('input[name=seats][value="3"]'))
    await ann.types(ann.page.locator('input[name="option.target"]'), "10")
    await ann.hands.choose(ann.page.locator('input[name="option.first"][value="0"]'))
    await ann.press(ann.button("Open the table"))
    await ann.page.wait_for_url("**/r/*")
    await ann.is_live()
    link = await ann.page.get_by_label("Link to this table").input_value()
    for guest in (bo, cy):
        await guest.follows(link)
        await guest.sits_down()
    await ann.press(ann.button("Start the game"))
    for person in (ann, bo, cy):
        await person.main("splendor").wait_for()
        await expect(person.page.locator("#r-round")).to_contain_text("to 10 points")
    for person, gems in ((ann, "blue green red"), (bo, "red red"), (cy, "white black blue")):
        player = Player(person)
        move = {"kind": "take", "gems": gems.split()}
        await player.prepares(move)
        await person.press(player.button(move))
        await person.waits()
    await expect(ann.page.locator("#r-log li").first).to_contain_text(
        "Cy took diamond, sapphire, onyx"
    )
    assert await ann.page.locator(".panel b.new").count() == 4, "what the two others took"


@pytest.mark.faults
async def test_three_play_a_whole_game(meet: Meet, server: Server) -> None:
    plan = with_nobles("bado-keli-mofu-taba")
    room = await (await seated(meet, server, plan, **STILL)).opened()
    ann = room.players[0]
    kinds = {move.kind: n for n, move in reversed(list(enumerate(plan.moves)))}
    assert set(kinds) >= {"reserve", "reserve blind", "buy", "pay", "return", "choose_noble"}
    for number in sorted(kinds.values()):
        await room.goes_on(number)
        planned = plan.moves[number]
        if planned.kind == "choose_noble":
            await expect(ann.page.locator("form.ask button[name=noble]")).to_have_count(2)
            assert len(planned.state.nobles) == 4
        await room.pressed(number + 1)
    await room.goes_on(len(plan.moves) - LAST_TURNS)
    await room.pressed(len(plan.moves))
    sheets = [[_plain(row) for row in await player.sheet()] for player in room.players]
    assert sheets[0] == sheets[1] == sheets[2]
    assert {row[0]: row[3] for row in sheets[0]} == {
        name: str(points(player))
        for name, player in zip(("Ann", "Bo", "Cy"), plan.end.players, strict=True)
    }
    assert sheets[0][0][2] == str(3 * len(plan.end.players[0].nobles)) != "0"
    await expect(ann.who.result.get_by_role("heading").first).to_have_text("You win!")
    await expect(room.players[1].who.result.get_by_role("heading").first).to_have_text("Ann wins!")
    assert await ann.page.locator(".felt input:not([type=hidden])").count() == 0


async def test_what_the_others_did_is_told_and_marked_until_my_next_move(
    meet: Meet, server: Server
) -> None:
    plan = with_nobles("bado-keli-mofu-tade")
    number = _followed_by_my_turn(plan.moves)
    bought = plan.moves[number]
    room = await (await seated(meet, server, plan, at=number, **STILL)).opened()
    mine = room.players[(bought.seat + 1) % 3]
    await room.pressed(number + 1)
    card = CARDS[bought.move["card"]]
    worth = f", {card.points} point" if card.points else ""
    line = mine.page.locator("#r-log li").first
    await expect(line).to_contain_text(f"level {card.level} {GEMS[card.bonus]}{worth}")
    panel = mine.page.locator(f'.panel[data-place="s{bought.seat}"]')
    await expect(panel.locator("svg.new")).to_have_attribute("data-piece", str(bought.move["card"]))
    before = {n for row in bought.state.market for n in row if n is not None}
    after = {n for row in plan.moves[number + 1].state.market for n in row if n is not None}
    assert {str(n) for n in after - before} <= await mine.marked()
    await room.pressed(number + 2)
    await mine.who.waits()
    assert str(bought.move["card"]) not in await mine.marked()


async def test_two_tap_every_place_and_what_is_sent_is_what_is_shown(
    meet: Meet, server: Server
) -> None:
    """What was sent is caught on its way: each place is tried in the same position."""
    plan = blocked("bado-keli-mofu-tabe")
    phone = {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True}
    room = await seated(meet, server, plan, at=plan.first("return") + 1, **phone)
    bo, sent = room.players[1], []

    def between(route: WebSocketRoute) -> None:
        house = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            data = json.loads(message)
            if data["t"] != "form":
                house.send(message)
                return
            sent.append(dict(data["fields"]))
            refused = {"t": "refused", "id": data["id"], "code": "failed", "message": "Caught."}
            route.send(json.dumps(refused | {"index": 0}))

        route.on_message(from_page)

    await bo.page.route_web_socket(re.compile("/socket"), between)
    await bo.who.follows(room.link)
    boxes = bo.page.locator("input[type=radio][name=card]")
    assert await boxes.count() == 15
    for box in await boxes.all():
        label = box.locator("xpath=following-sibling::label")
        await label.tap()
        await bo.button({"kind": "reserve"}).tap()
        await expect(bo.page.locator("#chosen .refused")).to_have_text("Caught.")
        card = sent[-1]["card"]
        shown = str(await label.text_content())
        if card.startswith("deck"):
            assert f"Deck of level {card[4:]}" in shown
            continue
        assert card == await label.get_attribute("data-piece")
        it = CARDS[int(card)]
        cost = zip(GEMS.values(), it.cost, strict=True)
        price = ", ".join(f"{n} {gem if n == 1 else SEVERAL[gem]}" for gem, n in cost if n)
        assert f"level {it.level} {GEMS[it.bonus]}" in shown
        assert f"Price: {price}." in shown
        picture = await label.locator("svg use").first.get_attribute("href")
        assert picture == f"#f{it.level}{'DSERO'[list(GEMS).index(it.bonus)]}{it.points}"
    assert len({one["card"] for one in sent}) == 15


async def test_blind_reserves_are_their_owners_alone(
    meet: Meet, server: Server, remote: Callable[[str], Awaitable[Remote]]
) -> None:
    plan = blocked("bado-keli-mofu-tabi")
    room = await (await seated(meet, server, plan, at=len(plan.moves) - 2)).opened()
    ann, bo = room.players
    cy = await meet("Cy")
    await cy.follows(room.link)
    own = [[kept.card for kept in player.reserved] for player in plan.end.players]
    assert [len(cards) for cards in own] == [3, 3]
    for player, cards in zip(room.players, own, strict=True):
        assert await player.reserved() == cards
        await player.page.reload()
        await player.who.is_live()
        assert await player.reserved() == cards
    ann.who.troubles.expect("ERR_INTERNET_DISCONNECTED", "WebSocket connection to")
    await ann.who.context.set_offline(True)
    await expect(ann.page.locator("#wire")).to_contain_text("No connection")
    await ann.who.context.set_offline(False)
    await ann.who.is_live()
    assert await ann.reserved() == own[0]
    device = await meet("Ann")
    await device.context.add_cookies(
        [{"name": "motherlode", "value": room.remotes[0].token, "url": device.url}]
    )
    await device.follows(room.link)
    assert await Player(device).reserved() == own[0], "a second device"
    for person, hidden in ((ann.who, own[1]), (bo.who, own[0]), (cy, own[0] + own[1])):
        for path in (room.link, f"{room.link}/log"):
            await person.page.goto(path)
            drawn = await person.page.content()
            numbers = re.findall(r'(?:data-piece|value|data-card)="(\d+)"', drawn)
            assert not {str(card) for card in hidden} & set(numbers), (person.name, path)
            assert "reserved a card of level 3 unseen" in drawn
        await person.follows(room.link)
    await room.pressed(len(plan.moves))
    await ann.who.result.wait_for()
    assert "A draw!" in await cy.result.inner_text()
    still = re.findall(r'data-piece="(\d+)"', await cy.page.content())
    assert not {str(card) for card in own[0] + own[1]} & set(still), "unseen to the end"


async def test_a_refused_move_says_why_and_leaves_no_trace(meet: Meet, server: Server) -> None:
    plan = blocked("bado-keli-mofu-tabo")
    room = await (await seated(meet, server, plan, at=2, **STILL)).opened()
    ann, bo = room.players
    before = [await remote.shown(plan.code) for remote in room.remotes]
    seen = await bo.page.locator("main").inner_text()
    hidden = plan.moves[2].state.decks[2][0]
    for place, card, why in (
        ("c11", str(hidden), "That card does not lie in the market"),
        ("c12", "999", "could not be read"),
        ("c13", "1x", "could not be read"),
    ):
        box = ann.page.locator(f"#{place}")
        await ann.who.hands.choose(box)
        await box.evaluate("(box, card) => { box.value = card }", card)
        await ann.who.press(ann.button({"kind": "reserve"}))
        await expect(ann.page.locator("#chosen .refused")).to_contain_text(why)
    assert [await remote.shown(plan.code) for remote in room.remotes] == before
    assert await bo.page.locator("main").inner_text() == seen
    await ann.page.reload()
    await room.pressed(4)


def _plain(row: list[str]) -> list[str]:
    return [re.sub(r"\s*\(you\)", "", text).strip() for text in row]


def _followed_by_my_turn(moves: tuple[Planned, ...]) -> int:
    """Returns the number of the first buy after which the next seat takes tokens."""
    return next(
        n
        for n, (one, other) in enumerate(pairwise(moves))
        if one.move["kind"] == "buy" and other.move["kind"] == "take" and one.seat != other.seat
    )
