"""Sending one push: encrypted for one browser, signed by the house."""

from __future__ import annotations

import asyncio
import time
from enum import Enum
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import structlog

from app.notify.endpoints import Endpoints
from app.notify.keys import HouseKey
from app.notify.subscriptions import Subscription

if TYPE_CHECKING:
    from aiohttp import ClientSession

log = structlog.get_logger()

SECONDS: Final = 10.0
"""After so long a push service is given up."""
AT_ONCE: Final = 16
LIFE_SECONDS: Final = 24 * 3600
"""How long a push service keeps a push for a browser that is off."""
SIGNED_SECONDS: Final = 12 * 3600
_GONE: Final = frozenset({404, 410})


class Sent(Enum):
    """What became of a push."""

    TAKEN = "taken"
    GONE = "gone"
    FAILED = "failed"


class Delivery:
    """The house's way to push services. `contact` is whom they can turn to, as a URL."""

    def __init__(self, key: HouseKey, contact: str, endpoints: Endpoints) -> None:
        self._key = key
        self._contact = contact
        self._endpoints = endpoints
        self._session: ClientSession | None = None
        self._places = asyncio.Semaphore(AT_ONCE)

    async def send(self, to: Subscription, text: bytes, topic: str) -> Sent:
        """Sends `text` so that only that browser can read it. Raises nothing.

        Of several pushes with one `topic` (32 letters of base64url at most) a push service keeps
        the newest. An address that is no push service's counts as gone.
        """
        if not self._endpoints.known(to.endpoint):
            return Sent.GONE
        async with self._places:
            try:
                body, headers = await asyncio.to_thread(self._sealed, to, text)
            except Exception:
                # Keys that are none: no later push would fare better.
                log.info("push_not_encrypted", subscription=str(to.id))
                return Sent.GONE
            try:
                status = await self._post(to.endpoint, body, {**headers, "Topic": topic})
            except Exception as error:
                log.info("push_failed", subscription=str(to.id), error=type(error).__name__)
                return Sent.FAILED
        if status in _GONE:
            return Sent.GONE
        if status >= 300:
            log.info("push_refused", subscription=str(to.id), status=status)
            return Sent.FAILED
        return Sent.TAKEN

    async def close(self) -> None:
        """Closes what is open."""
        if self._session is not None:
            await self._session.close()

    async def _post(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        if self._session is None:
            from aiohttp import ClientSession, ClientTimeout  # noqa: PLC0415 slow to load

            self._session = ClientSession(timeout=ClientTimeout(total=SECONDS))
        # Where a push service sends us on to is no address that a list knows.
        posting = self._session.post(url, data=body, headers=headers, allow_redirects=False)
        async with posting as answer:
            return answer.status

    def _sealed(self, to: Subscription, text: bytes) -> tuple[bytes, dict[str, str]]:
        """Encrypts and signs; loads what that needs at the first push."""
        from py_vapid import Vapid02  # noqa: PLC0415 slow to load
        from pywebpush import WebPusher  # noqa: PLC0415 slow to load

        keys = {"p256dh": to.p256dh, "auth": to.auth}
        sealed = WebPusher({"endpoint": to.endpoint, "keys": keys}).encode(text, "aes128gcm")
        parts = urlsplit(to.endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(time.time()) + SIGNED_SECONDS,
            "sub": self._contact,
        }
        signed: dict[str, str] = Vapid02(self._key.private).sign(claims)
        body: bytes = sealed["body"]
        return body, {
            **signed,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(LIFE_SECONDS),
            "Urgency": "normal",
        }
