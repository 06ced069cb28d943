"""A push service of the test's own, and browsers that can read what arrives there."""

from __future__ import annotations

import asyncio
import base64
import os
from dataclasses import dataclass, field
from typing import Any

import http_ece
import orjson
from aiohttp import web
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

SECONDS = 10.0


@dataclass(frozen=True)
class Arrived:
    """One push as its service got it."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Browser:
    """A subscription at the test's push service, with the secrets that a browser keeps."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def wire(self) -> dict[str, Any]:
        """The subscription as a page sends it to the house."""
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        keys = {"p256dh": _text(point), "auth": _text(self.auth)}
        return {"endpoint": self.endpoint, "keys": keys}

    def read(self, push: Arrived) -> dict[str, Any]:
        """Decrypts a push, as this browser alone can."""
        text = http_ece.decrypt(push.body, private_key=self.key, auth_secret=self.auth)
        note: dict[str, Any] = orjson.loads(text)
        return note


class PushService:
    """Takes pushes over http. `answers` is the status for each path, 201 where none is set."""

    def __init__(self) -> None:
        self.came: list[Arrived] = []
        self.answers: dict[str, int] = {}
        self.url = ""
        self._news = asyncio.Event()

    def browser(self, path: str) -> Browser:
        """Makes a browser that is subscribed here."""
        return Browser(f"{self.url}{path}")

    async def pushes(self, number: int) -> list[Arrived]:
        """Waits until that many have come, and returns all."""
        async with asyncio.timeout(SECONDS):
            while len(self.came) < number:
                self._news.clear()
                await self._news.wait()
        return self.came

    async def take(self, request: web.Request) -> web.Response:
        """Takes one."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.came.append(Arrived(request.path, headers, await request.read()))
        self._news.set()
        status = self.answers.get(request.path, 201)
        where = {"location": f"{self.url}elsewhere"} if status == 307 else {}
        return web.Response(status=status, headers=where)


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
