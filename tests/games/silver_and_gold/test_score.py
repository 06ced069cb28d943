"""Scoring, seat by seat from the start player on: rows, completed maps, new maps."""

from __future__ import annotations

from itertools import permutations

import pytest

from app.games.silver_and_gold.state import State
from tests.games.silver_and_gold.positions import (
    GAME,
    Move,
    after,
    all_but,
    has,
    keep,
    legal,
    mark,
    position,
    refusal,
    stage,
    step,
    take,
    told,
)

COINS = 8  # ooco/xo.o/oc.c/oooo
COINS_TOO = 7  # oc.x/o.oo/ocoo/oooc
PLAIN = 39  # ooo/o.o/ooo
PLAIN_TOO = 37  # o.o./oooo/o.o.
GREEN = 25  # oooo/o..o/oooo
LAST = (0, 0)

COIN_ON_8: Move = mark(COINS, (0, 2))
COIN_ON_7: Move = mark(COINS_TOO, (0, 1))


def both_fill_a_row(start: int, trophies: tuple[int, ...]) -> State:
    return position(
        has(COINS, PLAIN, coins=3),
        has(COINS_TOO, PLAIN_TOO, coins=3),
        start=start,
        trophies=trophies,
    )


# Rows


@pytest.mark.parametrize(("start", "rows"), [(0, ((6,), (5,))), (1, ((5,), (6,)))])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_who_is_nearer_the_start_player_takes_the_higher_trophy(
    start: int, rows: tuple[tuple[int, ...], ...], order: tuple[int, ...]
) -> None:
    state = both_fill_a_row(start, (6, 5))
    moves = [(0, COIN_ON_8), (1, COIN_ON_7)]
    done = after(state, *(moves[seat] for seat in order))
    assert tuple(player.rows for player in done.players) == rows
    assert done.trophies == ()


def test_the_highest_trophy_left_goes_to_the_row() -> None:
    done = after(both_fill_a_row(0, (4, 3, 1)), (0, COIN_ON_8), (1, COIN_ON_7))
    assert [player.rows for player in done.players] == [(4,), (3,)]
    assert done.trophies == (1,)


def test_with_all_trophies_gone_a_row_takes_nothing() -> None:
    first = after(both_fill_a_row(1, (2,)), (0, COIN_ON_8))
    made = step(first, 1, COIN_ON_7)
    assert told(made.events, "row_filled") == [
        {"seat": 1, "row": 1, "trophy": 2},
        {"seat": 0, "row": 1, "trophy": 0},
    ]
    assert [player.rows for player in made.state.players] == [(0,), (2,)]
    assert GAME.view(made.state, None)["players"][0]["rows"] == [0, None, None]
    assert GAME.view(made.state, None)["players"][0]["points"]["trophies"] == 0


def test_each_of_the_three_rows_takes_a_trophy_once() -> None:
    state = position(has(COINS, PLAIN, coins=7, rows=(3,)), has(PLAIN_TOO), trophies=(6, 5))
    done = after(state, (0, COIN_ON_8), (1, mark(PLAIN_TOO, (0, 0))))
    assert done.players[0].rows == (3, 6)
    again = after(done, (0, mark(COINS, (0, 0))), (1, mark(PLAIN_TOO, (0, 2))))
    assert again.players[0].rows == (3, 6)
    assert again.trophies == (5,)


# Completed maps


def completes_one(**fields: object) -> State:
    """Seat 0 completes map 39 by its square (0, 0) and keeps 8; seat 1 waits to mark 37."""
    state = position(
        has(all_but(PLAIN, LAST), COINS),
        has(PLAIN_TOO),
        **fields,  # type: ignore[arg-type]
    )
    return after(state, (1, mark(PLAIN_TOO, (0, 0))), (0, mark(PLAIN, LAST)))


def test_a_completed_map_is_laid_aside_and_replaced() -> None:
    state = completes_one()
    assert state.players[0].completed == (PLAIN,)
    assert GAME.actors(state) == (0,)
    assert stage(state, 0) == "take_map"
    assert GAME.view(state, 1)["taking"] == 0
    assert legal(state, 0) == [*(take(number) for number in state.display if number), take("deck")]
    wanted = state.display[2]
    assert wanted is not None
    made = step(state, 0, take(wanted))
    assert made.barrier
    maps = [it and it.map for it in made.state.players[0].maps]
    assert maps == [wanted, COINS]
    facts = {"seat": 0, "map": wanted, "from": "display", "place": 0}
    assert told(made.events, "took_map") == [facts]
    assert told(made.events, "revealed") == [{"maps": [{"place": 2, "map": state.deck[0]}]}]
    assert made.state.display[2] == state.deck[0]
    assert made.state.deck == state.deck[1:]
    assert GAME.actors(made.state) == (0, 1)


