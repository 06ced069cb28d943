"""`prompt.legal` is exactly what `apply` accepts, and a refused move leaves no trace."""

from __future__ import annotations

import pytest

from app.games.contract import IllegalMove, Move
from tests.conformance.driver import AnyGame, Position, random_game, sampled
from tests.conformance.plain import assert_plain, text
from tests.conformance.probes import moves_to_try


def test_every_legal_move_is_accepted_and_changes_only_a_copy(game: AnyGame, games: int) -> None:
    for number in range(games):
        for position in random_game(game, number):
            before = text(game.dump(position.state))
            for seat in game.actors(position.state):
                prompt = game.prompt(position.state, seat)
                assert prompt is not None
                for move in prompt.legal:
                    game.apply(position.state, seat, move, position.chance())
                    assert game.settled(position.state, seat, move) == move
            assert text(game.dump(position.state)) == before


def test_every_other_move_is_refused_and_changes_nothing(game: AnyGame, games: int) -> None:
    tried = 0
    for position, random in sampled(game, games, share=4):
        before = text(game.dump(position.state))
        for move in moves_to_try(game, random, 15):
            for seat in range(position.seats):
                tried += _try(position, seat, move)
        assert text(game.dump(position.state)) == before
    assert tried, "no illegal move was ever tried"


def _try(position: Position, seat: int, move: Move) -> bool:
    """Tries a move and tells whether it was to be refused."""
    game = position.game
    prompt = game.prompt(position.state, seat)
    settled = game.settled(position.state, seat, move)
    if prompt is not None and (prompt.open or settled in prompt.legal):
        # An open question accepts more than it lists; whether it accepts this, the game knows.
        try:
            step = game.apply(position.state, seat, move, position.chance())
        except IllegalMove:
            assert settled not in prompt.legal
        else:
            assert step == game.apply(position.state, seat, settled, position.chance())
        return False
    with pytest.raises(IllegalMove) as refused:
        game.apply(position.state, seat, move, position.chance())
    assert refused.value.code.isidentifier()
    assert_plain(refused.value.facts, f"facts of {refused.value.code}")
    return True


def test_a_refused_move_draws_nothing(game: AnyGame, games: int) -> None:
    for position, random in sampled(game, games, share=8):
        for move in moves_to_try(game, random, 5):
            for seat in range(position.seats):
                chance = position.chance()
                try:
                    game.apply(position.state, seat, move, chance)
                except IllegalMove:
                    assert not chance.used
