"""Positions: entries applied, questions numbered, entries taken back."""

import pytest

from app.games.contract import Json
from app.games.registry import GAMES
from app.play.position import (
    MOST_UNDOS,
    Advance,
    Position,
    Refused,
    conceded,
    opened,
    parsed,
    played,
    undoable,
    undone,
)
from tests.tiny.games import TORTURE

SEED = bytes(range(32))
HIDE = {"kind": "hide", "boxes": [2, 2, 2]}


def strongbox(seats: int = 3) -> Position:
    return opened(TORTURE, seats, {"rounds": 3}, SEED)


def lost_cities() -> Position:
    options = {"colours": 5, "rounds": 1, "first": 0}
    return opened(GAMES["lost_cities"], 2, options, SEED)


def do(position: Position, seat: int, *moves: Json) -> Position:
    return played(position, seat, parsed(position.game, moves)).position


def first_legal(position: Position, seat: int, kind: str) -> Json:
    return next(move for move in position.asked[seat].legal if move["kind"] == kind)


def numbers(position: Position) -> dict[int, int]:
    return {seat: asked.n for seat, asked in position.asked.items()}


def test_everybody_is_first_asked_after_the_start() -> None:
    assert numbers(strongbox()) == {0: 0, 1: 0, 2: 0}


def test_others_simultaneous_moves_never_change_my_prompt_number() -> None:
    position = do(strongbox(), 1, HIDE)
    assert numbers(position) == {0: 0, 2: 0}
    position = do(position, 0, HIDE)
    assert numbers(position) == {2: 0}


def test_a_new_stage_is_a_new_question_to_everybody() -> None:
    position = strongbox()
    for seat in range(3):
        position = do(position, seat, HIDE)
    assert numbers(position) == {0: 3, 1: 3, 2: 3}
    assert {asked.stage for asked in position.asked.values()} == {"bid"}


def test_taking_back_asks_me_anew_and_leaves_the_others_their_numbers() -> None:
    position = do(strongbox(), 1, HIDE)
    back = undone(position, 1).position
    assert back.v == 2
    assert numbers(back) == {0: 0, 1: 2, 2: 0}


def test_taking_back_reapplies_what_others_did_since() -> None:
    position = do(do(strongbox(), 1, HIDE), 0, HIDE)
    back = undone(position, 1).position
    assert back.state == do(strongbox(), 0, HIDE).state
    assert numbers(back) == {1: 3, 2: 0}
    assert undone(back, 0).position.state == strongbox().state


def test_others_take_backs_never_change_my_prompt_number() -> None:
    position = strongbox()
    for _ in range(3):
        position = do(position, 1, HIDE)
        assert numbers(position)[0] == 0
        position = undone(position, 1).position
        assert numbers(position)[0] == numbers(position)[2] == 0


def test_who_has_answered_is_done_while_others_still_choose() -> None:
    position = strongbox()
    assert position.done == frozenset()
    position = do(do(position, 1, HIDE), 2, HIDE)
    assert position.done == {1, 2}
    back = undone(position, 1).position
    assert back.done == {2}
    assert do(back, 1, HIDE).done == {1, 2}
    assert do(position, 0, HIDE).done == frozenset()


def test_nobody_is_done_where_one_asks_the_other() -> None:
    position = lost_cities()
    for _ in range(4):
        assert position.done == frozenset()
        (seat,) = position.actors
        position = do(position, seat, position.asked[seat].legal[-1])


def test_the_others_take_backs_do_not_count_as_mine() -> None:
    position = strongbox()
    for _ in range(MOST_UNDOS):
        position = undone(do(position, 1, HIDE), 1).position
    position = do(position, 1, HIDE)
    assert undoable(position, 1) is None
    with pytest.raises(Refused, match="too_many_undos"):
        undone(position, 1)
    assert undone(do(position, 0, HIDE), 0).position.asked[0].n == position.v + 2


