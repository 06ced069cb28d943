"""The line below a socket, for what can be sent without waiting.

ASGI has a coroutine for each message, and a task to run it in. A state that every line takes at
once needs neither: most of them do.
"""

from __future__ import annotations

from typing import Final, Protocol

from starlette.types import Scope

LINE: Final = "motherlode.line"
"""The extension of an ASGI scope in which a server offers its `Line` (as `line`), if it has one."""


class Line(Protocol):
    """What a server offers beside ASGI."""

    def free(self) -> bool:
        """Tells whether a text would be on its way at once: open, and with room for it."""
        ...

    def write(self, text: bytes) -> None:
        """Sends a text, while the line is `free`."""
        ...


def line_of(scope: Scope) -> Line | None:
    """Returns the line of a socket, None where its server offers none."""
    line: Line | None = scope.get("extensions", {}).get(LINE, {}).get("line")
    return line
