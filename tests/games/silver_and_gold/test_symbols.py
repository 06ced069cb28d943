"""What the symbols on marked squares do: crosses, coins, palms."""

from __future__ import annotations

from app.games.silver_and_gold.maps import MAPS, mask_of
from app.games.silver_and_gold.marking import pending_after
from app.games.silver_and_gold.placements import PLACEMENTS
from app.games.silver_and_gold.state import Player, State
from tests.games.silver_and_gold.positions import (
    GAME,
    after,
    all_but,
    extra,
    has,
    held,
    legal,
    mark,
    marked,
    position,
    refusal,
    squares,
    stage,
    step,
    take,
    told,
)

CROSSES = 1  # xooo/.oo./xoox/oooo
COINS = 8  # ooco/xo.o/oc.c/oooo
PALM = 43  # .o../oopo/.ooo
PLAIN = 39  # ooo/o.o/ooo
WAITING = has(37, 38)
NO_PALMS = [25, 26, 27, 29]


def finish(state: State) -> State:
    """Seat 1 marks a plain square, so that the turn ends."""
    return after(state, (1, mark(37, (0, 0))))


def player(state: State, seat: int = 0) -> Player:
    return state.players[seat]


# Crosses


def test_a_cross_gives_one_more_square_anywhere_on_both_maps() -> None:
    state = after(position(has(CROSSES, PLAIN), WAITING), (0, mark(CROSSES, (0, 0), (0, 1))))
    assert stage(state, 0) == "extra"
    assert GAME.actors(state) == (0, 1)
    left = [cell for cell in squares(CROSSES) if cell not in {(0, 0), (0, 1)}]
    assert legal(state, 0) == [
        *(extra(CROSSES, cell) for cell in left),
        *(extra(PLAIN, cell) for cell in squares(PLAIN)),
    ]
    done = after(state, (0, extra(PLAIN, (1, 2))))
    assert stage(done, 0) is None
    assert marked(finish(done), 0, CROSSES) == [[0, 0], [0, 1]]
    assert marked(finish(done), 0, PLAIN) == [[1, 2]]


def test_crosses_chain() -> None:
    state = position(has(CROSSES, PLAIN), WAITING)
    state = after(state, (0, mark(CROSSES, (0, 0))), (0, extra(CROSSES, (2, 0))))
    assert stage(state, 0) == "extra"
    state = after(state, (0, extra(CROSSES, (2, 3))))
    assert stage(state, 0) == "extra"
    state = after(state, (0, extra(PLAIN, (0, 0))))
    assert stage(state, 0) is None
    assert marked(finish(state), 0, CROSSES) == [[0, 0], [2, 0], [2, 3]]


def test_an_extra_may_chain_to_the_other_map() -> None:
    state = position(has(CROSSES, 45), WAITING)  # 45: xo../oooo/..oc
    state = after(state, (0, mark(CROSSES, (0, 0))), (0, extra(45, (0, 0))))
    assert stage(state, 0) == "extra"
    assert stage(after(state, (0, extra(CROSSES, (3, 3)))), 0) is None


def test_no_printed_map_has_two_crosses_within_one_pattern() -> None:
    for number, by_expedition in PLACEMENTS.items():
        for placements in by_expedition:
            for mask, _ in placements:
                assert (mask & MAPS[number].crosses).bit_count() <= 1


def test_two_crosses_in_one_pattern_would_give_two_squares() -> None:
    state = position(has(CROSSES, PLAIN), WAITING)
    both = mask_of([(2, 0), (2, 3)])
    pending = pending_after(state, 0, 0, both, extra=False)
    assert (pending.marked, pending.extras) == ((both, 0), 2)


def test_without_an_empty_square_the_extra_is_lost() -> None:
    full = position(has(all_but(CROSSES, (0, 0))), WAITING)
    state = after(full, (0, mark(CROSSES, (0, 0))))
    assert stage(state, 0) is None
    assert GAME.actors(state) == (1,)
    two_left = position(has(all_but(CROSSES, (0, 0), (2, 0))), WAITING)
    state = after(two_left, (0, mark(CROSSES, (0, 0))))
    assert legal(state, 0) == [extra(CROSSES, (2, 0))]
    assert stage(after(state, (0, extra(CROSSES, (2, 0)))), 0) is None


def test_an_extra_has_the_same_limits_as_a_mark() -> None:
    state = after(position(has(CROSSES, PLAIN), WAITING), (0, mark(CROSSES, (0, 0), (0, 1))))
    facts = {"map": CROSSES, "cells": [[0, 1]]}
    assert refusal(state, 0, extra(CROSSES, (0, 1))) == ("square_marked", facts)
    assert refusal(state, 0, extra(PLAIN, (1, 1)))[0] == "on_a_gap"
    assert refusal(state, 0, extra(PLAIN, (0, 3)))[0] == "off_the_map"
    assert refusal(state, 0, extra(37, (0, 0)))[0] == "not_your_map"
    assert refusal(state, 0, mark(PLAIN, (0, 0))) == ("extra_first", {"extras": 1})


def test_of_a_mark_that_owes_an_extra_others_are_told_nothing() -> None:
    made = step(position(has(CROSSES, PLAIN), WAITING), 0, mark(CROSSES, (0, 0)))
    assert [event for event in made.events if event.tells(1) or event.tells(None)] == []
    assert not made.barrier
    (mine,) = made.events
    assert mine.to == (0,)
    assert mine.fleeting
    assert mine.facts == {"seat": 0, "map": CROSSES, "cells": [[0, 0]], "extras": 1}
    last = step(made.state, 0, extra(PLAIN, (0, 0)))
    assert told(last.events, "marked") == [{"seat": 0}]


