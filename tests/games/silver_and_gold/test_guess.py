"""What one viewer could imagine: everything seen is kept, the rest is dealt again."""

from __future__ import annotations

from app.games.chance import Chance
from app.games.silver_and_gold.state import State
from tests.games.silver_and_gold.pieces import pieces
from tests.games.silver_and_gold.positions import (
    GAME,
    after,
    all_but,
    extra,
    has,
    keep,
    mark,
    new_game,
    position,
    take,
)
from tests.games.silver_and_gold.randomly import moments

CROSSES = 1  # xooo/.oo./xoox/oooo
PLAIN = 39  # ooo/o.o/ooo


def guesses(state: State, viewer: int | None, count: int = 30) -> list[State]:
    return [GAME.guess(state, viewer, Chance(b"guess", k)) for k in range(count)]


def test_the_own_four_maps_are_kept_and_the_others_dealt_again() -> None:
    state = new_game(3)
    kept = after(state, (1, keep(*state.dealt[1][:2])), (2, keep(*state.dealt[2][1:3])))
    seen = guesses(kept, 1)
    assert {guess.dealt[1] for guess in seen} == {state.dealt[1]}
    assert {guess.kept[1] for guess in seen} == {state.dealt[1][:2]}
    assert len({guess.dealt[2] for guess in seen}) > 20
    for guess in seen:
        assert guess.kept[0] is None
        assert guess.kept[2] is not None
        assert set(guess.kept[2]) < set(guess.dealt[2])
        assert pieces(guess) == pieces(state)


def test_expeditions_that_have_come_this_round_are_kept() -> None:
    state = position(has(CROSSES, PLAIN), has(37), turn=4, expedition="square4")
    seen = guesses(state, 0)
    assert {guess.expeditions[:4] for guess in seen} == {state.expeditions[:4]}
    assert len({guess.expeditions[4:] for guess in seen}) > 10
    assert all(sorted(guess.expeditions) == list(range(8)) for guess in seen)


def test_a_blind_pick_is_open_from_then_on() -> None:
    state = position(has(all_but(PLAIN, (0, 0)), CROSSES), has(37))
    state = after(state, (0, mark(PLAIN, (0, 0))), (1, mark(37, (0, 0))))
    done = after(state, (0, take("deck")))
    assert all(guess.players == done.players for guess in guesses(done, 1))
    assert len({guess.deck for guess in guesses(done, 1)}) == 30


def test_marks_of_others_are_imagined_as_done_as_they_are() -> None:
    state = position(has(CROSSES, PLAIN), has(45, 38), has(8, 7))
    state = after(state, (1, mark(45, (1, 0))), (2, mark(8, (0, 0))))
    seen = guesses(state, 2)
    assert {guess.pending[2] for guess in seen} == {state.pending[2]}
    assert len({guess.pending[1] for guess in seen}) > 10
    for guess in seen:
        assert GAME.actors(guess) == (0,)
        assert not guess.choosing(1)


def test_who_is_still_choosing_may_owe_an_extra_or_not() -> None:
    state = position(has(CROSSES, PLAIN), has(37, 38))
    owing = after(state, (0, mark(CROSSES, (0, 0))))
    for true in (state, owing):
        seen = guesses(true, 1, 200)
        assert all(GAME.actors(guess) == (0, 1) for guess in seen)
        assert None in {guess.pending[0] for guess in seen}
        assert {guess.pending[0] and guess.pending[0].extras for guess in seen} == {None, 1}
    mine = guesses(owing, 0)
    assert {guess.pending[0] for guess in mine} == {owing.pending[0]}


def test_the_spectator_keeps_only_what_lies_open() -> None:
    state = after(position(has(CROSSES, PLAIN), has(37, 38)), (0, mark(PLAIN, (0, 0))))
    seen = guesses(state, None)
    assert len({guess.pending[0] for guess in seen}) > 5


def test_guesses_can_be_played_on_and_look_the_same() -> None:
    for number in range(3):
        for at, moment in enumerate(moments(2 + number, number)):
            if at % 7:
                continue
            for viewer in (*range(2 + number), None):
                guess = GAME.guess(moment.state, viewer, Chance(b"look", at))
                assert GAME.view(guess, viewer) == GAME.view(moment.state, viewer)
                assert GAME.actors(guess) == GAME.actors(moment.state)
                assert pieces(guess) == pieces(moment.state)
                if viewer is not None:
                    assert GAME.prompt(guess, viewer) == GAME.prompt(moment.state, viewer)


def test_an_extra_in_a_guess_is_legal_there() -> None:
    state = after(position(has(CROSSES, PLAIN), has(37, 38)), (0, mark(CROSSES, (0, 0))))
    for guess in guesses(state, 1):
        if guess.pending[0] is not None:
            prompt = GAME.prompt(guess, 0)
            assert prompt is not None
            assert prompt.stage == "extra"
            legal = [move.wire() for move in prompt.legal]
            assert (extra(PLAIN, (0, 0)) in legal) == (not guess.pending[0].marked[1] & 1)
