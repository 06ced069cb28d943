"""Which addresses the house sends pushes to: those of the browsers' own push services, over https.

A browser names the address of its push service itself, so without this list anybody could have the
house send requests to wherever they like.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

HOSTS: Final = ("fcm.googleapis.com",)
"""Chrome, Edge on Android, Opera, Samsung Internet and others built on Chromium."""
DOMAINS: Final = (
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)
"""Firefox, Safari, Edge on Windows: any host under these."""

MOST_LETTERS: Final = 1024
_POINT_BYTES: Final = 65
_SECRET_BYTES: Final = 16


class BadSubscription(ValueError):
    """A subscription that the house does not take; `code` is a stable refusal code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Endpoints:
    """Knows the push services. `also` are further addresses, for a test's own push service."""

    def __init__(self, also: Collection[str] = ()) -> None:
        """Takes `also` as beginnings of addresses, like `http://127.0.0.1:4000/`."""
        self._also = tuple(also)

    def known(self, endpoint: str) -> bool:
        """Tells whether an address belongs to a push service that the house sends to."""
        if self._also and endpoint.startswith(self._also):
            return True
        if len(endpoint) > MOST_LETTERS or not endpoint.isascii() or not endpoint.isprintable():
            return False
        try:
            parts = urlsplit(endpoint)
            port = parts.port
        except ValueError:
            return False
        host = parts.hostname or ""
        plain = parts.username is None and parts.password is None and port in {None, 443}
        return parts.scheme == "https" and plain and (host in HOSTS or host.endswith(DOMAINS))

    def check(self, endpoint: str, p256dh: str, auth: str) -> None:
        """Raises `BadSubscription` for an unknown address, or keys that cannot be keys."""
        if not self.known(endpoint):
            raise BadSubscription("bad_endpoint")
        point, secret = _bytes(p256dh), _bytes(auth)
        if len(point) != _POINT_BYTES or point[0] != 4 or len(secret) != _SECRET_BYTES:
            raise BadSubscription("bad_keys")


def _bytes(text: str) -> bytes:
    """Reads base64 of either alphabet, padded or not; nothing where it cannot be read."""
    plain = text.rstrip("=").replace("+", "-").replace("/", "_")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
