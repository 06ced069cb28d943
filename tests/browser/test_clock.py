"""The time for a move, and who is missing, as people see them whose own clocks are wrong."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect
from sqlalchemy.engine import URL

from tests.browser.conftest import Meet
from tests.browser.person import PHONE, Person
from tests.faults.houses import UNLIMITED
from tests.servers import Server

WRONG = """(() => {
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...given) { given.length ? super(...given) : super(Right.now() + OFF); }
    static now() { return Right.now() + OFF; }
  };
})()"""
MINUTES = 60_000


@pytest.fixture
def own_house(database_url: URL, tmp_path: Path) -> Iterator[Server]:
    """A running server that soon takes somebody for being away."""
    url = database_url.render_as_string(hide_password=False)
    with Server(url, tmp_path / "house", port=None, **UNLIMITED, AWAY_SECONDS="1.5") as server:
        yield server


async def left(person: Person) -> float:
    """Returns how many seconds the page says are left."""
    text = await person.page.locator(".time-left").inner_text()
    minutes, seconds = text.split(":")
    return int(minutes) * 60 + int(seconds)


async def test_wrong_clocks_show_the_right_time_and_who_is_away_is_decided_about(
    meet: Meet, own_house: Server
) -> None:
    ann = await meet("Ann", timezone_id="Asia/Tokyo")
    bo = await meet("Bo", timezone_id="America/New_York", viewport=PHONE, has_touch=True)
    for person, off in ((ann, 14), (bo, -14)):
        await person.context.add_init_script(WRONG.replace("OFF", str(off * MINUTES)))
    link = await ann.opens_room(first=0)
    await ann.press(ann.page.locator("summary", has_text="Time for a move"))
    await ann.hands.choose(ann.page.locator('input[name=clock][value="300"]'))
    await ann.press(ann.page.locator('form[action$="/clock"] button'))
    await expect(ann.page.get_by_text("Time for a move: 5 minutes.")).to_be_visible()
    await bo.follows(link)
    await bo.sits_down()
    await ann.starts()
    await bo.sees_the_table()
    for person in (ann, bo):
        place = person.page.locator(".time-left")
        await expect(place).to_have_text(re.compile(r"^\d:\d\d$"))
        due = int(str(await place.get_attribute("data-due")))
        assert abs(await left(person) - (due / 1000 - time.time())) < 1.2

    # What the pages say when nothing is left: nobody waits a whole time for that here.
    for person, said in (
        (ann, "Your time is over; you may still move."),
        (bo, "The time of Ann is over."),
    ):
        await person.evaluate("document.querySelector('.time-left').dataset.due = 1000")
        await expect(person.page.locator(".clock .time-over")).to_have_text(said)
        await expect(person.page.locator(".time-left")).to_be_hidden()

    # Ann, who is asked, goes away; Bo decides.
    await ann.page.goto("about:blank")
    offer = bo.page.locator(".missing", has_text="Ann is away. What now?")
    await offer.wait_for()
    await bo.press(offer.get_by_role("button", name="Let a bot play on"))
    await bo.page.locator(".note.bot", has_text="A bot plays for Ann").wait_for()
    await bo.ask.wait_for()

    # She comes back to her seat at once, and plays on.
    await ann.follows(link)
    await expect(bo.page.locator(".note.bot")).to_have_count(0)
    await bo.takes_turn()
    await ann.ask.wait_for()
