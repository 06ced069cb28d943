"""`prompt.legal` is exactly what `apply` accepts, and a refused move leaves no trace."""

from __future__ import annotations

from app.games.contract import IllegalMove
from tests.conformance.checks import check_legal, refused
from tests.conformance.driver import AnyGame, random_game, sampled
from tests.conformance.plain import text
from tests.conformance.probes import moves_to_try


def test_every_legal_move_is_accepted_and_changes_only_a_copy(game: AnyGame, games: int) -> None:
    for number in range(games):
        for position in random_game(game, number):
            check_legal(position)


def test_every_other_move_is_refused_and_changes_nothing(game: AnyGame, games: int) -> None:
    tried = 0
    for position, random in sampled(game, games, share=4):
        before = text(game.dump(position.state))
        for move in moves_to_try(game, random, 15):
            for seat in range(position.seats):
                tried += refused(position, seat, move)
        assert text(game.dump(position.state)) == before
    assert tried, "no illegal move was ever tried"


def test_a_refused_move_draws_nothing(game: AnyGame, games: int) -> None:
    for position, random in sampled(game, games, share=8):
        for move in moves_to_try(game, random, 5):
            for seat in range(position.seats):
                chance = position.chance()
                try:
                    game.apply(position.state, seat, move, chance)
                except IllegalMove:
                    assert not chance.used
