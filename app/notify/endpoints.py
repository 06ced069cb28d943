"""Which addresses the house sends pushes to: those of the browsers' own push services, over https.

A browser names the address of its push service itself, so without this list anybody could have the
house send requests to wherever they like.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Collection
from typing import Final

HOSTS: Final = ("fcm.googleapis.com",)
"""Chrome, Edge on Android, Opera, Samsung Internet and others built on Chromium."""
DOMAINS: Final = (
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)
"""Firefox, Safari, Edge on Windows: any host under these."""

MOST_LETTERS: Final = 1024
_ADDRESS: Final = re.compile(
    r"https://((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]+)(?::443)?/[!-~]*", re.ASCII
)
"""An address as push services write theirs: a plain host, nobody's name, no port but 443."""
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
        found = _ADDRESS.fullmatch(endpoint) if len(endpoint) <= MOST_LETTERS else None
        # Two readers of addresses must not find two hosts in one: a backslash is none's to read.
        if found is None or "\\" in endpoint:
            return False
        return found[1] in HOSTS or found[1].endswith(DOMAINS)

    def check(self, endpoint: str, p256dh: str, auth: str) -> None:
        """Raises `BadSubscription` for an unknown address, or keys that cannot be keys."""
        if not self.known(endpoint):
            raise BadSubscription("bad_endpoint")
        if len(_bytes(auth)) != _SECRET_BYTES or not _is_point(_bytes(p256dh)):
            raise BadSubscription("bad_keys")


def _is_point(raw: bytes) -> bool:
    """Tells whether bytes are an uncompressed point of the curve P-256, as a browser's key is."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 slow to load

    if len(raw) != _POINT_BYTES:
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw)
    except ValueError:
        return False
    return True


def _bytes(text: str) -> bytes:
    """Reads base64 of either alphabet, padded or not; nothing where it cannot be read."""
    plain = text.rstrip("=").replace("+", "-").replace("/", "_")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