def test_the_top_of_the_deck_may_be_taken_unseen() -> None:
    state = completes_one()
    made = step(state, 0, take("deck"))
    assert made.barrier
    facts = {"seat": 0, "map": state.deck[0], "from": "deck", "place": 0}
    assert told(made.events, "took_map") == [facts]
    assert made.state.display == state.display
    assert made.state.deck == state.deck[1:]
    for viewer in (0, 1, None):
        view = GAME.view(made.state, viewer)
        assert view["players"][0]["maps"][0] == {"map": state.deck[0], "marked": []}


def test_a_new_map_can_be_marked_from_the_next_turn_on() -> None:
    state = completes_one()
    done = after(state, (0, take("deck")))
    new = state.deck[0]
    assert done.turn == state.turn + 1
    assert new in {move["map"] for move in legal(done, 0)}


def completes_two(**fields: object) -> State:
    state = position(
        has(all_but(PLAIN, LAST), all_but(45, LAST)),  # 45: xo../oooo/..oc
        has(all_but(PLAIN_TOO, LAST), COINS),
        **fields,  # type: ignore[arg-type]
    )
    done = after(state, (0, mark(45, LAST)), (1, mark(PLAIN_TOO, LAST)))
    # The cross on the last square of 45 gives the last square of the other map.
    return after(done, (0, {"kind": "extra", "map": PLAIN, "cell": [0, 0]}))


def test_two_completed_maps_give_two_picks_and_refill_only_after_the_second() -> None:
    state = completes_two()
    assert state.players[0].completed == (PLAIN, 45)
    first, second = state.display[1], state.display[3]
    assert first is not None
    assert second is not None
    made = step(state, 0, take(first))
    assert not made.barrier
    assert told(made.events, "revealed") == []
    assert made.state.display == (state.display[0], None, state.display[2], second)
    assert GAME.actors(made.state) == (0,)
    assert first not in [move["map"] for move in legal(made.state, 0)]
    done = step(made.state, 0, take(second))
    assert done.barrier
    assert done.state.display == (state.display[0], state.deck[0], state.display[2], state.deck[1])
    assert [it and it.map for it in done.state.players[0].maps] == [first, second]


def test_a_blind_pick_is_seen_before_the_next_pick() -> None:
    state = completes_two()
    made = step(state, 0, take("deck"))
    assert made.barrier
    assert GAME.actors(made.state) == (0,)
    assert GAME.view(made.state, 0)["players"][0]["maps"][0] == {
        "map": state.deck[0],
        "marked": [],
    }
    assert take("deck") in legal(made.state, 0)
    done = after(made.state, (0, take("deck")))
    assert [it and it.map for it in done.players[0].maps] == list(state.deck[:2])


@pytest.mark.parametrize("start", [0, 1])
def test_seats_take_maps_in_turn_from_the_start_player(start: int) -> None:
    state = position(
        has(all_but(PLAIN, LAST), COINS), has(all_but(PLAIN_TOO, LAST), COINS_TOO), start=start
    )
    done = after(state, (0, mark(PLAIN, LAST)), (1, mark(PLAIN_TOO, LAST)))
    assert GAME.actors(done) == (start,)
    # The other map lies in its place, full, until its seat's turn comes.
    assert done.players[1 - start].completed == ()
    wanted = done.display[0]
    assert wanted is not None
    other = 1 - start
    assert refusal(done, other, take(wanted)) == ("not_your_turn", {"taking": start})
    done = after(done, (start, take(wanted)))
    assert GAME.actors(done) == (other,)
    assert done.display[0] not in {None, wanted}
    assert done.players[other].completed
    done = after(done, (other, take("deck")))
    assert GAME.actors(done) == (0, 1)
    assert done.turn == 2


