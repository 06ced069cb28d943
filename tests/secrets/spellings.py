"""How a secret could look in what was sent: every usual spelling, and a good piece of it."""

from __future__ import annotations

import base64
import json


def spellings(secret: bytes) -> set[bytes]:
    """Returns what to search for: bytes, hexadecimal, base64, numbers, escapes; also in part."""
    whole = {secret, secret[:12], secret[-12:]}
    for digits in (secret.hex(), secret.hex().upper()):
        whole |= {digits.encode(), digits[:20].encode(), digits[-20:].encode()}
    for offset in range(3):  # base64 of a longer text that the secret is a part of
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            text = encode(bytes(offset) + secret)
            whole.add(text[4 : 4 + 20 + offset * 4])
    for number in (int.from_bytes(secret, "big"), int.from_bytes(secret, "little")):
        whole.add(str(number).encode())
    for separators in ((",", ":"), (", ", ": ")):
        whole.add(json.dumps(list(secret[:8]), separators=separators)[1:-1].encode())
    escaped = repr(secret)[2:-1]
    whole.add(escaped.encode())
    whole.add(escaped.replace("\\", "\\\\").encode())
    return {one for one in whole if len(one) >= 12}


def text_spellings(secret: str) -> set[bytes]:
    """Returns what to search for where the secret is itself a text, such as a token."""
    plain = secret.encode()
    return {plain, plain[:16], plain[-16:], base64.b64encode(plain)[:20], plain.hex().encode()}
