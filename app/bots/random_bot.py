"""The bot that any game can be played with: it makes any legal move."""

from __future__ import annotations

from app.bots.bot import Question, Sample
from app.games.chance import Chance
from app.games.contract import Json, View


class RandomBot:
    """Makes one of the listed moves, each equally likely."""

    def choose(
        self,
        view: View,  # noqa: ARG002
        prompt: Question,
        chance: Chance,
        sample: Sample,  # noqa: ARG002
    ) -> list[dict[str, Json]]:
        """Returns one move of `prompt.legal`."""
        return [chance.pick(prompt.legal)]
