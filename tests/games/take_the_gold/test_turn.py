"""A turn: a card drawn, one card played or a pass, and no more than five in hand at its end."""

from __future__ import annotations

from collections import Counter

import pytest

from app.games.take_the_gold.state import State
from tests.games.take_the_gold.positions import (
    after,
    kinds,
    legal,
    position,
    refusal,
    refused,
    stage,
    step,
    told,
)

THREE = position("pirate officer", "pirate coin", "coin captain", draw="two_officers kraken")
FULL = "pirate officer officer coin coin captain"


def test_the_next_seat_draws_in_the_same_step_as_the_end_of_a_turn() -> None:
    move = step(THREE, "pass")
    assert stage(move.state) == "play 1"
    assert move.state.hands[1] == ("pirate", "two_officers", "coin")
    assert move.state.drawn[1] == ("two_officers",)
    assert kinds(move) == ["passed", "drew turn"]


def test_turns_go_clockwise() -> None:
    state = THREE
    for seat in (1, 2, 0, 1):
        state = after(state, "pass")
        assert stage(state) == f"play {seat}"


def test_one_may_play_each_attack_at_each_other_seat_or_pass() -> None:
    state = position("pirate pirate officer two_officers coin kraken", "coin", "coin", "coin")
    assert legal(state) == [
        *("pirate>1", "pirate>2", "pirate>3"),
        *("kraken>1", "kraken>2", "kraken>3"),
        "pass",
    ]


def test_the_other_seats_are_listed_clockwise() -> None:
    state = after(THREE, "pass")
    assert [move for move in legal(state) if move.startswith("pirate")] == ["pirate>2", "pirate>0"]


@pytest.mark.parametrize("card", ["officer", "two_officers", "coin"])
def test_officers_and_coins_are_never_played_on_their_own(card: str) -> None:
    state = position("pirate officer two_officers coin", "coin")
    assert refused(state, f"{card}>1") == ("not_an_attack", {"card": card})


REFUSED = [
    # what seat 0 sends in its turn -> why not
    ("kraken>1", ("not_in_hand", {"card": "kraken"})),
    ("pirate>0", ("attack_yourself", {})),
    ("pirate>3", ("no_such_seat", {"target": 3})),
    ("pirate>5", ("no_such_seat", {"target": 5})),
    ("with officer", ("nothing_to_answer", {})),
    ("with nothing", ("nothing_to_answer", {})),
    ("discard pirate", ("nothing_to_discard", {})),
    ("discard", ("nothing_to_discard", {})),
]


@pytest.mark.parametrize(("move", "why"), REFUSED)
def test_what_is_refused_in_ones_own_turn(move: str, why: tuple[str, dict[str, object]]) -> None:
    assert refused(THREE, move) == why


@pytest.mark.parametrize("move", ["pass", "pirate>0", "with nothing", "discard pirate"])
def test_others_have_to_wait_for_their_turn(move: str) -> None:
    assert refused(THREE, move, seat=1) == ("not_your_turn", {"turn": 0})


PLAYED = [
    # the answer to seat 0's pirate -> what is asked then, and what a second play meets
    ("pirate officer", "with nothing", "play 1", "not_your_turn"),
    ("pirate officer", "with officer", "play 1", "not_your_turn"),
    (FULL, "with nothing", "discard 0", "discard_first"),
]


@pytest.mark.parametrize(("hand", "answer", "asked", "code"), PLAYED)
def test_a_second_play_in_a_turn_is_refused(hand: str, answer: str, asked: str, code: str) -> None:
    state = position(f"{hand} kraken", "coin officer")
    attacked = after(state, "pirate>1")
    assert refusal(attacked, "kraken>1", seat=0) == "wait_for_answer"
    assert refusal(attacked, "pass", seat=0) == "wait_for_answer"
    settled = after(attacked, answer)
    assert stage(settled) == asked
    assert refusal(settled, "kraken>1", seat=0) == code
    assert refusal(settled, "pass", seat=0) == code


LIMIT = [
    # hand when passing -> how many have to go
    ("pirate officer coin coin", 0),
    ("pirate officer coin coin captain", 0),
    ("pirate officer coin coin captain kraken", 1),
    ("pirate officer coin coin captain kraken kraken", 2),
]