def test_a_take_back_is_told_to_whoever_was_told_of_the_entry() -> None:
    hidden = undone(do(strongbox(), 1, HIDE), 1).events[0]
    assert hidden.seen_by(1) == {"kind": "undone", "seat": 1, "seq": 1}
    assert [viewer for viewer in (0, 1, 2, None) if hidden.tells(viewer)] == [1]
    assert hidden.fleeting
    open_one = do(lost_cities(), 0, first_legal(lost_cities(), 0, "discard"))
    shown = undone(open_one, 0).events[0]
    assert (shown.to, shown.fleeting) == (None, False)


def test_the_order_of_simultaneous_answers_does_not_matter() -> None:
    one = do(do(do(strongbox(), 0, HIDE), 1, HIDE), 2, HIDE)
    other = undone(do(do(strongbox(), 2, HIDE), 1, HIDE), 2).position
    other = do(do(other, 0, HIDE), 2, HIDE)
    assert one.state == other.state


def test_a_question_to_another_seat_is_a_barrier() -> None:
    position = strongbox(2)
    for seat in range(2):
        position = do(position, seat, HIDE)
    with pytest.raises(Refused, match="nothing_to_undo"):
        undone(position, 1)


def test_what_somebody_else_did_cannot_be_taken_back() -> None:
    with pytest.raises(Refused, match="nothing_to_undo"):
        undone(do(strongbox(), 1, HIDE), 0)


def test_several_moves_are_one_entry_all_or_none() -> None:
    position = lost_cities()
    discard = first_legal(position, 0, "discard")
    advance = played(
        position, 0, parsed(position.game, [discard, {"kind": "draw", "from": "deck"}])
    )
    assert advance.position.v == 1
    assert advance.position.actors == (1,)
    with pytest.raises(Refused) as refused:
        played(position, 0, parsed(position.game, [discard, discard]))
    assert (refused.value.code, refused.value.index) == ("draw_first", 1)


def test_a_list_of_moves_cannot_go_on_into_the_turn_of_another() -> None:
    position = lost_cities()
    turn = [first_legal(position, 0, "discard"), {"kind": "draw", "from": "deck"}]
    with pytest.raises(Refused) as refused:
        played(position, 0, parsed(position.game, [*turn, *turn]))
    assert (refused.value.code, refused.value.index) == ("not_asked", 2)


def test_a_card_drawn_from_the_deck_cannot_be_put_back() -> None:
    position = lost_cities()
    position = do(position, 0, first_legal(position, 0, "discard"))
    assert undone(position, 0).position.asked[0].stage == "play"
    position = do(position, 0, {"kind": "draw", "from": "deck"})
    with pytest.raises(Refused, match="nothing_to_undo"):
        undone(position, 0)


def test_who_concedes_loses_and_nothing_more_is_played() -> None:
    end = conceded(lost_cities(), 0).position
    assert end.outcome is not None
    assert (end.outcome.ranking, end.outcome.reason) == ((2, 1), "conceded")
    assert end.over
    assert end.actors == ()
    with pytest.raises(Refused, match="game_over"):
        conceded(end, 1)
    with pytest.raises(Refused, match="game_over"):
        undone(end, 0)


def test_conceding_names_a_winner_only_between_two() -> None:
    with pytest.raises(Refused, match="concede_two_only"):
        conceded(strongbox(3), 0)


def test_chance_follows_the_number_of_entries_that_drew() -> None:
    """The same entry at the same place draws the same, whatever was taken back before it."""

    def raided(position: Position) -> Advance:
        for seat in range(2):
            position = do(position, seat, {"kind": "bid", "bid": seat})
        turn = position.actors[0]
        raid = {"kind": "raid", "seat": 1 - turn, "box": 0}
        position = do(position, turn, raid)
        answer = parsed(TORTURE, [{"kind": "respond", "shield": False}])
        return played(position, 1 - turn, answer)

    straight = raided(do(do(strongbox(2), 0, HIDE), 1, HIDE))
    back = do(undone(do(strongbox(2), 0, HIDE), 0).position, 0, HIDE)
    detour = raided(do(back, 1, HIDE))
    assert straight.drew
    assert straight.events == detour.events
    assert straight.position.v + 2 == detour.position.v
