"""What holds after every move of games in which anything legal may happen."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from random import Random
from time import process_time
from typing import Any

import pytest

from app.games.chance import Chance
from app.games.contract import IllegalMove
from app.games.splendor.cards import BONUS, CARDS, LEVEL, NOBLES
from app.games.splendor.deal import GOLD, STOCK
from app.games.splendor.gems import COLOURS, TOKENS
from app.games.splendor.moves import (
    Buy,
    ChooseNoble,
    Move,
    Pass,
    Reserve,
    ReserveBlind,
    Return,
    Take,
)
from app.games.splendor.state import State
from tests.games.splendor.positions import GAME, new_game

UNUSED = Chance(b"unused", 0)
SEATS = (2, 3, 4)


@dataclass(frozen=True)
class Moved:
    """A move of a random game, with the states before and after it."""

    before: State
    move: Move
    state: State


def moves(seed: int, seats: int, **options: Any) -> Iterator[Moved]:
    """Plays a game of random moves, buying a little more often than by chance."""
    random = Random(f"{seed} {seats}")
    state = new_game(seats, seed.to_bytes(32, "big"), first=-1, **options)
    while actors := GAME.actors(state):
        prompt = GAME.prompt(state, actors[0])
        assert prompt is not None
        buys = [move for move in prompt.legal if isinstance(move, Buy)]
        move = random.choice(buys if buys and random.random() < 0.5 else prompt.legal)
        following = GAME.apply(state, actors[0], move, UNUSED).state
        yield Moved(state, move, following)
        state = following


def owned(state: State, seat: int) -> list[int]:
    """Counts the bonuses of a seat anew, card by card."""
    count = [0] * 5
    for number in state.players[seat].cards:
        count[BONUS[number]] += 1
    return count


def in_a_place(state: State) -> Counter[int]:
    cards = Counter(n for row in state.market for n in row if n is not None)
    cards.update(n for deck in state.decks for n in deck)
    for player in state.players:
        cards.update(player.cards)
        cards.update(reserved.card for reserved in player.reserved)
    return cards


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("loose", [False, True])
def test_invariants(seats: int, loose: bool) -> None:
    stock = (*(STOCK[seats],) * 5, GOLD)
    for seed in range(6):
        for moved in moves(seed, seats, loose_take=loose):
            state = moved.state
            held = [sum(player.tokens[at] for player in state.players) for at in range(6)]
            assert tuple(a + b for a, b in zip(held, state.bank, strict=True)) == stock
            assert in_a_place(state) == dict.fromkeys(range(90), 1)
            nobles = [*state.nobles, *(n for player in state.players for n in player.nobles)]
            assert len(set(nobles)) == len(nobles) == seats + 1
            for level, (row, deck) in enumerate(zip(state.market, state.decks, strict=True), 1):
                cards = [n for n in row if n is not None]
                assert {LEVEL[n] for n in (*cards, *deck)} <= {level}
                assert len(row) == 4
                assert len(cards) == 4 or not deck
            for seat, player in enumerate(state.players):
                assert min(player.tokens) >= 0
                assert len(player.reserved) <= 3
                returning = state.stage == "return" and seat == state.turn
                assert (sum(player.tokens) > 10) == returning


@pytest.mark.parametrize("seats", SEATS)
def test_each_turn_brings_a_satisfied_noble_and_never_two(seats: int) -> None:
    """After every turn: if the mover's bonuses cover a noble on the table, exactly one came."""
    visits = 0
    for seed in range(15):
        for moved in moves(seed, seats):
            seat = moved.before.turn
            if moved.state.turn == seat and moved.state.stage != "over":
                continue
            bonuses = owned(moved.state, seat)
            waiting = [
                noble
                for noble in moved.before.nobles
                if all(a >= b for a, b in zip(bonuses, NOBLES[noble].needs, strict=True))
            ]
            came = len(moved.before.nobles) - len(moved.state.nobles)
            assert came == (1 if waiting else 0)
            assert set(moved.before.nobles) - set(moved.state.nobles) <= set(waiting)
            visits += came
    assert visits


