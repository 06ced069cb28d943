"""What must hold at any moment of any game: the checks that tests and long runs share."""

from __future__ import annotations

import pytest

from app.games.contract import IllegalMove, Move
from tests.conformance import hooks
from tests.conformance.driver import Position
from tests.conformance.lens import guesses, shown
from tests.conformance.plain import assert_plain, text


def check_questions(position: Position) -> None:
    """Fails unless exactly the actors are asked, each with something legal to do."""
    game, state = position.game, position.state
    actors = game.actors(state)
    assert list(actors) == sorted(set(actors) & set(range(position.seats)))
    assert (game.outcome(state) is None) == (actors != ())
    for seat in range(position.seats):
        prompt = game.prompt(state, seat)
        assert (prompt is not None) == (seat in actors), f"seat {seat}, actors {actors}"
        if prompt is None:
            continue
        assert prompt.legal, f"seat {seat} may do nothing in stage {prompt.stage}"
        assert prompt == game.prompt(state, seat)
        spellings = [text(move.wire()) for move in prompt.legal]
        assert len(set(spellings)) == len(spellings), "a legal move is listed twice"


def check_outcome(last: Position) -> None:
    """Fails unless the end of a game is counted and named as it should be."""
    outcome = last.game.outcome(last.state)
    assert outcome is not None
    assert_plain(outcome.wire(), "outcome")
    assert len(outcome.ranking) == len(outcome.totals) == len(outcome.scores) == last.seats
    for place in outcome.ranking:
        better = sum(other < place for other in outcome.ranking)
        assert place == better + 1, f"ranking {outcome.ranking}"
    for total, by_source in zip(outcome.totals, outcome.scores, strict=True):
        if total is not None and by_source:
            assert total == sum(by_source.values())
    ending = (outcome.reason, outcome.tie_break)
    assert ending in hooks.endings(last.game.meta.key), f"{ending} is not in endings.py"


def check_legal(position: Position) -> None:
    """Fails unless every legal move is accepted, in the spelling that is listed."""
    game = position.game
    before = text(game.dump(position.state))
    for seat in game.actors(position.state):
        prompt = game.prompt(position.state, seat)
        assert prompt is not None
        for move in prompt.legal:
            game.apply(position.state, seat, move, position.chance())
            assert game.settled(position.state, seat, move) == move
    assert text(game.dump(position.state)) == before


def refused(position: Position, seat: int, move: Move) -> bool:
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
    with pytest.raises(IllegalMove) as refusal:
        game.apply(position.state, seat, move, position.chance())
    assert refusal.value.code.isidentifier()
    assert_plain(refusal.value.facts, f"facts of {refusal.value.code}")
    return True


def check_secrets(position: Position) -> None:
    """Fails if a viewer could tell a guess from the truth."""
    for viewer in position.viewers:
        true = shown(position.game, position.state, viewer)
        for state in guesses(position, viewer):
            assert shown(position.game, state, viewer) == true, f"{viewer} at {position.number}"
