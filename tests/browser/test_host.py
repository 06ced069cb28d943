"""What the host of the house says and does is seen on every open page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from playwright.async_api import expect

from app.config import Settings
from app.database import Database
from app.rooms.keeping import Keeping
from app.rooms.removal import Removal
from app.tending.announcements import Announcements
from tests.browser.conftest import Meet
from tests.browser.person import PHONE
from tests.servers import Server

SAID = "The house restarts <b>at nine</b>."


async def test_announcements_and_cleared_tables_are_seen_at_once(
    meet: Meet, server: Server
) -> None:
    ann, ben = await meet("Ann", viewport=PHONE), await meet("Ben")
    link = await ann.opens_room()
    await ben.page.goto("/")
    pages = (ann.page, ben.page)
    async with await Database.open(Settings(database_url=server.database_url)) as database:
        announcements = Announcements(database)
        try:
            await announcements.make(SAID, timedelta(hours=1))
            for page in pages:
                bar = page.locator("#announced")
                await expect(bar.locator("p")).to_have_text(SAID)
                await expect(bar).to_be_in_viewport()
            assert await ann.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
            await ben.press(ben.page.get_by_role("button", name="Hide this"))
            await expect(ben.page.locator("#announced p")).to_be_empty()
            await ben.page.goto("/games")
            await expect(ben.page.locator("#announced p")).to_be_empty()
            await announcements.end()
            await expect(ann.page.locator("#announced p")).to_be_empty()
            await announcements.make("Welcome back", timedelta(hours=1))
            await expect(ann.page.locator("#announced p")).to_have_text("Welcome back")
            await ben.page.goto("/games")
            await expect(ben.page.locator("#announced p")).to_have_text("Welcome back")
        finally:
            await announcements.end()
        code = link.rsplit("/", 1)[1]
        await Removal(database, Keeping(7, 90)).one(code, datetime.now(UTC))
    await expect(ann.page.locator("#wire")).to_contain_text("This table has been cleared away.")
    ann.troubles.expect("410")
    await ann.press(ann.button("Reload"))
    await expect(ann.page.locator("h1")).to_have_text("This table has been cleared away")
    await expect(ann.page.locator("main")).to_contain_text("The host of this house has taken")
