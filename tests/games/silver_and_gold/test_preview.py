"""What a mark would bring, told before it is made, from the own view alone."""

from __future__ import annotations

from app.games.contract import Json
from app.games.silver_and_gold.moves import Extra, Mark
from app.games.silver_and_gold.state import State
from tests.games.silver_and_gold.positions import (
    GAME,
    Move,
    after,
    all_but,
    extra,
    has,
    keep,
    mark,
    new_game,
    position,
    take,
)
from tests.games.silver_and_gold.randomly import moments

CROSSES = 1  # xooo/.oo./xoox/oooo
PLAIN = 39  # ooo/o.o/ooo
PALM = 43  # .o../oopo/.ooo
COINS = 8  # ooco/xo.o/oc.c/oooo
NOTHING = {"coins": 0, "rows": 0, "palms": [], "extras": 0, "completes": []}


def preview(state: State, move: Move) -> dict[str, Json]:
    return dict(GAME.preview(GAME.view(state, 0), move))


def test_plain_squares_bring_nothing() -> None:
    assert preview(position(has(PLAIN), has(37)), mark(PLAIN, (0, 0), (0, 1))) == NOTHING


def test_coins_rows_and_palms() -> None:
    state = position(has(COINS, PALM, coins=3, palms=(1,)), has(37), display=[4, 25, 26, 27])
    assert preview(state, mark(COINS, (0, 2), (0, 3))) == {**NOTHING, "coins": 1, "rows": 1}
    assert preview(state, mark(PALM, (1, 1), (1, 2))) == {**NOTHING, "palms": [2]}


def test_full_boxes_take_nothing() -> None:
    state = position(has(COINS, PALM, coins=12, rows=(6, 5, 4), palms=(1, 1, 1, 1)), has(37))
    assert preview(state, mark(COINS, (0, 2))) == NOTHING
    assert preview(state, mark(PALM, (1, 2))) == NOTHING


def test_crosses_and_completed_maps() -> None:
    state = position(has(CROSSES, PLAIN), has(37))
    assert preview(state, mark(CROSSES, (0, 0))) == {**NOTHING, "extras": 1}
    owing = after(state, (0, mark(CROSSES, (0, 0))))
    assert preview(owing, extra(PLAIN, (0, 0))) == NOTHING
    assert preview(owing, extra(CROSSES, (2, 0))) == {**NOTHING, "extras": 1}
    last = position(has(all_but(PLAIN, (0, 0)), CROSSES), has(37))
    assert preview(last, mark(PLAIN, (0, 0))) == {**NOTHING, "completes": [PLAIN]}
    both = position(has(all_but(CROSSES, (0, 0))), has(37))
    assert preview(both, mark(CROSSES, (0, 0))) == {**NOTHING, "completes": [CROSSES]}


def test_other_moves_have_no_preview() -> None:
    state = new_game(2)
    assert preview(state, keep(*state.dealt[0][:2])) == {}
    assert preview(position(has(PLAIN), has(37)), take("deck")) == {}


def test_previews_come_true() -> None:
    """In random games: what is foretold is what the own view says after the move."""
    checked = 0
    for number in range(6):
        for moment in moments(2 + number % 3, number):
            state, seat = moment.before, moment.seat
            if state is None or seat is None or not isinstance(moment.move, Mark | Extra):
                continue
            view = GAME.view(state, seat)
            said = GAME.preview(view, moment.move.wire())
            now = GAME.view(moment.state, seat)
            was = view["pending"] or {"coins": 0, "palms": []}
            me, mine = view["players"][seat], now["players"][seat]
            if now["pending"] is not None:
                assert now["pending"]["coins"] == was["coins"] + said["coins"]
                assert now["pending"]["palms"] == was["palms"] + said["palms"]
                assert now["pending"]["extras"] == said["extras"]
                assert set(said["completes"]) <= set(now["pending"]["completes"])
            else:
                assert mine["coins"] == me["coins"] + was["coins"] + said["coins"]
                assert mine["palms"] == me["palms"] + was["palms"] + said["palms"]
                assert said["extras"] == 0
            checked += 1
    assert checked > 500
