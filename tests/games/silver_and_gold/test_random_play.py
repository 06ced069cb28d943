"""What holds after every move of games in which anything legal may happen."""

from __future__ import annotations

import json
from time import process_time

import pytest

from app.games.silver_and_gold.maps import MAPS
from app.games.silver_and_gold.moves import Extra, Mark, TakeMap
from app.games.silver_and_gold.state import State
from tests.games.silver_and_gold.pieces import pieces
from tests.games.silver_and_gold.positions import GAME
from tests.games.silver_and_gold.randomly import Moment, moments

SEATS = (2, 3, 4)


@pytest.mark.parametrize("seats", SEATS)
def test_invariants(seats: int) -> None:
    for number in range(8):
        for moment in moments(seats, number):
            state = moment.state
            count = pieces(state)
            assert len(count) == 47 + 8 + 6
            assert set(count.values()) == {1}
            for player in state.players:
                assert 0 <= player.coins <= 12
                assert len(player.palms) <= 4
                assert len(player.rows) <= player.coins // 4 <= 3
                for held in player.maps:
                    assert held is None or held.marked & ~MAPS[held.map].squares == 0
            if state.stage == "mark":
                assert None not in state.display
                for player in state.players:
                    # A map kept from an earlier turn always has an empty square.
                    assert all(held is not None and held.empty for held in player.maps)
                    assert len(player.rows) == player.coins // 4
            assert (GAME.actors(state) == ()) == (state.stage == "over")


@pytest.mark.parametrize("seats", SEATS)
def test_a_turn_adds_at_most_four_coins_and_one_row(seats: int) -> None:
    for number in range(10):
        for moment in moments(seats, number):
            rows = [event.facts["seat"] for event in moment.events if event.kind == "row_filled"]
            assert len(set(rows)) == len(rows)
            for event in moment.events:
                if event.kind == "turn_marked":
                    assert all(it["coins"] <= 4 for it in event.facts["seats"])


def squares_marked(state: State, seat: int) -> int:
    maps = state.players[seat].maps
    count = sum(held.marked.bit_count() for held in maps if held is not None)
    return count + sum(MAPS[number].points for number in state.players[seat].completed)


@pytest.mark.parametrize("seats", SEATS)
def test_every_seat_marks_in_every_turn_and_every_cross_gives_a_square(seats: int) -> None:
    for number in range(4):
        turn: dict[int, list[Moment]] = {}
        turns = 0
        before = None
        for moment in moments(seats, number):
            if isinstance(moment.move, Mark | Extra) and moment.seat is not None:
                turn.setdefault(moment.seat, []).append(moment)
                before = before or moment.before
            if any(event.kind == "turn_marked" for event in moment.events):
                assert before is not None
                assert sorted(turn) == list(range(seats))
                for seat, made in turn.items():
                    _check_turn(before, moment.state, seat, made)
                turn, before = {}, None
                turns += 1
        assert turns == 28


def _check_turn(before: State, after: State, seat: int, made: list[Moment]) -> None:
    moves = [moment.move for moment in made]
    assert [type(move) for move in moves] == [Mark, *[Extra] * (len(moves) - 1)]
    cells = sum(len(move.cells) if isinstance(move, Mark) else 1 for move in moves if move)
    assert squares_marked(after, seat) == squares_marked(before, seat) + cells
    crosses = 0
    for move in moves:
        assert isinstance(move, Mark | Extra)
        rows = MAPS[move.map].rows
        marked = move.cells if isinstance(move, Mark) else (move.cell,)
        crosses += sum(rows[row][column] == "x" for row, column in marked)
    # Only where no square was left empty an extra may have been lost.
    lost = crosses - (len(moves) - 1)
    assert lost == 0 or (lost == 1 and _nothing_empty(after, seat))


def _nothing_empty(state: State, seat: int) -> bool:
    return not any(held is not None and held.empty for held in state.players[seat].maps)


@pytest.mark.parametrize("seats", SEATS)
def test_a_new_map_for_each_completed_one_but_in_the_last_turn(seats: int) -> None:
    for number in range(6):
        completed = taken = 0
        last = None
        for last in moments(seats, number):
            completed += sum(event.kind == "completed" for event in last.events)
            taken += isinstance(last.move, TakeMap)
        assert last is not None
        assert completed == sum(len(player.completed) for player in last.state.players)
        empty = sum(player.maps.count(None) for player in last.state.players)
        assert taken == completed - empty


@pytest.mark.parametrize("seats", SEATS)
def test_states_and_views_survive_json(seats: int) -> None:
    for moment in list(moments(seats, 3))[::5]:
        state = moment.state
        assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state
        for viewer in (*range(seats), None):
            view = GAME.view(state, viewer)
            assert json.loads(json.dumps(view)) == view


def test_it_is_fast() -> None:
    """A move with its prompt and a view for each of four seats: above 2,000 a second."""
    started, count = process_time(), 0
    for number in range(8):
        for moment in moments(4, number):
            for seat in range(4):
                GAME.view(moment.state, seat)
            count += 1
    assert count / (process_time() - started) > 2000
