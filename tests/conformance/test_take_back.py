"""What can be taken back told its mover nothing, and leaves nothing but what others have seen."""

from __future__ import annotations

from dataclasses import replace

from app.games.contract import Move
from tests.conformance.driver import AnyGame, Position, advance, barrier, sampled
from tests.conformance.lens import guesses, heard, shown
from tests.conformance.plain import text


def told(after: Position) -> str:
    """Returns what the mover has learned once the move is made."""
    assert after.seat is not None
    seen = heard(after.events, after.seat)
    return shown(after.game, after.state, after.seat) + text(seen)


def _some_moves(position: Position, seat: int) -> tuple[Move, ...]:
    prompt = position.game.prompt(position.state, seat)
    assert prompt is not None
    every = max(1, len(prompt.legal) // 4)
    return prompt.legal[position.number % every :: every]


def test_a_move_that_can_be_taken_back_told_its_mover_nothing(game: AnyGame, games: int) -> None:
    for position, _ in sampled(game, games, share=4):
        for seat in game.actors(position.state):
            guessed = [_with(position, state) for state in guesses(position, seat)]
            for move in _some_moves(position, seat):
                after = advance(position, seat, move)
                if barrier(position, after):
                    continue
                for other in guessed:
                    other_after = advance(other, seat, move)
                    assert not barrier(other, other_after), f"{move} at {position.number}"
                    assert told(other_after) == told(after), f"{move} at {position.number}"


def test_taking_back_changes_only_what_guesses_keep(game: AnyGame, games: int) -> None:
    for position, _ in sampled(game, games, share=10):
        for seat in game.actors(position.state):
            for move in _some_moves(position, seat):
                if barrier(position, advance(position, seat, move)):
                    continue
                back = _with(position, game.taken_back(position.state, seat, [move]))
                assert game.load(game.dump(back.state)) == back.state
                for viewer in position.viewers:
                    true = shown(game, position.state, viewer)
                    assert shown(game, back.state, viewer) == true
                    for state in guesses(back, viewer):
                        assert shown(game, state, viewer) == true
                again, first = advance(back, seat, move), advance(position, seat, move)
                assert again.events == first.events
                assert not barrier(back, again)


def _with(position: Position, state: object) -> Position:
    return replace(position, state=state, before=None)
