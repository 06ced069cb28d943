"""A guess stacks and deals again all that the viewer cannot know, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from time import process_time

import pytest

from app.games.chance import Chance
from app.games.gold_hunting.arrangements import arranged, ways
from app.games.gold_hunting.bars import BARS, Mountains, heights, unlifted
from app.games.gold_hunting.state import State, Use
from tests.games.gold_hunting.positions import (
    GAME,
    MINE,
    VIEWERS,
    Viewer,
    after,
    bars,
    has,
    hunt,
    mountains,
    new_game,
    position,
)


def guesses(state: State, viewer: Viewer, count: int = 60) -> list[State]:
    return [GAME.guess(state, viewer, Chance(b"guess", k)) for k in range(count)]


def numbers(state: State) -> tuple[int, ...]:
    return (*(player.token.number for player in state.players), state.third)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_guess_looks_the_same_and_has_the_same_bars(viewer: Viewer) -> None:
    state = after(hunt(), "dig 1 as 2", "dig 0 as 3", "safe", "dig 2 as 1", "rush 3")
    for guess in guesses(state, viewer):
        assert GAME.view(guess, viewer) == GAME.view(state, viewer)
        for player, true in zip(guess.players, state.players, strict=True):
            assert heights(player.mountains) == heights(true.mountains)
            assert unlifted(player.mountains) == unlifted(true.mountains)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_ones_own_mountains_are_kept_and_the_others_stacked_again(viewer: Viewer) -> None:
    state = hunt()
    for seat in (0, 1):
        found = {guess.players[seat].mountains for guess in guesses(state, viewer)}
        assert (found == {state.players[seat].mountains}) == (seat == viewer)


def test_mountains_may_have_another_number_of_bars() -> None:
    sizes = {tuple(map(len, guess.players[1].mountains)) for guess in guesses(hunt(), 0)}
    assert len(sizes) > 10


def every_way(tall: tuple[int, ...], left: tuple[int, ...]) -> Iterator[Mountains]:
    """Yields all ways to stack the bars to the heights, found by trying each order."""
    for order in sorted(set(permutations(left))):
        rest, found = list(order), []
        for height in tall:
            stack: list[int] = []
            while rest and sum(stack) < height:
                stack.append(rest.pop(0))
            found.append(tuple(stack))
        if heights(tuple(found)) == tall:
            yield tuple(found)


@pytest.mark.parametrize(
    ("tall", "left"),
    [
        ((3, 0, 4, 0), "11122"),
        ((3, 3, 3, 2), "111233"),
        ((1, 2, 3, 4), "11233"),
        ((0, 0, 0, 7), "1123"),
        ((5, 0, 4, 1), "122311"),
        ((0, 0, 0, 0), ""),
    ],
)
def test_every_way_to_stack_the_bars_is_found_and_as_likely(
    tall: tuple[int, ...], left: str
) -> None:
    possible = set(every_way(tall, bars(left)))
    count = 120 * len(possible)
    found = Counter(arranged(tall, bars(left), Chance(b"fair", k)) for k in range(count))
    assert set(found) == possible
    # 120 are expected of each; five standard deviations of a Poisson count are 55.
    assert all(60 < times < 180 for times in found.values()) or len(possible) == 1
    counts = tuple(left.count(size) for size in "123")
    assert ways(tall, (counts[0], counts[1], counts[2])) == len(possible)


def test_what_cannot_be_is_an_error() -> None:
    with pytest.raises(ValueError, match="bound"):
        arranged((1, 1, 1, 1), bars("1113"), Chance(b"none", 0))


@pytest.mark.parametrize("viewer", [1, None])
def test_while_building_any_build_is_possible(viewer: Viewer) -> None:
    state = after(new_game(), (0, f"build {MINE}"))
    found = [guess.players[0].mountains for guess in guesses(state, viewer, 3000)]
    assert all(len(built) == 4 and all(built) for built in found)
    assert {unlifted(built) for built in found} == {BARS}
    # There are 84 ways to cut ten bars into four mountains.
    assert len({tuple(map(len, built)) for built in found}) == 84
    assert {guess.players[1].mountains for guess in guesses(state, viewer)} == {()}
    assert {guess.players[0].mountains for guess in guesses(state, 0)} == {mountains(MINE)}


@pytest.mark.parametrize(
    ("viewer", "uses", "count"),
    [
        (0, (None, None), 2),
        (1, (None, None), 2),
        (None, (None, None), 6),
        (0, (None, "safe"), 2),
        (0, ("rush", "safe"), 2),
        (0, ("rush", None), 2),
        (0, (None, "rush"), 1),
        (None, ("rush", None), 2),
        (None, ("safe", "safe"), 6),
        (None, ("rush", "rush"), 1),
    ],
)
def test_the_tokens_one_has_not_seen_are_dealt_again(
    viewer: Viewer, uses: tuple[Use | None, Use | None], count: int
) -> None:
    """A token put away for the safe stays unknown, one that was rushed is known to all."""
    state = position(has("1", token=3, use=uses[0]), has("1", token=1, use=uses[1]))
    found = {numbers(guess) for guess in guesses(state, viewer)}
    assert len(found) == count
    assert numbers(state) in found
    assert all(sorted(dealt) == [1, 2, 3] for dealt in found)
    if viewer is not None:
        assert len({dealt[viewer] for dealt in found}) == 1


def test_at_the_end_everything_is_known() -> None:
    state = position(has("2", mountains_="- - - -"), has(token=2, mountains_="1 - - -"))
    over = after(state, "dig 0 as 1")
    for viewer in VIEWERS:
        assert GAME.guess(over, viewer, Chance(b"guess", 0)) == over


def test_no_history_leaks_through_a_guess() -> None:
    """Two truths that look alike to a viewer give the same guess from the same chance."""
    state = after(hunt(), "dig 1 as 2", "dig 0 as 3")
    other = GAME.guess(state, 0, Chance(b"another truth", 0))
    assert other != state
    assert GAME.guess(state, 0, Chance(b"guess", 1)) == GAME.guess(other, 0, Chance(b"guess", 1))


def test_it_is_fast() -> None:
    """Above 2,000 guesses a second, so that a bot can think with many."""
    state = hunt()
    started = process_time()
    for k in range(1000):
        GAME.guess(state, None, Chance(b"fast", k))
    assert process_time() - started < 0.5
