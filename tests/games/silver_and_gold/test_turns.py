"""Turns and rounds: the start player, the expeditions, the last turn, seats without maps."""

from __future__ import annotations

from app.games.chance import Chance
from app.games.silver_and_gold.maps import EXPEDITIONS
from app.games.silver_and_gold.state import State
from tests.games.silver_and_gold.positions import (
    GAME,
    Move,
    after,
    all_but,
    chance,
    extra,
    has,
    keep,
    legal,
    mark,
    position,
    refusal,
    step,
    take,
    told,
)
from tests.games.silver_and_gold.randomly import moments

PLAIN = 39  # ooo/o.o/ooo
LAST = (0, 0)


def single(number: int) -> Move:
    return mark(number, LAST)


def test_the_start_player_moves_on_after_every_turn_across_rounds() -> None:
    for seats in (2, 3, 4):
        starts = {}
        for moment in moments(seats, 5):
            state = moment.state
            if state.stage in {"mark", "score"}:
                starts[(state.round, state.turn)] = state.start
        turns = [(r, t) for r in range(1, 5) for t in range(1, 8)]
        assert list(starts) == turns
        first = starts[(1, 1)]
        assert [starts[turn] for turn in turns] == [(first + n) % seats for n in range(28)]


def test_each_round_has_all_eight_expeditions_and_shows_seven() -> None:
    orders = {}
    for moment in moments(3, 8):
        state = moment.state
        if state.expeditions:
            assert sorted(state.expeditions) == list(range(8))
            orders[state.round] = state.expeditions
    assert len(set(orders.values())) == 4


def test_the_expedition_is_told_when_it_comes() -> None:
    state = position(has(PLAIN), has(38), expedition="tee4", turn=3, start=1)
    made = step(after(state, (0, single(PLAIN))), 1, single(38))
    name = EXPEDITIONS[state.expeditions[3]]
    assert told(made.events, "expedition") == [
        {"expedition": name, "round": 1, "turn": 4, "start": 0, "left": 4}
    ]
    view = GAME.view(made.state, None)
    assert (view["expedition"], view["turn"], view["left"], view["start"]) == (name, 4, 4, 0)


def end_of_round(number: int = 1, *, start: int = 0) -> State:
    return position(has(PLAIN), has(38), turn=7, round=number, start=start)


def test_a_round_ends_after_seven_turns_and_the_next_is_shuffled() -> None:
    state = end_of_round(start=1)
    drawn = chance(4)
    first = after(state, (0, single(PLAIN)))
    made = GAME.apply(first, 1, GAME.parse(single(38)), drawn)
    assert drawn.used
    assert made.state.expeditions == chance(4).shuffled(range(8))
    assert (made.state.round, made.state.turn, made.state.start) == (2, 1, 0)
    came = [EXPEDITIONS[number] for number in state.expeditions[:7]]
    assert told(made.events, "round_over") == [{"round": 1, "expeditions": came}]
    (over,) = [event for event in made.events if event.kind == "round_over"]
    assert not over.fleeting


def test_nothing_is_drawn_within_a_round() -> None:
    drawn = Chance(b"unused", 0)
    state = after(position(has(PLAIN), has(38)), (0, single(PLAIN)))
    GAME.apply(state, 1, GAME.parse(single(38)), drawn)
    assert not drawn.used


def test_after_the_last_turn_maps_and_rows_score_and_nothing_is_taken() -> None:
    state = position(
        has(all_but(PLAIN, LAST), 8, coins=3),  # 8: ooco/xo.o/oc.c/oooo
        has(38, 7, coins=3),  # 7: oc.x/o.oo/ocoo/oooc
        turn=7,
        round=4,
    )
    made = step(after(state, (0, single(PLAIN))), 1, mark(7, (0, 1)))
    end = made.state
    assert end.stage == "over"
    assert GAME.actors(end) == ()
    assert end.players[0].completed == (PLAIN,)
    assert end.players[0].maps[0] is None
    assert end.players[1].rows == (6,)
    assert told(made.events, "took_map") == []
    assert told(made.events, "expedition") == []
    assert told(made.events, "round_over")
    assert GAME.view(end, None)["expedition"] is None
    for move in (single(38), extra(38, LAST), take("deck"), keep(1, 2)):
        assert refusal(end, 1, move) == ("game_over", {})
    assert legal(end, 0) == []


def test_a_seat_without_maps_is_not_asked() -> None:
    state = position(has(PLAIN), has(), has(38), deck=[], display=[None] * 4)
    assert GAME.actors(state) == (0, 2)
    assert GAME.view(state, None)["status"] == ["choosing", "none", "choosing"]
    done = after(state, (0, single(PLAIN)), (2, single(38)))
    assert (done.turn, done.start) == (2, 1)
    assert GAME.actors(done) == (0, 2)


def test_turns_without_any_map_pass_by_themselves_to_the_end() -> None:
    state = position(
        has(all_but(PLAIN, LAST)),
        has(),
        deck=[],
        display=[None] * 4,
        turn=5,
        round=3,
        start=1,
    )
    made = step(state, 0, single(PLAIN))
    assert made.state.stage == "over"
    assert [(it["round"], it["turn"]) for it in told(made.events, "passed")] == [
        (3, 6),
        (3, 7),
        *((4, turn) for turn in range(1, 8)),
    ]
    assert [it["round"] for it in told(made.events, "round_over")] == [3, 4]
    outcome = GAME.outcome(made.state)
    assert outcome is not None
    assert outcome.totals == (8, 0)
