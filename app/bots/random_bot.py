"""The bot that any game can be played with: it makes any legal move."""

from __future__ import annotations

from app.bots.bot import Question
from app.games.chance import Chance
from app.games.contract import Json, View


class RandomBot:
    """Makes one of the listed moves, each equally likely."""

    def choose(self, view: View, prompt: Question, chance: Chance) -> list[dict[str, Json]]:  # noqa: ARG002
        """Returns one move of `prompt.legal`."""
        return [chance.pick(prompt.legal)]
