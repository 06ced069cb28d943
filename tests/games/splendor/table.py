"""A built position at a table of the house, to play and take back there."""

from __future__ import annotations

from app.games.contract import Prompt
from app.games.splendor.moves import Move
from app.games.splendor.rules import Splendor
from app.games.splendor.state import State
from app.play.position import Asked, Position


def at_table(game: Splendor, state: State, seed: bytes) -> Position:
    """Returns the position of a table at which `state` has just been reached."""
    prompt: Prompt[Move] | None = game.prompt(state, state.turn)
    assert prompt is not None
    return Position(
        game=game,
        seats=len(state.players),
        seed=seed,
        state=state,
        v=0,
        draws=1,
        asked={state.turn: Asked(0, prompt)},
    )
