"""A replay gives equal bytes: from the journal, from a saved state, in another process."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

from tests.conformance.driver import AnyGame, advance, random_game, start
from tests.conformance.replay import digest, position_text


def test_replaying_the_moves_gives_equal_bytes(game: AnyGame, games: int) -> None:
    for number in range(games):
        played = list(random_game(game, number))
        again = start(game, played[0].seats, dict(played[0].options), played[0].seed)
        assert position_text(again) == position_text(played[0])
        for position in played[1:]:
            assert position.seat is not None
            assert position.move is not None
            again = advance(again, position.seat, game.parse(position.move.wire()))
            assert position_text(again) == position_text(position)


def test_a_loaded_state_plays_on_like_the_kept_one(game: AnyGame, games: int) -> None:
    for number in range(games):
        for position in random_game(game, number):
            seat, move, before = position.seat, position.move, position.before
            if seat is None or move is None or before is None:
                continue
            loaded = game.load(game.dump(before.state))
            step = game.apply(loaded, seat, move, before.chance())
            assert step.state == position.state
            assert step.events == position.events


def test_another_process_with_another_hash_seed_gives_equal_bytes(
    game: AnyGame, games: int
) -> None:
    """This process has a hash seed of its own, a random one."""
    there = subprocess.run(
        [sys.executable, "-m", "tests.conformance.replay", game.meta.key, str(games)],
        env={**os.environ, "PYTHONHASHSEED": str(Random(game.meta.key).randrange(1, 10_000))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.strip() == digest(game, games)
