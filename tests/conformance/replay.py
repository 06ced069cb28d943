"""Everything random games say and hide, as one hash; runs as a program to compare processes.

python -m tests.conformance.replay <game> <number of games>
"""

from __future__ import annotations

import hashlib
import sys

from tests.conformance.driver import ALL, AnyGame, Position, random_game
from tests.conformance.lens import heard
from tests.conformance.plain import text


def position_text(position: Position) -> str:
    """Returns everything about a position as one line."""
    game, state = position.game, position.state
    told = [heard(position.events, viewer) for viewer in position.viewers]
    prompts = [game.prompt(state, seat) for seat in range(position.seats)]
    asked = [prompt and [prompt.stage, [m.wire() for m in prompt.legal]] for prompt in prompts]
    outcome = game.outcome(state)
    views = [game.view(state, viewer) for viewer in position.viewers]
    everything = [game.dump(state), views, told, asked, position.draws]
    return text([*everything, outcome.wire() if outcome else None])


def digest(game: AnyGame, games: int) -> str:
    """Returns the hash of all positions of some random games."""
    hashed = hashlib.sha256()
    for number in range(games):
        for position in random_game(game, number):
            hashed.update(position_text(position).encode())
    return hashed.hexdigest()


if __name__ == "__main__":
    print(digest(ALL[sys.argv[1]], int(sys.argv[2])))  # noqa: T201
