"""Which part of the house a sample of a profile belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

REST: Final = "the rest: the loop itself, background work"

_PARTS: Final = {
    "search for cycles": ("app/collector.py ",),
    "what a seat may know (rules)": ("app/play/table.py Table.view",),
    "HTML drawn": ("app/web/templates.py ", "app/web/regions.py "),
    "states made and written out": ("app/realtime/connection.py Connection._state",),
    "states and answers sent": (
        "app/realtime/connection.py Connection._send_now",
        "app/realtime/connection.py Connection._write",
    ),
    "a move played (rules, position, its text)": ("app/play/decisions.py ",),
    "who looks is woken": ("app/realtime/live.py Live.moved",),
    "decisions: order, entry, answer": ("app/play/table.py Table.",),
    "journal: batches": ("app/play/journal.py ",),
    "messages taken in": ("app/realtime/connection.py Connection._read",),
    "sockets opened and closed": (
        "app/web/transport.py SocketProtocol.run_asgi",
        "app/web/transport.py SocketProtocol.handle_connect",
        "app/web/transport.py SocketProtocol.connection_lost",
    ),
    "frames read": ("app/web/transport.py SocketProtocol.data_received",),
    "requests: rooms made and begun": (
        "app/web/incoming.py ",
        "protocols/http/httptools_impl.py ",
        "app/play/tables.py ",
    ),
}
"""Functions, as profiles name them, by part: the innermost one that a stack has decides."""


def part_of(stack: Iterable[str]) -> str:
    """Returns the part of a stack of functions, innermost first."""
    for name in stack:
        for part, marks in _PARTS.items():
            if name.startswith(marks):
                return part
    return REST
