"""No viewer can tell the true state from a guessed one by anything the house shows him."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import is_dataclass
from random import Random
from typing import Any

from app.games.contract import Event, IllegalMove, Json
from tests.conformance import hooks
from tests.conformance.driver import AnyGame, Position, every_setting, sampled, start
from tests.conformance.lens import answer, guesses, heard, shown
from tests.conformance.marked import MARK, marked
from tests.conformance.plain import text
from tests.conformance.probes import moves_to_try


def test_no_viewer_can_tell_a_guess_from_the_truth(game: AnyGame, games: int) -> None:
    for position, random in sampled(game, games, share=4):
        for viewer in position.viewers:
            true = shown(game, position.state, viewer)
            tries = moves_to_try(game, random, 6) if viewer is not None else []
            for state in guesses(position, viewer):
                assert shown(game, state, viewer) == true, f"{viewer} at move {position.number}"
                for move in tries:
                    assert viewer is not None
                    assert text(answer(position, state, viewer, move)) == text(
                        answer(position, position.state, viewer, move)
                    ), f"{viewer} tries {move} at move {position.number}"


def test_guesses_are_whole_states(game: AnyGame, games: int) -> None:
    for position, _ in sampled(game, games, share=8):
        pieces = hooks.pieces(game.meta.key, position.state)
        for viewer in position.viewers:
            before = text(game.dump(position.state))
            for state in guesses(position, viewer):
                assert game.load(game.dump(state)) == state
                assert hooks.pieces(game.meta.key, state) == pieces
            assert text(game.dump(position.state)) == before


def test_guesses_differ_where_there_are_secrets(game: AnyGame, games: int) -> None:
    told_secrets = varied = False
    for position, _ in sampled(game, games, share=8):
        told_secrets = told_secrets or any(event.secrets for event in position.events)
        true = game.dump(position.state)
        varied = varied or any(game.dump(state) != true for state in guesses(position, None))
    assert varied or not told_secrets


def test_events_tell_no_more_than_the_view_after_them(game: AnyGame, games: int) -> None:
    """Where a guess leads to the same view, what all are told on the way is the same, too.

    Secret facts are left out: a seat may be told of a card that leaves its hand in the same step.
    """
    for position, _ in sampled(game, games, share=4):
        before = position.before
        if before is None or position.seat is None or position.move is None:
            continue
        for viewer in position.viewers:
            true = shown(game, position.state, viewer)
            told = text(_facts(position.events, viewer))
            for state in guesses(before, viewer):
                try:
                    step = game.apply(state, position.seat, position.move, before.chance())
                except IllegalMove:
                    continue  # Another seat's move that the guessed state does not allow.
                if shown(game, step.state, viewer) == true:
                    seen = text(_facts(step.events, viewer))
                    assert seen == told, f"{viewer} at move {position.number}"


def _facts(events: Iterable[Event], viewer: int | None) -> list[Json]:
    return [event.seen_by(None) for event in events if event.tells(viewer)]


def test_the_events_of_the_set_up_tell_no_more_than_the_view(game: AnyGame) -> None:
    for seats, options in every_setting(game):
        told: dict[str, str] = {}
        for seed in range(60):
            position = start(game, seats, options, bytes([seed]))
            for viewer in position.viewers:
                seen = text(heard(position.events, viewer))
                key = f"{viewer} {shown(game, position.state, viewer)}"
                assert told.setdefault(key, seen) == seen


def test_a_secret_added_to_the_state_reaches_no_wire(game: AnyGame, games: int) -> None:
    for position, random in sampled(game, games, share=4):
        assert is_dataclass(position.state), "a state is a frozen dataclass"
        state = marked(position.state)
        _check_mark(position, state, random)
        for seat in game.actors(state):
            prompt = game.prompt(state, seat)
            for move in prompt.legal[:5] if prompt else ():
                step = game.apply(state, seat, move, position.chance())
                for viewer in position.viewers:
                    assert MARK not in text(heard(step.events, viewer))
                    assert MARK not in shown(game, step.state, viewer)


def _check_mark(position: Position, state: Any, random: Random) -> None:
    for viewer in position.viewers:
        assert MARK not in shown(position.game, state, viewer)
    for move in moves_to_try(position.game, random, 4):
        for seat in range(position.seats):
            assert MARK not in text(answer(position, state, seat, move))
