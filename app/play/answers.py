"""What a table answers to a decision, and its memory of the answers it lately gave."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import field
from typing import TypeVar

from app.games.contract import Json
from app.games.value import value

IDS_KEPT = 8
"""How many accepted and how many refused move ids of each seat a table remembers."""


@value
class Accepted:
    """The decision is entry `v` of the journal."""

    v: int


@value
class Refusal:
    """The decision changed nothing. `code` is stable, `facts` say more, `index` which move."""

    code: str
    facts: dict[str, Json] = field(default_factory=dict)
    index: int | None = None


Answer = Accepted | Refusal
A = TypeVar("A", Accepted, Refusal)


class Answers:
    """The newest answers to each seat, by the id that its message had."""

    def __init__(self) -> None:
        self._accepted: dict[int, OrderedDict[str, Accepted]] = {}
        self._refused: dict[int, OrderedDict[str, Refusal]] = {}

    def get(self, seat: int, move_id: str) -> Answer | None:
        """Returns what the seat's message of that id was answered."""
        for answers in (self._accepted.get(seat), self._refused.get(seat)):
            if answers is not None and move_id in answers:
                return answers[move_id]
        return None

    def accepted(self, seat: int, move_id: str) -> bool:
        """Tells whether the seat's message of that id is in the journal."""
        return move_id in self._accepted.get(seat, ())

    def taken(self) -> tuple[tuple[int, str, int], ...]:
        """Returns what was accepted, oldest first for each seat: seat, move id and entry."""
        return tuple(
            (seat, move_id, answer.v)
            for seat, answers in self._accepted.items()
            for move_id, answer in answers.items()
        )

    def keep(self, seat: int, move_id: str, answer: Answer) -> None:
        """Keeps an answer; refusals must not push out what was accepted."""
        if isinstance(answer, Accepted):
            _remember(self._accepted, seat, move_id, answer)
        else:
            _remember(self._refused, seat, move_id, answer)


def _remember(answers: dict[int, OrderedDict[str, A]], seat: int, move_id: str, answer: A) -> None:
    mine = answers.setdefault(seat, OrderedDict())
    mine[move_id] = answer
    if len(mine) > IDS_KEPT:
        mine.popitem(last=False)