def payable(state: State, number: int) -> bool:
    """Tells by counting alone whether the seat to move can pay for a card."""
    player = state.players[state.turn]
    lacking = 0
    for cost, bonus, held in zip(
        CARDS[number].cost, owned(state, state.turn), player.tokens, strict=False
    ):
        lacking += max(0, cost - bonus - held)
    return lacking <= player.tokens[5]


@pytest.mark.parametrize("seats", SEATS)
def test_exactly_the_affordable_cards_can_be_bought(seats: int) -> None:
    for seed in range(4):
        for moved in moves(seed, seats):
            state = moved.state
            prompt = GAME.prompt(state, state.turn)
            if state.stage != "take" or prompt is None:
                continue
            reachable = [n for row in state.market for n in row if n is not None]
            reachable += [reserved.card for reserved in state.players[state.turn].reserved]
            listed = [move for move in prompt.legal if isinstance(move, Buy)]
            assert {move.card for move in listed} == {n for n in reachable if payable(state, n)}
            golds: dict[int, list[int]] = {}
            for move in listed:
                assert move.gold is not None
                golds.setdefault(move.card, []).append(sum(move.gold))
            assert all(by_gold == sorted(by_gold) for by_gold in golds.values())


def every_move(state: State) -> Iterator[Move]:
    """Yields every move that could be legal somewhere, payments for the cards in reach."""
    for size in range(5):
        yield from (Take(gems) for gems in combinations_with_replacement(TOKENS, size))
    yield from (Reserve(number) for number in range(90))
    yield from (ReserveBlind(level) for level in (1, 2, 3))
    yield from (ChooseNoble(noble) for noble in range(10))
    yield Pass()
    reachable = [n for row in state.market for n in row if n is not None]
    reachable += [reserved.card for player in state.players for reserved in player.reserved]
    for number in reachable:
        for gold in product(*(range(min(cost, 5) + 1) for cost in CARDS[number].cost)):
            if sum(gold) <= 5:
                yield Buy(number, gold)
    for tokens in product(range(4), repeat=6):
        if 1 <= sum(tokens) <= 3:
            yield Return(tokens)


@pytest.mark.parametrize("seats", SEATS)
def test_legal_is_exactly_what_is_accepted(seats: int) -> None:
    for at, moved in enumerate(moves(7, seats, loose_take=seats == 3)):
        state = moved.state
        if at % 9 and state.stage not in {"return", "choose_noble"}:
            continue
        before = GAME.dump(state)
        for seat in range(seats):
            prompt = GAME.prompt(state, seat)
            legal = () if prompt is None else prompt.legal
            assert len(set(legal)) == len(legal)
            assert _accepted(state, seat) == set(legal)
        assert GAME.dump(state) == before


def _accepted(state: State, seat: int) -> set[Move]:
    accepted = set()
    for move in every_move(state):
        try:
            GAME.apply(state, seat, move, UNUSED)
        except IllegalMove:
            continue
        accepted.add(move)
    return accepted


@pytest.mark.parametrize("seats", SEATS)
def test_states_and_views_survive_json(seats: int) -> None:
    for moved in list(moves(3, seats))[::5]:
        assert GAME.load(json.loads(json.dumps(GAME.dump(moved.state)))) == moved.state
        for viewer in (*range(seats), None):
            view = GAME.view(moved.state, viewer)
            assert json.loads(json.dumps(view)) == view


@pytest.mark.parametrize("seats", SEATS)
def test_everybody_has_had_as_many_turns_at_the_end(seats: int) -> None:
    for seed in range(10):
        turns = Counter[int]()
        last = None
        for last in moves(seed, seats, target=10):
            done = last.state.turn != last.before.turn or last.state.stage == "over"
            turns[last.before.turn] += done
        assert last is not None
        outcome = GAME.outcome(last.state)
        assert outcome is not None
        if outcome.reason == "target":
            assert len({turns[seat] for seat in range(seats)}) == 1


def test_it_is_fast() -> None:
    """A move with its prompt and a view for each of four seats: above 2,000 a second."""
    started, count = process_time(), 0
    for seed in range(5):
        for moved in moves(seed, 4):
            for seat in range(4):
                GAME.view(moved.state, seat)
            count += 1
    assert count / (process_time() - started) > 2000


def test_the_colours_come_first_among_the_tokens() -> None:
    assert (*COLOURS, "gold") == TOKENS
