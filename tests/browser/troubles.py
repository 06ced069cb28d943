"""Everything a page must not do unnoticed: errors, blocked things, failed requests, dialogs."""

from __future__ import annotations

import re

from playwright.async_api import BrowserContext, ConsoleMessage, Dialog, Page, Request, Response


class Troubles:
    """What went wrong in one browser context. `check()` fails if there was anything unexpected."""

    def __init__(self, whose: str) -> None:
        self._whose = whose
        self._found: list[str] = []
        self._expected: list[re.Pattern[str]] = []

    def watch(self, context: BrowserContext) -> None:
        """Listens to all pages of the context, those that are opened later too."""
        context.on("page", self._page)
        context.on("console", self._console)
        context.on("requestfailed", self._failed)
        context.on("response", self._answered)

    def expect(self, *patterns: str) -> None:
        """Names (as regular expressions) what the test itself brings about."""
        self._expected.extend(re.compile(pattern) for pattern in patterns)

    def check(self) -> None:
        """Raises AssertionError with all that nobody expected."""
        bad = [one for one in self._found if not any(each.search(one) for each in self._expected)]
        assert not bad, f"trouble in the browser of {self._whose}:\n" + "\n".join(bad)

    def _page(self, page: Page) -> None:
        page.on("pageerror", lambda error: self._found.append(f"page error: {error}"))
        page.on("dialog", self._dialog)

    async def _dialog(self, dialog: Dialog) -> None:
        self._found.append(f"dialog: {dialog.message}")
        await dialog.dismiss()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning", "assert"}:
            where = message.location
            place = f"{where.get('url')}:{where.get('lineNumber')}" if where else "?"
            self._found.append(f"console {message.type}: {message.text} ({place})")

    def _failed(self, request: Request) -> None:
        # A page that is left cancels what it was still fetching; that is no failure.
        if request.failure != "net::ERR_ABORTED":
            self._found.append(f"failed: {request.method} {request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self._found.append(f"answer {response.status}: {response.url}")
