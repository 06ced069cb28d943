"""Four maps for everybody, two are kept, the rest go back."""

from __future__ import annotations

from itertools import permutations

import pytest

from app.games.chance import Chance
from app.games.silver_and_gold.maps import MAPS
from app.games.silver_and_gold.state import State
from tests.games.silver_and_gold.pieces import pieces
from tests.games.silver_and_gold.positions import (
    GAME,
    OPTIONS,
    SEED,
    after,
    chance,
    keep,
    legal,
    mark,
    new_game,
    refusal,
    stage,
    step,
    take,
    told,
)

SEATS = (2, 3, 4)


def all_keep(state: State, order: tuple[int, ...]) -> State:
    """Everybody keeps the first and the last of the four, in this order of answers."""
    dealt = state.dealt
    return after(state, *((seat, keep(dealt[seat][0], dealt[seat][3])) for seat in order))


@pytest.mark.parametrize("seats", SEATS)
def test_everybody_gets_four_maps_and_is_asked_at_once(seats: int) -> None:
    state = new_game(seats)
    assert GAME.actors(state) == tuple(range(seats))
    assert [len(set(dealt)) for dealt in state.dealt] == [4] * seats
    assert all(dealt == tuple(sorted(dealt)) for dealt in state.dealt)
    assert len(state.deck) == 47 - 4 * seats
    assert {stage(state, seat) for seat in range(seats)} == {"keep"}
    for seat in range(seats):
        assert len(legal(state, seat)) == 6


def test_the_start_player_is_drawn_or_named() -> None:
    drawn = {
        GAME.setup(3, OPTIONS | {"first": -1}, Chance(bytes([n]), 0)).state.start for n in range(40)
    }
    assert drawn == {0, 1, 2}
    assert new_game(3, first=2).start == 2
    by_chance = {
        GAME.setup(2, OPTIONS | {"first": 3}, Chance(bytes([n]), 0)).state.start for n in range(40)
    }
    assert by_chance == {0, 1}


@pytest.mark.parametrize("seats", [1, 5])
def test_other_numbers_of_seats_are_an_error(seats: int) -> None:
    with pytest.raises(ValueError, match="seats"):
        GAME.setup(seats, OPTIONS, chance(0))


@pytest.mark.parametrize("seats", SEATS)
def test_the_order_of_answers_does_not_matter(seats: int) -> None:
    state = new_game(seats)
    ends = {str(GAME.dump(all_keep(state, order))) for order in permutations(range(seats))}
    assert len(ends) == 1


@pytest.mark.parametrize("seats", SEATS)
def test_what_is_not_kept_goes_back_and_is_shuffled(seats: int) -> None:
    state = new_game(seats)
    begun = all_keep(state, tuple(range(seats)))
    for seat, dealt in enumerate(state.dealt):
        maps = [it.map for it in begun.players[seat].maps if it is not None]
        assert maps == [dealt[0], dealt[3]]
    # By the rule: seat by seat, then by number, below the deck; then the deck is shuffled.
    returned = [number for dealt in state.dealt for number in dealt[1:3]]
    drawn = chance()
    order = drawn.shuffled([*state.deck, *returned])
    assert begun.display == order[:4]
    assert begun.deck == order[4:]
    assert begun.expeditions == drawn.shuffled(range(8))
    assert pieces(begun) == pieces(state)
    assert len(begun.deck) == 47 - 2 * seats - 4


def test_the_last_one_to_keep_starts_the_game() -> None:
    state = new_game(2)
    first = step(state, 1, keep(*state.dealt[1][:2]))
    assert not first.barrier
    assert told(first.events, "kept") == [{"seat": 1}]
    assert told(first.events, "maps_kept") == []
    assert GAME.actors(first.state) == (0,)
    last = step(first.state, 0, keep(*state.dealt[0][2:]))
    assert last.barrier
    assert told(last.events, "maps_kept") == [
        {"maps": [list(state.dealt[0][2:]), list(state.dealt[1][:2])]}
    ]
    (revealed,) = told(last.events, "revealed")
    assert [it["map"] for it in revealed["maps"]] == list(last.state.display)
    (expedition,) = told(last.events, "expedition")
    assert (expedition["round"], expedition["turn"], expedition["left"]) == (1, 1, 7)
    assert (last.state.stage, last.state.start) == ("mark", 0)
    assert GAME.actors(last.state) == (0, 1)


def test_the_choice_itself_is_told_to_its_owner_alone() -> None:
    state = new_game(3)
    made = step(state, 1, keep(*state.dealt[1][:2]))
    (mine,) = [event for event in made.events if event.kind == "chose_maps"]
    assert mine.to == (1,)
    assert mine.facts == {"seat": 1, "maps": list(state.dealt[1][:2])}
    others = [event for event in made.events if event.tells(0)]
    assert [dict(event.facts) for event in others] == [{"seat": 1}]


def test_refusals_while_keeping() -> None:
    state = new_game(2)
    mine, theirs = state.dealt
    assert refusal(state, 0, keep(mine[0])) == ("keep_two", {"chosen": 1})
    assert refusal(state, 0, keep()) == ("keep_two", {"chosen": 0})
    assert refusal(state, 0, keep(*mine[:3])) == ("keep_two", {"chosen": 3})
    facts = {"map": theirs[0], "maps": list(mine)}
    assert refusal(state, 0, keep(mine[0], theirs[0])) == ("not_dealt", facts)
    assert refusal(state, 0, mark(mine[0], (0, 0))) == ("keep_first", {})
    assert refusal(state, 0, take(mine[0])) == ("keep_first", {})
    kept = after(state, (0, keep(*mine[:2])))
    assert refusal(kept, 0, keep(*mine[2:])) == ("already_kept", {})
    begun = after(kept, (1, keep(*theirs[:2])))
    assert refusal(begun, 0, keep(*mine[:2])) == ("already_kept", {})


def test_every_map_is_dealt_to_everybody_sometimes() -> None:
    seen: set[int] = set()
    for n in range(150):
        seen.update(new_game(2, bytes([n]) + SEED).dealt[1])
    assert seen == set(MAPS)