def test_trophies_of_a_later_seat_come_after_the_picks_of_an_earlier_one() -> None:
    state = position(has(all_but(PLAIN, LAST), COINS), has(COINS_TOO, PLAIN_TOO, coins=3), start=0)
    first = step(after(state, (0, mark(PLAIN, LAST))), 1, COIN_ON_7)
    assert told(first.events, "row_filled") == []
    assert first.state.players[1].coins == 4
    second = step(first.state, 0, take("deck"))
    assert told(second.events, "row_filled") == [{"seat": 1, "row": 1, "trophy": 6}]


def test_a_row_is_filled_before_the_map_is_laid_aside() -> None:
    state = position(has(all_but(COINS, (0, 2)), PLAIN, coins=3), has(PLAIN_TOO))
    made = step(after(state, (1, mark(PLAIN_TOO, LAST))), 0, COIN_ON_8)
    kinds = [event.kind for event in made.events if event.kind in {"row_filled", "completed"}]
    assert kinds == ["row_filled", "completed"]
    assert told(made.events, "completed") == [{"seat": 0, "map": COINS, "points": 14}]


def test_refusals_while_a_map_is_taken() -> None:
    state = completes_one()
    there = list(state.display)
    assert refusal(state, 0, take(PLAIN)) == ("not_in_display", {"map": PLAIN, "display": there})
    assert refusal(state, 0, mark(COINS, (0, 0))) == ("take_map_first", {})
    assert refusal(state, 0, keep(1, 2)) == ("already_kept", {})
    assert refusal(state, 1, mark(PLAIN_TOO, (0, 2))) == ("not_your_turn", {"taking": 0})


# Running out


def test_without_a_deck_the_display_is_not_refilled() -> None:
    state = completes_one(deck=[], display=[GREEN, 26, 27, 29])
    assert take("deck") not in legal(state, 0)
    facts = {"display": [GREEN, 26, 27, 29]}
    assert refusal(state, 0, take("deck")) == ("deck_empty", facts)
    done = step(state, 0, take(26))
    assert done.state.display == (GREEN, None, 27, 29)
    assert told(done.events, "revealed") == []


def test_the_deck_refills_as_far_as_it_goes() -> None:
    state = completes_two(deck=[30], display=[GREEN, 26, 27, 29])
    done = after(state, (0, take(27)), (0, take(GREEN)))
    assert done.display == (30, 26, None, 29)
    assert done.deck == ()


def test_an_empty_display_leaves_the_deck_and_the_other_way_round() -> None:
    state = completes_one(deck=[30, 31], display=[None] * 4)
    assert legal(state, 0) == [take("deck")]
    state = completes_one(deck=[], display=[None, 26, None, None])
    assert legal(state, 0) == [take(26)]


def test_one_map_for_two_completed_ones() -> None:
    state = completes_two(deck=[], display=[None, 26, None, None])
    made = step(state, 0, take(26))
    assert [it and it.map for it in made.state.players[0].maps] == [26, None]
    # The next seat completed a map as well and finds nothing.
    assert made.state.players[1].completed == (PLAIN_TOO,)
    assert made.state.players[1].maps[0] is None
    assert GAME.actors(made.state) == (0, 1)
    assert made.state.turn == 2


def test_a_place_left_empty_before_is_not_filled_later() -> None:
    state = after(position(has(None, PLAIN), has(PLAIN_TOO)), (0, mark(PLAIN, LAST)))
    done = after(state, (1, mark(PLAIN_TOO, LAST)))
    assert done.turn == 2
    assert done.players[0].maps[0] is None


def test_no_map_left_means_no_question() -> None:
    state = completes_one(deck=[], display=[None] * 4)
    assert state.turn == 2
    assert [it and it.map for it in state.players[0].maps] == [None, COINS]
    assert GAME.actors(state) == (0, 1)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_marks_does_not_matter_for_scoring(order: tuple[int, ...]) -> None:
    state = position(
        has(all_but(PLAIN, LAST), COINS, coins=3),
        has(COINS_TOO, PLAIN_TOO, coins=3),
        has(all_but(38, LAST), 45),
        start=2,
    )
    moves = [mark(PLAIN, LAST), COIN_ON_7, mark(38, LAST)]
    done = after(state, *((seat, moves[seat]) for seat in order))
    same = after(state, *((seat, moves[seat]) for seat in range(3)))
    assert done == same
    assert GAME.actors(done) == (2,)
