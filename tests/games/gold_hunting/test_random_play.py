"""What holds after every move of games in which anything legal may happen."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from time import process_time

import pytest

from app.games.contract import IllegalMove
from app.games.gold_hunting.bars import BARS
from app.games.gold_hunting.moves import DIGS, RUSHES, SAFE, Build, Dig, Move, Rush
from app.games.gold_hunting.state import State
from tests.games.gold_hunting.pieces import pieces
from tests.games.gold_hunting.positions import GAME, UNUSED, VIEWERS, new_game

EVERY_MOVE: tuple[Move, ...] = (*DIGS.values(), *RUSHES.values(), SAFE)
COMPONENTS = {"bar 1": 8, "bar 2": 8, "bar 3": 4, "token 1": 1, "token 2": 1, "token 3": 1}


def random_build(random: Random) -> Build:
    order, cuts = random.sample(BARS, len(BARS)), sorted(random.sample(range(1, len(BARS)), 3))
    ends = zip((0, *cuts), (*cuts, len(BARS)), strict=True)
    return Build(tuple(tuple(order[start:end]) for start, end in ends))


def moves(seed: int, bust_min: int = 3) -> Iterator[tuple[State, Move, State]]:
    """Plays a game of random moves from random builds; yields states before and after each."""
    random = Random(seed)
    state = new_game(seed.to_bytes(32, "big"), bust_min=bust_min, first=-1)
    while actors := GAME.actors(state):
        seat = random.choice(actors)
        prompt = GAME.prompt(state, seat)
        assert prompt is not None
        move = random_build(random) if prompt.open else random.choice(prompt.legal)
        following = GAME.apply(state, seat, move, UNUSED).state
        yield state, move, following
        state = following


def check(seed: int, bust_min: int) -> None:
    """Plays a game and checks the bars, the turns and the points after every move."""
    digs = Counter[int]()
    state = new_game()
    for before, move, state in moves(seed, bust_min):
        assert pieces(state) == COMPONENTS
        if isinstance(move, Dig | Rush):
            digs[before.turn] += 1
            assert GAME.outcome(state) is not None or state.turn == 1 - before.turn
        for player in state.players:
            assert player.pile == tuple(sorted(player.pile))
            assert (player.safe != ()) == (player.token.use == "safe")
            assert (player.token.right is not None) == (player.token.use == "rush")
        view = GAME.view(state, None)
        assert [sum(unseen.values()) for unseen in view["unseen"]] == view["left"]
        lifted = [*view["box"], *(bar for bars in (*view["piles"], *view["safes"]) for bar in bars)]
        assert len(lifted) == sum(digs.values()) == 20 - sum(view["left"])
    assert digs == {0: 10, 1: 10}
    result = GAME.outcome(state)
    assert result is not None
    assert list(result.totals) == [points["total"] for points in GAME.view(state, None)["points"]]


@pytest.mark.parametrize("bust_min", [2, 3])
def test_the_twenty_bars_are_all_there_after_every_move(bust_min: int) -> None:
    for seed in range(150):
        check(seed, bust_min)


@pytest.mark.faults
def test_the_twenty_bars_are_all_there_after_every_move_of_ten_thousand_games() -> None:
    for seed in range(10_000):
        check(seed, 2 + seed % 2)


def test_legal_is_exactly_what_is_accepted_and_a_refusal_changes_nothing() -> None:
    for seed in range(6):
        for _, _, state in moves(seed):
            before = GAME.dump(state)
            for seat in (0, 1):
                prompt = GAME.prompt(state, seat)
                legal = () if prompt is None or prompt.open else prompt.legal
                assert len(set(legal)) == len(legal)
                assert accepted(state, seat) == set(legal)
            assert GAME.dump(state) == before


def accepted(state: State, seat: int) -> set[Move]:
    found = set()
    for move in EVERY_MOVE:
        try:
            GAME.apply(state, seat, move, UNUSED)
        except IllegalMove:
            continue
        found.add(move)
    return found


def test_four_mountains_of_all_bars_is_exactly_what_can_be_built() -> None:
    random, answers = Random("builds"), Counter[bool]()
    for _ in range(3000):
        count, size = random.choice((3, 4, 4, 4, 5)), random.choice((9, 10, 10, 10))
        drawn = [random.choice(BARS) for _ in range(size)]
        bars = random.sample(BARS, size) if random.random() < 0.7 else drawn
        cuts = sorted(random.choices(range(size + 1), k=count - 1))
        ends = zip((0, *cuts), (*cuts, size), strict=True)
        built = tuple(tuple(bars[start:end]) for start, end in ends)
        right = count == 4 and all(built) and sorted(bars) == list(BARS)
        answers[right] += 1
        try:
            GAME.apply(new_game(), 0, Build(built), UNUSED)
        except IllegalMove:
            assert not right
        else:
            assert right
    assert min(answers.values()) > 300


def test_states_and_views_survive_json() -> None:
    for seed, viewer in product(range(4), VIEWERS):
        for _, _, state in moves(seed):
            assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state
            view = GAME.view(state, viewer)
            assert json.loads(json.dumps(view)) == view


def test_it_is_fast() -> None:
    """A move with its prompt and a view for both: far above 2,000 a second on one core."""
    started, count = process_time(), 0
    for seed in range(40):
        for _, _, state in moves(seed):
            GAME.view(state, 0)
            GAME.view(state, 1)
            count += 1
    assert count / (process_time() - started) > 2000