@pytest.mark.parametrize(("hand", "count"), LIMIT)
def test_no_more_than_five_are_kept_after_a_pass(hand: str, count: int) -> None:
    state = after(position(hand, "coin"), "pass")
    assert stage(state) == ("discard 0" if count else "play 1")
    if count:
        assert {len(move.split()) - 1 for move in legal(state)} == {count}
        done = after(state, legal(state)[0])
        assert len(done.hands[0]) == 5
        assert stage(done) == "play 1"


AFTER_PLAY = [
    # hand before the play, the play, the answer -> how many are too many
    ("pirate pirate officer coin coin kraken", "pirate>1", "with nothing", 1),
    ("pirate pirate officer coin coin kraken", "pirate>1", "with officer", 0),
    ("two_pirates pirate officer coin coin kraken", "two_pirates>1", "with nothing", 2),
    ("two_pirates pirate officer coin coin kraken", "two_pirates>1", "with officer", 1),
    ("captain pirate officer coin coin kraken", "captain>1", "with nothing", 2),
    ("captain pirate officer coin coin kraken", "captain>1", "with coin", 1),
    ("kraken pirate officer coin coin kraken", "kraken>1", "with nothing", 0),
]


@pytest.mark.parametrize(("hand", "play", "answer", "count"), AFTER_PLAY)
def test_no_more_than_five_are_kept_after_a_play(
    hand: str, play: str, answer: str, count: int
) -> None:
    state = after(position(hand, "officer officer coin pirate"), play, answer)
    if state.won:
        state = after(position(hand, "officer officer coin pirate", advanced=True), play, answer)
    assert stage(state) == ("discard 0" if count else "play 1")
    assert max(0, len(state.hands[0]) - 5) == count


SIX = after(position(FULL, "coin"), "pass")
DISCARDS = [
    # with pirate, 2 officers, 2 coins and a captain in hand
    ("discard pirate", ("ok", {})),
    ("discard coin", ("ok", {})),
    ("discard", ("discard_how_many", {"count": 1, "chosen": 0})),
    ("discard coin coin", ("discard_how_many", {"count": 1, "chosen": 2})),
    ("discard kraken", ("not_in_hand", {"card": "kraken"})),
    ("pass", ("discard_first", {"count": 1})),
    ("pirate>1", ("discard_first", {"count": 1})),
    ("with nothing", ("nothing_to_answer", {})),
]


@pytest.mark.parametrize(("move", "answer"), DISCARDS)
def test_only_exactly_as_many_as_are_too_many_can_be_discarded(
    move: str, answer: tuple[str, dict[str, object]]
) -> None:
    assert refused(SIX, move) == answer


def test_each_different_choice_of_what_to_discard_is_listed_once() -> None:
    assert legal(SIX) == ["discard pirate", "discard officer", "discard coin", "discard captain"]
    seven = after(position("pirate officer officer coin coin coin captain", "coin"), "pass")
    assert legal(seven) == [
        *("discard pirate officer", "discard pirate coin", "discard pirate captain"),
        *("discard officer officer", "discard officer coin", "discard officer captain"),
        *("discard coin coin", "discard coin captain"),
    ]
    assert refusal(seven, "discard pirate pirate") == "not_in_hand"


def test_what_is_discarded_goes_to_the_discard_pile_for_all_to_see() -> None:
    move = step(SIX, "discard captain")
    assert move.state.discards == ("captain",)
    assert move.state.hands[0] == ("pirate", "officer", "officer", "coin", "coin")
    assert told(move)[0] == {"kind": "discarded", "seat": 0, "cards": ["captain"]}
    assert kinds(move) == ["discarded", "drew turn"]


def test_a_hand_of_five_draws_passes_and_discards_exactly_one() -> None:
    state = after(position("pirate", "coin coin pirate officer captain"), "pass")
    assert len(state.hands[1]) == 6
    asked = after(state, "pass")
    assert stage(asked) == "discard 1"
    assert len(after(asked, "discard pirate").hands[1]) == 5


def test_the_hand_limit_is_looked_at_only_at_the_end_of_ones_own_turn() -> None:
    state = after(position(FULL, "coin", "officer"), "pass", "discard coin", "pass", "pass")
    assert stage(state) == "play 0"
    assert len(state.hands[0]) == 6


def all_cards(state: State) -> Counter[str]:
    return Counter(card for hand in state.hands for card in hand) + Counter(state.draw)


def test_a_refused_move_changes_nothing() -> None:
    before = all_cards(THREE)
    for move, _ in REFUSED:
        assert refusal(THREE, move) != "ok"
    assert all_cards(THREE) == before
