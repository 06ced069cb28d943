"""What holds after every move of games in which anything legal may happen."""

from __future__ import annotations

import json
from itertools import pairwise
from time import process_time

import pytest

from app.games.chance import Chance
from app.games.contract import IllegalMove
from app.games.lost_cities.cards import CARDS, COLOURS, VALUE, full_deck, in_order
from app.games.lost_cities.moves import DISCARDS, DRAWS, PLAYS, Move
from app.games.lost_cities.state import State
from tests.games.lost_cities.positions import GAME, VIEWERS, new_game

EVERY_MOVE: tuple[Move, ...] = (*PLAYS.values(), *DISCARDS.values(), *DRAWS.values())


def states(seed: int, **options: int) -> list[State]:
    """Returns every state of a game of random moves."""
    players = Chance(b"players", seed)
    entropy = Chance(b"game", seed)
    played = [new_game(seed.to_bytes(32, "big"), **options)]
    while actors := GAME.actors(played[-1]):
        prompt = GAME.prompt(played[-1], actors[0])
        assert prompt is not None
        move = players.pick(prompt.legal)
        played.append(GAME.apply(played[-1], actors[0], move, entropy).state)
    return played


GAMES = [
    pytest.param({"colours": colours, "rounds": rounds, "first": -1}, id=f"{colours}x{rounds}")
    for colours in (5, 6)
    for rounds in (1, 3)
]


@pytest.mark.parametrize("options", GAMES)
def test_invariants(options: dict[str, int]) -> None:
    for state in states(1, **options):
        on_table = (*state.hands, *state.piles, *state.expeditions[0], *state.expeditions[1])
        everything = sum(on_table, state.deck)
        assert in_order(everything) == full_deck(state.colours)
        for own in state.expeditions:
            for letter, cards in zip(COLOURS, own, strict=False):
                assert all(card[0] == letter for card in cards)
                values = [VALUE[card] for card in cards]
                assert all(a < b or a == b == 0 for a, b in pairwise(values))
        for letter, pile in zip(COLOURS, state.piles, strict=False):
            assert all(card[0] == letter for card in pile)
        for seat, hand in enumerate(state.hands):
            assert hand == in_order(hand)
            short = state.phase == "draw" and seat == state.turn
            assert len(hand) == (7 if short else 8)
            assert all(hand.count(c) >= state.known[seat].count(c) for c in state.known[seat])
        assert (state.closed is None) or state.phase == "draw"
        assert bool(state.deck) == (state.phase != "over")


@pytest.mark.parametrize("options", GAMES)
def test_legal_is_exactly_what_is_accepted_and_a_refusal_changes_nothing(
    options: dict[str, int],
) -> None:
    for state in states(2, **options)[::7]:
        before = GAME.dump(state)
        for seat in (0, 1):
            prompt = GAME.prompt(state, seat)
            legal = () if prompt is None else prompt.legal
            assert len(set(legal)) == len(legal)
            accepted = set()
            for move in EVERY_MOVE:
                try:
                    GAME.apply(state, seat, move, Chance(b"try", 0))
                except IllegalMove:
                    continue
                accepted.add(move)
            assert accepted == set(legal)
        assert GAME.dump(state) == before


@pytest.mark.parametrize("options", GAMES)
def test_states_and_views_survive_json(options: dict[str, int]) -> None:
    for state in states(3, **options)[::5]:
        assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state
        for viewer in VIEWERS:
            view = GAME.view(state, viewer)
            assert json.loads(json.dumps(view)) == view


def test_codes_of_refusals_tell_nothing_hidden() -> None:
    """Every move is refused or accepted alike in the truth and in a guess of the mover."""
    for state in states(4)[::11]:
        for seat in (0, 1):
            other = GAME.guess(state, seat, Chance(b"guess", 0))
            for move in EVERY_MOVE:
                assert _answer(state, seat, move) == _answer(other, seat, move)


def _answer(state: State, seat: int, move: Move) -> tuple[str, str]:
    try:
        GAME.apply(state, seat, move, Chance(b"try", 0))
    except IllegalMove as illegal:
        return illegal.code, json.dumps(illegal.facts)
    return "ok", ""


def test_it_is_fast() -> None:
    """A move with its prompt and both views: far above 5,000 a second on one core."""
    started, moves = process_time(), 0
    for seed in range(10):
        for state in states(seed):
            GAME.view(state, 0)
            GAME.view(state, 1)
            moves += 1
    assert moves / (process_time() - started) > 5000


def test_there_are_sixty_kinds_of_card() -> None:
    assert len(CARDS) == len(set(CARDS)) == 60
