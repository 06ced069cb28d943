"""Which squares may be marked: a pattern on one map, or one square."""

from __future__ import annotations

import pytest

from app.games.silver_and_gold.maps import EXPEDITIONS
from tests.games.silver_and_gold.positions import (
    GAME,
    after,
    all_but,
    extra,
    has,
    held,
    keep,
    legal,
    mark,
    marked,
    position,
    refusal,
    stage,
    step,
    take,
    told,
)

PLAIN = 25  # oooo/o..o/oooo
OTHER = 39  # ooo/o.o/ooo
THIRD = 37  # o.o./oooo/o.o.
FOURTH = 38  # o..o/oooo/o..o


def test_everybody_with_a_map_marks_at_the_same_time() -> None:
    state = position(has(PLAIN, OTHER), has(THIRD), has())
    assert GAME.actors(state) == (0, 1)
    assert [stage(state, seat) for seat in range(3)] == ["mark", "mark", None]
    assert GAME.actors(after(state, (1, mark(THIRD, (0, 0))))) == (0,)


@pytest.mark.parametrize("name", EXPEDITIONS)
def test_patterns_come_first_then_each_square_alone(name: str) -> None:
    state = position(has(PLAIN, OTHER), has(THIRD, FOURTH), expedition=name)
    moves = legal(state, 0)
    sizes = [len(move["cells"]) for move in moves]
    singles = sizes.count(1)
    assert singles == 10 + 8
    assert sizes == [sizes[0]] * (len(sizes) - singles) + [1] * singles
    for part in (moves[:-singles], moves[-singles:]):
        assert part == sorted(part, key=lambda it: (it["map"] != PLAIN, it["cells"]))


def test_a_single_square_although_the_pattern_fits() -> None:
    state = position(has(PLAIN, OTHER), has(THIRD, FOURTH))
    done = after(state, (0, mark(PLAIN, (2, 2))), (1, mark(THIRD, (1, 0), (1, 1))))
    assert marked(done, 0, PLAIN) == [[2, 2]]
    assert marked(done, 1, THIRD) == [[1, 0], [1, 1]]


def test_a_single_square_where_no_pattern_fits_any_more() -> None:
    state = position(
        has(all_but(PLAIN, (0, 0)), all_but(OTHER, (2, 2))), has(THIRD), expedition="square4"
    )
    assert legal(state, 0) == [mark(PLAIN, (0, 0)), mark(OTHER, (2, 2))]


def test_with_one_map_left_that_one_is_used() -> None:
    state = position(has(None, OTHER), has(THIRD, FOURTH))
    assert {move["map"] for move in legal(state, 0)} == {OTHER}
    assert marked(after(state, (0, mark(OTHER, (0, 0))), (1, mark(THIRD, (0, 0)))), 0, OTHER)


@pytest.mark.parametrize(
    ("move", "code", "facts"),
    [
        (mark(PLAIN, (0, 0), (0, 4)), "off_the_map", {"map": PLAIN, "cells": [[0, 4]]}),
        (mark(PLAIN, (3, 0)), "off_the_map", {"map": PLAIN, "cells": [[3, 0]]}),
        (mark(OTHER, (0, 3)), "off_the_map", {"map": OTHER, "cells": [[0, 3]]}),
        (mark(PLAIN, (0, 1), (1, 1)), "on_a_gap", {"map": PLAIN, "cells": [[1, 1]]}),
        (mark(PLAIN, (1, 1)), "on_a_gap", {"map": PLAIN, "cells": [[1, 1]]}),
        (mark(THIRD, (0, 0)), "not_your_map", {"map": THIRD, "maps": [PLAIN, OTHER]}),
        (mark(1, (0, 0)), "not_your_map", {"map": 1, "maps": [PLAIN, OTHER]}),
        (mark(PLAIN, (2, 0), (2, 1)), "square_marked", {"map": PLAIN, "cells": [[2, 0]]}),
        (mark(PLAIN, (2, 0)), "square_marked", {"map": PLAIN, "cells": [[2, 0]]}),
    ],
)
def test_cells_that_are_no_empty_squares(move: dict, code: str, facts: dict) -> None:  # type: ignore[type-arg]
    state = position(has(held(PLAIN, [(2, 0)]), OTHER), has(THIRD, FOURTH))
    assert refusal(state, 0, move) == (code, facts)


@pytest.mark.parametrize(
    "cells",
    [
        [],
        [(0, 0), (0, 2)],
        [(0, 0), (0, 1), (0, 2)],
        [(0, 0), (0, 1), (0, 2), (0, 3)],
        [(0, 0), (0, 1), (1, 0)],
    ],
)
def test_cells_that_are_not_the_pattern(cells: list[tuple[int, int]]) -> None:
    state = position(has(PLAIN, OTHER), has(THIRD, FOURTH), expedition="domino")
    code, facts = refusal(state, 0, mark(PLAIN, *cells))
    assert code == "not_the_pattern"
    assert facts == {
        "map": PLAIN,
        "expedition": "domino",
        "chosen": len(cells),
        "needed": 2,
    }


def test_a_pattern_cannot_lie_on_two_maps() -> None:
    """The wire has no spelling for it: a mark names one map."""
    state = position(has(PLAIN, OTHER), has(THIRD, FOURTH))
    assert all(move["map"] in {PLAIN, OTHER} for move in legal(state, 0))


def test_nobody_marks_twice_in_a_turn() -> None:
    state = after(position(has(PLAIN, OTHER), has(THIRD, FOURTH)), (0, mark(PLAIN, (0, 0))))
    assert refusal(state, 0, mark(PLAIN, (0, 1))) == ("already_marked", {})
    assert refusal(state, 0, extra(PLAIN, (0, 1))) == ("already_marked", {})


def test_other_moves_are_refused_while_marking() -> None:
    state = position(has(PLAIN, OTHER), has(THIRD, FOURTH), has())
    assert refusal(state, 0, extra(PLAIN, (0, 0))) == ("no_extra", {})
    assert refusal(state, 0, keep(PLAIN, OTHER)) == ("already_kept", {})
    assert refusal(state, 0, take("deck")) == ("nothing_to_take", {})
    assert refusal(state, 2, mark(PLAIN, (0, 0))) == ("no_map", {})


def test_only_the_last_mark_is_a_barrier_and_shows_everything() -> None:
    state = position(has(PLAIN, OTHER), has(THIRD, FOURTH))
    first = step(state, 1, mark(THIRD, (0, 0)))
    assert not first.barrier
    assert told(first.events, "marked") == [{"seat": 1}]
    assert told(first.events, "turn_marked") == []
    last = step(first.state, 0, mark(PLAIN, (0, 0), (0, 1)))
    assert last.barrier
    assert told(last.events, "turn_marked") == [
        {"seats": [{"seat": 0, "coins": 0, "palms": []}, {"seat": 1, "coins": 0, "palms": []}]}
    ]
