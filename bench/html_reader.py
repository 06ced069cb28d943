"""A seat's states as the regions of its page: the bot reads the form and answers as a browser."""

from __future__ import annotations

import random
import re
from typing import Any

from bench.match import Reply
from bench.turns import Wire, half_turn

_PROMPT = re.compile(r'name="prompt" value="(\d+)"')
_CARD = 'name="card" value="'
_PLAY = 'name="action" value="play"'
_DRAW = re.compile(r'name="draw" value="([^"]+)"')


class HtmlReader:
    """Keeps the region with the form, and sends one of its buttons."""

    def __init__(self) -> None:
        self.over = False
        self._form = ""

    def read(self, content: dict[str, Any]) -> None:
        """Takes the `d` of a state message: the regions that changed."""
        regions = content["regions"]
        self._form = regions.get("prompt", self._form)
        self.over = self.over or "<table" in regions.get("result", "")

    def reply(self, dice: random.Random) -> Reply | None:
        """Returns the answer to the open question, if there is one."""
        number = _PROMPT.search(self._form)
        if number is None:
            return None
        [move] = half_turn({"prompt": {"legal": self._legal()}}, dice)
        if move["kind"] == "draw":
            fields = [["draw", move["from"]]]
        else:
            fields = [["card", move["card"]], ["action", move["kind"]]]
        return Reply(int(number[1]), {"t": "form", "fields": fields})

    def _legal(self) -> list[Wire]:
        choices = self._form.split(_CARD)[1:]
        if not choices:
            return [{"kind": "draw", "from": source} for source in _DRAW.findall(self._form)]
        cards = [(choice.partition('"')[0], _PLAY in choice) for choice in choices]
        plays = [{"kind": "play", "card": card} for card, playable in cards if playable]
        return plays + [{"kind": "discard", "card": card} for card, _ in cards]
