"""The components: cards, nobles, tokens, and the deal."""

from __future__ import annotations

from collections import Counter

import pytest

from app.games.chance import Chance
from app.games.splendor.cards import CARDS, NOBLES, of_level
from app.games.splendor.gems import COLOURS
from tests.games.splendor.pieces import pieces
from tests.games.splendor.positions import GAME, OPTIONS, card, new_game, noble


@pytest.mark.parametrize(("level", "size", "each"), [(1, 40, 8), (2, 30, 6), (3, 20, 4)])
def test_each_level_has_as_many_cards_of_each_bonus(level: int, size: int, each: int) -> None:
    cards = [CARDS[n] for n in of_level(level)]
    assert len(cards) == size
    assert Counter(it.bonus for it in cards) == dict.fromkeys(COLOURS, each)


@pytest.mark.parametrize(("level", "cost"), [(1, 33), (2, 41), (3, 43)])
def test_a_level_costs_the_same_in_each_colour(level: int, cost: int) -> None:
    costs = [CARDS[n].cost for n in of_level(level)]
    assert [sum(of_colour) for of_colour in zip(*costs, strict=True)] == [cost] * 5


def test_the_cards_of_each_colour_have_28_points() -> None:
    points = Counter[str]()
    for it in CARDS:
        points[it.bonus] += it.points
    assert points == dict.fromkeys(COLOURS, 28)


def test_the_catalogue_is_numbered_by_rows() -> None:
    assert len(CARDS) == 90
    assert len(set(CARDS)) == 90
    assert [it.level for it in CARDS] == sorted(it.level for it in CARDS)
    assert card("black", green=1, red=3, black=1) == 0
    assert card("white", white=3, black=7) == 89
    assert CARDS[89].points == 5


def test_the_deck_is_not_symmetric() -> None:
    """Turning all colours one on, costs and bonuses alike, does not give the same deck."""

    def turned(by: int) -> set[tuple[object, ...]]:
        return {
            (
                it.level,
                it.points,
                COLOURS[(COLOURS.index(it.bonus) + by) % 5],
                *(it.cost[(at - by) % 5] for at in range(5)),
            )
            for it in CARDS
        }

    assert all(turned(by) != turned(0) for by in range(1, 5))


def test_ten_nobles_of_three_points() -> None:
    assert len(NOBLES) == 10
    assert {it.points for it in NOBLES} == {3}
    assert Counter(tuple(sorted(it.needs)) for it in NOBLES) == {
        (0, 0, 3, 3, 3): 5,
        (0, 0, 0, 4, 4): 5,
    }
    assert [sum(of_colour) for of_colour in zip(*(it.needs for it in NOBLES), strict=True)] == (
        [17] * 5
    )
    assert noble(red=4, black=4) == 9


@pytest.mark.parametrize(("seats", "stock"), [(2, 4), (3, 5), (4, 7)])
def test_the_table_for_each_number_of_seats(seats: int, stock: int) -> None:
    state = new_game(seats)
    assert state.bank == (*(stock,) * 5, 5)
    assert [len(row) for row in state.market] == [4, 4, 4]
    assert [len(deck) for deck in state.decks] == [36, 26, 16]
    assert len(state.nobles) == seats + 1
    assert state.nobles == tuple(sorted(set(state.nobles)))
    assert len(state.players) == seats
    for level in (1, 2, 3):
        cards = [*state.market[level - 1], *state.decks[level - 1]]
        assert sorted(n for n in cards if n is not None) == list(of_level(level))
    count = pieces(state)
    assert count.total() == 90 + seats + 1 + 5 * stock + 5


def test_two_to_four_seats() -> None:
    assert GAME.meta.seats == (2, 4)
    for seats in (1, 5):
        with pytest.raises(ValueError, match="expected 2 to 4 seats"):
            GAME.setup(seats, OPTIONS, Chance(bytes(32), 0))


def test_the_first_player_is_drawn_by_chance() -> None:
    starts = Counter(new_game(4, n.to_bytes(32, "big"), first=-1).turn for n in range(800))
    assert set(starts) == {0, 1, 2, 3}
    assert all(140 < count < 260 for count in starts.values())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_host_may_fix_the_first_player(seats: int) -> None:
    for seat in range(seats):
        assert {new_game(seats, bytes([n]), first=seat).turn for n in range(20)} == {seat}


@pytest.mark.parametrize(("seats", "first"), [(2, 2), (2, 3), (3, 3)])
def test_a_seat_that_is_not_at_the_table_leaves_it_to_chance(seats: int, first: int) -> None:
    drawn = [new_game(seats, bytes([n]), first=first) for n in range(40)]
    assert {state.turn for state in drawn} == set(range(seats))
    assert drawn == [new_game(seats, bytes([n]), first=-1) for n in range(40)]


def test_equal_seeds_deal_equal_games_and_different_seeds_different_ones() -> None:
    assert new_game() == new_game()
    assert len({new_game(seed=n.to_bytes(32, "big")) for n in range(1000)}) == 1000


def test_the_deal_tells_who_starts_and_nothing_else() -> None:
    (event,) = GAME.setup(3, OPTIONS | {"first": 1}, Chance(bytes(32), 0)).events
    assert event.seen_by(0) == event.seen_by(None) == {"kind": "dealt", "starts": 1}


def test_the_options() -> None:
    target, loose, first = GAME.meta.options
    assert (target.key, target.default, target.least, target.most) == ("target", 15, 10, 30)
    assert (loose.key, loose.default, loose.kind) == ("loose_take", False, "switch")
    assert (first.key, first.default) == ("first", -1)
    assert [value for value, _ in first.choices] == [-1, 0, 1, 2, 3]
