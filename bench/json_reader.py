"""A seat's states as JSON."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from bench.match import Reply
from bench.turns import Wire, half_turn, whole_turn

Choose = Callable[[Wire, random.Random], list[Wire]]

CHOICES: dict[str, Choose] = {"turn": whole_turn, "half": half_turn}
"""How a bot sends: a whole turn in one frame, or one frame for each half."""


class JsonReader:
    """Keeps the newest state and answers with `choose`."""

    def __init__(self, choose: Choose) -> None:
        self.over = False
        self._choose = choose
        self._content: dict[str, Any] | None = None

    def read(self, content: dict[str, Any]) -> None:
        """Takes the `d` of a state message."""
        self._content = content
        self.over = content["room"]["status"] == "finished"

    def reply(self, dice: random.Random) -> Reply | None:
        """Returns the answer to the open question, if there is one."""
        content = self._content
        if content is None or content["prompt"] is None:
            return None
        message = {"t": "move", "moves": self._choose(content, dice)}
        return Reply(content["prompt"]["n"], message)
