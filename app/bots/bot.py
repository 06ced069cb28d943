"""What a bot is: somebody at a seat who sees what a person there would see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from app.games.chance import Chance
from app.games.contract import Json, View

Sample = Callable[[], Any]
"""Returns a state of the game that the seat cannot tell from the true one, each time another."""


class Question(Protocol):
    """A prompt as a bot gets it: `legal` are moves as wire data, all of them unless `open`."""

    @property
    def stage(self) -> str:
        """What is asked, as a stable code of the game."""
        ...

    @property
    def legal(self) -> Sequence[dict[str, Json]]:
        """The accepted moves in a fixed order; if `open`, a few good examples."""
        ...

    @property
    def open(self) -> bool:
        """Whether more moves than `legal` are accepted."""
        ...


class Bot(Protocol):
    """A player made of code. It gets what a person at its seat could know, and nothing else."""

    def choose(
        self, view: View, prompt: Question, chance: Chance, sample: Sample
    ) -> list[dict[str, Json]]:
        """Returns the moves to make now, as wire data: at least one, in order.

        `sample` gives states that might be the true one, as far as the seat knows. `chance` is the
        bot's own, never the game's: nothing it draws tells of hidden cards.
        """
        ...
