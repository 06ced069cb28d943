"""A person at a browser, in words of play. Everything is done as people do it: by pressing."""

from __future__ import annotations

from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    ViewportSize,
    expect,
)

from tests.browser.hands import Hands, Mouse
from tests.browser.remote import Remote
from tests.browser.troubles import Troubles

expect.set_options(timeout=15_000)

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}
HOUSE_NAME = "motherlode.test"
"""A name that is not this computer's own, so that a page under it is no secure context."""
WAIT = 15_000
"""Milliseconds after which something that should appear is missing."""


class Person:
    """Somebody with a browser of their own. `hands` is how they press things."""

    def __init__(
        self, name: str, url: str, context: BrowserContext, page: Page, troubles: Troubles
    ) -> None:
        self.name = name
        self.url = url
        self.context = context
        self.page = page
        self.troubles = troubles
        self.hands: Hands = Mouse()
        self.scripted = True
        self.pressed = self.typed = 0
        self._remotes: list[Remote] = []

    @classmethod
    async def meet(cls, browser: Browser, name: str, url: str, **options: Any) -> Person:
        """Gives a person a fresh browser context; `options` are those of Playwright's contexts."""
        context = await browser.new_context(
            **{"viewport": DESKTOP, "locale": "en-GB", "base_url": url, **options}
        )
        context.set_default_timeout(WAIT)
        troubles = Troubles(name)
        troubles.watch(context)
        person = cls(name, url, context, await context.new_page(), troubles)
        person.scripted = options.get("java_script_enabled", True)
        return person

    async def leaves(self) -> None:
        """Closes the browser."""
        for remote in self._remotes:
            await remote.__aexit__(None, None, None)
        await self.context.close()

    async def another_tab(self) -> Person:
        """Opens the same page in a second tab of the same browser."""
        page = await self.context.new_page()
        tab = Person(self.name, self.url, self.context, page, self.troubles)
        tab.scripted, tab.hands = self.scripted, self.hands
        await tab.follows(self.page.url)
        return tab

    async def remote(self) -> Remote:
        """Returns this person as a program, which acts with the same token.

        Who has no name yet is made a player now, and is known to this browser from then on.
        """
        cookies = await self.context.cookies(self.url)
        token = next((one["value"] for one in cookies if one["name"] == "motherlode"), None)
        remote = Remote(self.url.replace(HOUSE_NAME, "127.0.0.1"), token)
        self._remotes.append(remote)
        if token is None:
            await remote.named(self.name)
            await self.context.add_cookies(
                [{"name": "motherlode", "value": remote.token, "url": self.url}]
            )
        return remote

    async def evaluate(self, script: str) -> Any:
        """Runs a script in the page and returns its value."""
        return await self.page.evaluate(script)

    # Hands

    async def press(self, target: Locator) -> None:
        """Presses something, by mouse, finger or key."""
        self.pressed += 1
        await self.hands.press(target)

    async def types(self, field: Locator, text: str) -> None:
        """Fills a text field."""
        self.typed += 1
        await self.hands.type(field, text)

    def button(self, name: str) -> Locator:
        """Returns the visible button or link with that name."""
        role = self.page.get_by_role("button", name=name)
        return role.or_(self.page.get_by_role("link", name=name)).first

    # Before the game

    async def opens_room(self, **options: int) -> str:
        """From the home page to a room of Lost Cities; returns the invite link."""
        await self.page.goto("/")
        await self.press(self.button("Play with friends"))
        await self.page.wait_for_url("**/new/*")
        await self._gives_name()
        for key, value in options.items():
            box = self.page.locator(f'input[name="option.{key}"][value="{value}"]')
            await self.hands.choose(box)
        await self.press(self.button("Open the table"))
        await self.page.wait_for_url("**/r/*")
        await self.is_live()
        return await self.page.get_by_label("Link to this table").input_value()

    async def loads(self, address: str) -> None:
        """Opens a page.

        One without scripts that waits loads itself now and then: where it does so at this moment,
        the browser takes one of the two and gives the other up.
        """
        try:
            await self.page.goto(address)
        except Error as error:
            if "ERR_ABORTED" not in error.message:
                raise
            await self.page.wait_for_load_state()
            await self.page.goto(address)

    async def looks_again(self) -> None:
        """Loads the page anew."""
        await self.loads(self.page.url)

    async def follows(self, link: str) -> None:
        """Opens an invite link."""
        await self.loads(link)
        await self.is_live()

    async def sits_down(self) -> None:
        """Takes a seat, with a name if this browser has none yet."""
        await self._gives_name()
        await self.press(self.button("Sit down"))
        await expect(self.button("Leave the table")).to_be_visible(timeout=WAIT)
        await self.is_live()

    async def starts(self) -> None:
        """Starts the game."""
        await self.press(self.button("Start the game"))
        await self.sees_the_table()

    async def sees_the_table(self) -> None:
        """Waits until the game has been dealt."""
        await self.main("lost_cities").wait_for()

    async def _gives_name(self) -> None:
        field = self.page.locator("main input[name=name]")
        if await field.count():
            await self.types(field, self.name)

    # The game

    def main(self, layout: str) -> Locator:
        """Returns the page's main part while it has that layout."""
        return self.page.locator(f'main[data-layout="{layout}"]')

    @property
    def ask(self) -> Locator:
        """The form of what I owe now."""
        return self.page.locator("form.ask")

    @property
    def result(self) -> Locator:
        """The sheet at the end."""
        return self.page.locator(".result")

    async def is_live(self) -> None:
        """Waits until the page is connected, as it says itself; at once where no script runs."""
        if self.scripted:
            await self.page.locator('html[data-wire="online"]').wait_for()

    async def hand(self) -> list[str]:
        """Returns the cards that can be chosen now, as `R7`."""
        boxes = self.ask.locator("input[name=card]")
        return [str(await box.get_attribute("value")) for box in await boxes.all()]

    async def chooses(self, card: str) -> None:
        """Picks a card of the hand without playing it yet."""
        await self.hands.choose(self.ask.locator(f'input[name=card][value="{card}"]').first)

    async def plays(self, card: str) -> None:
        """Plays a card on its expedition."""
        await self.chooses(card)
        await self.acts("play")

    async def discards(self, card: str) -> None:
        """Discards a card."""
        await self.chooses(card)
        await self.acts("discard")

    async def acts(self, action: str) -> None:
        """Plays or discards the chosen card, and waits for the answer."""
        button = self.ask.locator(f'input:checked ~ .what button[value="{action}"]')
        await self._answered(button.locator("visible=true"))

    async def draws(self, source: str = "deck") -> None:
        """Draws from the deck or a pile, and waits for the answer."""
        await self._answered(self.ask.locator(f'button[name=draw][value="{source}"]'))

    async def takes_back(self) -> None:
        """Takes the last move back, and waits for the answer."""
        await self._answered(self.button("Take back"))

    async def takes_turn(self) -> str:
        """Makes a whole turn that a person might make; returns the card."""
        await self.ask.wait_for()
        card, action = await self.sensible_move()
        await (self.plays(card) if action == "play" else self.discards(card))
        await self.draws()
        return card

    async def sensible_move(self) -> tuple[str, str]:
        """Reads hand and hints off the page and returns a card and `play` or `discard`."""
        gains: dict[str, int] = {}
        cards = await self.hand()
        shown: list[Locator] = await self.ask.locator(".what").all()
        for card, what in zip(cards, shown, strict=True):
            button = what.locator('button[value="play"]:not([disabled]) .gain')
            if await button.count():
                before, after = str(await button.text_content()).split("→")
                gains[card] = number(after) - number(before)
        best = max(gains, key=lambda card: gains[card], default=None)
        return (best, "play") if best and gains[best] >= 0 else (cards[0], "discard")

    async def _answered(self, button: Locator) -> None:
        """Presses, and waits until the question is another one."""
        asked = await self.ask.get_attribute("id")
        await self.press(button)
        await self.page.locator(f"form#{asked}").wait_for(state="detached")

    async def waits(self) -> None:
        """Waits until nothing is asked any more."""
        await self.ask.wait_for(state="detached")

    async def final_sheet(self) -> list[list[str]]:
        """Returns the rows of the score sheet once the game is over, without "(you)"."""
        await self.result.wait_for()
        rows = self.result.locator("table tr")
        return [
            [
                text.strip().removesuffix("(you)").strip()
                for text in await row.locator("th, td").all_inner_texts()
            ]
            for row in await rows.all()
        ]


def number(text: str) -> int:
    """Reads a number as the pages write it, with a minus sign."""
    return int(text.replace("\N{MINUS SIGN}", "-"))