# Coins


def test_a_coin_fills_the_next_box_when_all_have_marked() -> None:
    state = after(position(has(COINS, PLAIN, coins=2), WAITING), (0, mark(COINS, (0, 2), (0, 3))))
    assert player(state).coins == 2
    assert player(finish(state)).coins == 3


def test_the_symbol_of_a_single_square_counts() -> None:
    state = position(has(COINS, PLAIN), WAITING)
    assert player(finish(after(state, (0, mark(COINS, (0, 2)))))).coins == 1


def test_coins_of_pattern_and_extras_count_together() -> None:
    state = position(has(COINS, 40), WAITING, expedition="ell4")  # 40: xo./ooo/ooo
    state = after(state, (0, mark(COINS, (0, 1), (0, 2), (1, 1), (2, 1))))
    assert stage(state, 0) is None
    assert player(finish(state)).coins == 2
    state = position(has(COINS, 40), WAITING)
    state = after(state, (0, mark(40, (0, 0), (0, 1))), (0, extra(COINS, (2, 3))))
    assert player(finish(state)).coins == 1


def test_after_twelve_coins_there_is_nothing() -> None:
    state = position(
        has(COINS, PLAIN, coins=11, rows=(6, 5)), WAITING, expedition="ell4", trophies=(4, 3, 2, 1)
    )
    done = finish(after(state, (0, mark(COINS, (0, 1), (0, 2), (1, 1), (2, 1)))))
    assert player(done).coins == 12
    assert player(done).rows == (6, 5, 4)
    more = position(has(COINS, PLAIN, coins=12, rows=(6, 5, 4)), WAITING, trophies=(3, 2, 1))
    done = finish(after(more, (0, mark(COINS, (0, 2)))))
    assert (player(done).coins, player(done).rows) == (12, (6, 5, 4))
    assert done.trophies == (3, 2, 1)


# Palms


def test_a_palm_is_worth_one_and_the_palms_of_the_display() -> None:
    for display, worth in (
        (NO_PALMS, 1),
        ([25, 26, 27, 30], 2),
        ([25, 26, 5, 30], 3),
        ([4, 5, 28, 30], 5),
        ([None, None, 5, None], 2),
        ([None] * 4, 1),
    ):
        state = position(has(PALM, PLAIN), WAITING, display=display)
        done = finish(after(state, (0, mark(PALM, (1, 2)))))
        assert player(done).palms == (worth,)


def test_palms_on_players_maps_do_not_count() -> None:
    state = position(has(PALM, 41), has(37, 42), display=NO_PALMS)
    assert player(finish(after(state, (0, mark(PALM, (1, 2)))))).palms == (1,)


def test_the_display_with_two_palms_gives_three() -> None:
    state = position(has(PALM, PLAIN), WAITING, display=[25, 4, 5, 27])
    assert GAME.view(state, 0)["palm"] == 3
    assert player(finish(after(state, (0, mark(PALM, (0, 1), (1, 1)))))).palms == ()
    assert player(finish(after(state, (0, mark(PALM, (1, 1), (1, 2)))))).palms == (3,)


def test_a_fifth_palm_is_marked_and_scores_nothing() -> None:
    state = position(has(PALM, PLAIN, palms=(1, 2, 1, 4)), WAITING, display=[4, 5, 25, 26])
    done = finish(after(state, (0, mark(PALM, (1, 2)))))
    assert marked(done, 0, PALM) == [[1, 2]]
    assert player(done).palms == (1, 2, 1, 4)


def test_palms_of_one_turn_are_worth_the_same_for_all() -> None:
    """A map completed this turn is replaced later: the display does not change while marking."""
    state = position(
        has(PALM, all_but(PLAIN, (0, 0))), has(37, all_but(41, (0, 0))), display=[4, 25, 26, 27]
    )
    done = after(state, (0, mark(PALM, (1, 2))), (1, mark(41, (0, 0))))
    assert player(done, 0).palms == (2,)
    assert player(done, 1).palms == (2,)


def test_a_palm_by_an_extra_counts() -> None:
    state = position(has(CROSSES, PALM), WAITING, display=NO_PALMS)
    done = finish(after(state, (0, mark(CROSSES, (0, 0))), (0, extra(PALM, (1, 2)))))
    assert player(done).palms == (1,)


def test_a_turn_tells_what_everybody_gained() -> None:
    state = position(has(COINS, PALM), WAITING, display=[25, 26, 27, 4])
    first = after(state, (0, mark(COINS, (0, 2))))
    (seats,) = told(step(first, 1, mark(37, (0, 0))).events, "turn_marked")
    assert seats["seats"] == [
        {"seat": 0, "coins": 1, "palms": []},
        {"seat": 1, "coins": 0, "palms": []},
    ]


def test_a_map_may_be_completed_by_its_last_coin() -> None:
    state = position(has(all_but(COINS, (0, 2)), held(PLAIN)), WAITING)
    done = finish(after(state, (0, mark(COINS, (0, 2)))))
    assert player(done).completed == (COINS,)
    assert player(done).coins == 1
    assert stage(done, 0) == "take_map"
    assert {move["map"] for move in legal(done, 0)} == {*done.display, "deck"}
    assert GAME.actors(after(done, (0, take("deck")))) == (0, 1)
