"""High card, rule by rule."""

from __future__ import annotations

import pytest

from app.games.chance import Chance
from app.games.contract import IllegalMove
from tests.tiny.template.moves import KEEP, SWAP
from tests.tiny.template.rules import HighCard
from tests.tiny.template.state import State

GAME = HighCard()
CHANCE = Chance(b"unused", 0)


def test_a_swap_shows_the_old_card_and_takes_the_top_of_the_deck() -> None:
    step = GAME.apply(State(hands=(1, 4), deck=(3, 2)), 0, SWAP, CHANCE)
    assert step.state == State(hands=(3, 4), deck=(2,), shown=(1,), turn=1)


def test_without_a_deck_there_is_no_swap() -> None:
    with pytest.raises(IllegalMove, match="deck_empty"):
        GAME.apply(State(hands=(1, 2), deck=()), 0, SWAP, CHANCE)


def test_the_highest_card_wins() -> None:
    end = GAME.apply(State(hands=(2, 3, 1), deck=(), turn=2), 2, KEEP, CHANCE).state
    outcome = GAME.outcome(end)
    assert outcome is not None
    assert outcome.ranking == (2, 1, 3)
