"""What a device is told apart by: its browser and its system, as it says itself.

A label is put together from the names below and nothing that was sent, so it can stand anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starlette.requests import HTTPConnection

_BROWSERS: Final = (
    ("FBAN", "Facebook"),
    ("FBAV", "Facebook"),
    ("Instagram", "Instagram"),
    ("WhatsApp", "WhatsApp"),
    ("Telegram", "Telegram"),
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
"""Marks in the order in which they decide: most browsers also name those that they resemble."""
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
_LONGEST: Final = 400


def device_label(connection: HTTPConnection) -> str:
    """Returns `Firefox · Android` or what is known of it; empty for a program."""
    agent = connection.headers.get("user-agent", "")[:_LONGEST]
    if not agent.startswith("Mozilla/"):
        return ""
    return " · ".join(filter(None, (_first(_BROWSERS, agent), _first(_SYSTEMS, agent))))


def _first(marks: Sequence[tuple[str, str]], agent: str) -> str:
    return next((name for mark, name in marks if mark in agent), "")
