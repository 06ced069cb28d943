"""Seats answer in any order, take answers back, answer again: the state is the same.

Whole random games are played. Each time several seats are asked at once, every seat's answers
(a mark and the extras it brings) are chosen beforehand. Then they arrive in many orders, at a table
of the house, some after other answers that were taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from random import Random

import pytest

from app.games.chance import Chance
from app.games.contract import Move
from app.play.position import Asked, Position, opened, played, undone
from tests.games.silver_and_gold.positions import GAME, OPTIONS

MOST_ORDERS = 24
Answers = dict[int, list[Move]]


def answers(position: Position, random: Random) -> Answers:
    """Chooses for each seat that is asked what it will answer, until it is asked no more."""
    chosen: Answers = {}
    for seat in position.actors:
        chosen[seat] = []
        alone = position.state
        while seat in GAME.actors(alone):
            prompt = GAME.prompt(alone, seat)
            assert prompt is not None
            move = random.choice(prompt.legal)
            chosen[seat].append(move)
            if len(position.actors) == 1 or prompt.stage in {"keep", "take_map"}:
                break
            # The others still choose, so that this never ends the turn.
            alone = GAME.apply(alone, seat, move, Chance(b"unused", 0)).state
    return chosen


def orders(chosen: Answers, random: Random) -> Iterator[tuple[int, ...]]:
    """Yields orders of arrival: one seat after the other in each order, then mixed ones."""
    seats = sorted(chosen)
    for order in permutations(seats):
        yield tuple(seat for seat in order for _ in chosen[seat])
    mixed = [seat for seat in seats for _ in chosen[seat]]
    while len(seats) > 1:
        random.shuffle(mixed)
        yield tuple(mixed)


def arrive(position: Position, chosen: Answers, order: Sequence[int]) -> Position:
    left = {seat: list(moves) for seat, moves in chosen.items()}
    for seat in order:
        position = played(position, seat, [left[seat].pop(0)]).position
    return position


def arrive_with_regrets(
    position: Position, chosen: Answers, order: Sequence[int], random: Random
) -> Position:
    """Like `arrive`, but seats first make other moves, or the same ones, and take them back."""
    left = {seat: list(moves) for seat, moves in chosen.items()}
    for at, seat in enumerate(order):
        asked = position.asked[seat].prompt
        for _ in range(random.randrange(3)):
            if set(order[at:]) == {seat}:
                break  # Nobody else is to come: any answer may be the last one of the turn.
            regretted = random.choice([*asked.legal, left[seat][0]])
            before = position.state
            position = played(position, seat, [regretted]).position
            position = undone(position, seat).position
            assert position.state == before
        # Another seat that has answered may change its mind and answer the same again.
        done = [it for it in position.loose if it.seat != seat]
        if done and random.random() < 0.3:
            last = max((it for it in done if it.seat == done[-1].seat), key=lambda it: it.seq)
            position = undone(position, last.seat).position
            position = played(position, last.seat, last.moves).position
        position = played(position, seat, [left[seat].pop(0)]).position
    return position


def asked_stages(position: Position) -> dict[int, str]:
    return {seat: asked.stage for seat, asked in position.asked.items()}


@pytest.mark.parametrize(("seats", "games"), [(2, 3), (3, 2), (4, 2)])
def test_every_order_of_answers_gives_the_same_state(seats: int, games: int) -> None:
    taken_back = 0
    for number in range(games):
        random = Random(f"orders {seats} {number}")
        position = opened(GAME, seats, OPTIONS | {"first": -1}, number.to_bytes(32, "big"))
        while position.actors:
            chosen = answers(position, random)
            all_orders = list(islice(orders(chosen, random), MOST_ORDERS))
            ends = [arrive(position, chosen, order) for order in all_orders]
            for order in random.sample(all_orders, min(4, len(all_orders))):
                end = arrive_with_regrets(position, chosen, order, random)
                taken_back += end.v - ends[0].v > 0
                ends.append(end)
            for end in ends[1:]:
                assert end.state == ends[0].state
                assert GAME.dump(end.state) == GAME.dump(ends[0].state)
                assert end.draws == ends[0].draws
                assert asked_stages(end) == asked_stages(ends[0])
            position = ends[0]
        assert position.outcome is not None
    assert taken_back > 20


def test_answers_of_others_leave_my_question_as_it_was() -> None:
    """The number of a prompt changes by its own seat's answers only, in any order."""
    random = Random("numbers")
    position = opened(GAME, 4, OPTIONS, bytes(32))
    for _ in range(12):
        chosen = answers(position, random)
        if len(chosen) > 1:
            asked: dict[int, Asked] = dict(position.asked)
            order = next(islice(orders(chosen, random), 30, None))
            left = {seat: list(moves) for seat, moves in chosen.items()}
            for seat in order[:-1]:
                position = played(position, seat, [left[seat].pop(0)]).position
                asked.pop(seat, None)
                for other, before in asked.items():
                    assert position.asked[other].n == before.n
                    assert position.asked[other].prompt == before.prompt
            position = played(position, order[-1], [left[order[-1]].pop(0)]).position
        else:
            position = arrive(position, chosen, list(chosen))


def test_a_mark_and_its_extras_may_come_as_one_entry() -> None:
    random = Random("one entry")
    position = opened(GAME, 3, OPTIONS, bytes(32))
    several = 0
    while position.actors:
        chosen = answers(position, random)
        one_by_one = arrive(position, chosen, [s for s in chosen for _ in chosen[s]])
        at_once = position
        for seat, moves in chosen.items():
            at_once = played(at_once, seat, moves).position
            several += len(moves) > 1
        assert at_once.state == one_by_one.state
        position = at_once
    assert several > 5


def test_all_but_the_last_answer_can_be_taken_back() -> None:
    random = Random("back")
    position = opened(GAME, 3, OPTIONS, bytes(32))
    for _ in range(20):
        chosen = answers(position, random)
        order = [seat for seat in chosen for _ in chosen[seat]]
        if len(chosen) > 1:
            left = {seat: list(moves) for seat, moves in chosen.items()}
            halfway = position
            for seat in order[:-1]:
                halfway = played(halfway, seat, [left[seat].pop(0)]).position
            assert len(halfway.loose) == len(order) - 1
            for seat in reversed(order[:-1]):
                halfway = undone(halfway, seat).position
            assert halfway.state == position.state
        position = arrive(position, chosen, order)
        if len(chosen) > 1:
            assert position.loose == ()
