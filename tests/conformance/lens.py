"""What one viewer is shown, and what could be behind it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.games.chance import Chance
from app.games.contract import Event, IllegalMove, Json, Move
from tests.conformance.driver import AnyGame, Position
from tests.conformance.plain import text

GUESSES = 3


def guesses(position: Position, viewer: int | None) -> list[Any]:
    """Returns some guesses of a viewer, the last one a guess from a guess."""
    game = position.game
    seed = f"guess {position.number} {viewer}".encode()
    made = [game.guess(position.state, viewer, Chance(seed, k)) for k in range(GUESSES)]
    return [*made, game.guess(made[0], viewer, Chance(seed, GUESSES))]


def heard(events: Iterable[Event], viewer: int | None) -> list[Json]:
    """Returns the events that a viewer is told, as wire data."""
    return [event.seen_by(viewer) for event in events if event.tells(viewer)]


def shown(game: AnyGame, state: Any, viewer: int | None) -> str:
    """Returns all that a viewer is shown of a state."""
    prompt = None if viewer is None else game.prompt(state, viewer)
    asked = prompt and [prompt.stage, prompt.open, [move.wire() for move in prompt.legal]]
    outcome = game.outcome(state)
    seen = [game.view(state, viewer), game.actors(state), asked, outcome and outcome.wire()]
    return text(seen)


def answer(position: Position, state: Any, seat: int, move: Move) -> Json:
    """Returns what a seat learns from trying a move: the refusal, or that there is none."""
    try:
        position.game.apply(state, seat, move, position.chance())
    except IllegalMove as refused:
        return [refused.code, refused.facts]
    return None
