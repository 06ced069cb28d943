"""Byte search: nothing a viewer is sent names a card that is hidden from it, in any round."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from app.games.chance import Chance
from app.games.contract import Step
from app.games.lost_cities.cards import VALUE
from app.games.lost_cities.state import State
from app.play.position import Position, opened, played, undone
from tests.games.lost_cities.positions import GAME, OPTIONS, SEED, VIEWERS, Viewer, cards


def steps(seed: int, **options: int) -> Iterator[Step[State]]:
    """Plays random moves to the end of the last round."""
    players = Chance(b"players", seed)
    entropy = Chance(b"game", seed)
    step = GAME.setup(2, OPTIONS | options, entropy)
    yield step
    while actors := GAME.actors(step.state):
        prompt = GAME.prompt(step.state, actors[0])
        assert prompt is not None
        step = GAME.apply(step.state, actors[0], players.pick(prompt.legal), entropy)
        yield step


def hidden(state: State, viewer: Viewer) -> set[str]:
    """Returns the numbers that the viewer has not seen go where they are.

    Investments are left out: their name is public as soon as one of the three is.
    """
    secret = set(state.deck)
    for seat, hand in enumerate(state.hands):
        if seat != viewer:
            secret |= set(hand) - set(state.known[seat])
    return {card for card in secret if VALUE[card]}


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("options", [{"rounds": 3}, {"rounds": 3, "colours": 6}])
def test_nothing_sent_names_a_hidden_card(viewer: Viewer, options: dict[str, int]) -> None:
    for step in steps(5, **options):
        sent: list[object] = [GAME.view(step.state, viewer)]
        # What ended a round is told after the next deal, and tells of cards now hidden anew.
        if not any(event.kind == "round_over" for event in step.events):
            sent += [event.seen_by(viewer) for event in step.events]
        prompt = None if viewer is None else GAME.prompt(step.state, viewer)
        sent += [] if prompt is None else [move.wire() for move in prompt.legal]
        text = json.dumps(sent)
        named = [card for card in hidden(step.state, viewer) if f'"{card}"' in text]
        assert named == []


def test_a_round_that_ends_tells_points_and_no_cards_but_the_one_drawn() -> None:
    ends = [step for step in steps(6, rounds=3) if len(step.events) > 1]
    assert len(ends) == 3
    for step in ends:
        for event in step.events:
            assert "card" not in event.facts
        drew, told, *_ = step.events
        assert list(drew.secrets) == [drew.facts["seat"]]
        assert set(told.facts) == {"round", "scores", "totals"}
        assert not told.secrets


def test_the_views_of_a_spectator_name_no_hand() -> None:
    for step in steps(7, rounds=3):
        assert GAME.view(step.state, None)["hand"] == []


def test_a_take_back_at_the_table_is_remembered() -> None:
    """The same through the house: play, take back, play on."""
    start: Position = opened(GAME, 2, OPTIONS, SEED)
    (card, *_) = start.state.hands[0]
    laid = played(start, 0, [GAME.parse({"kind": "discard", "card": card})]).position
    back = undone(laid, 0).position
    assert back.v == 2
    assert back.state.hands == start.state.hands
    assert GAME.view(back.state, 1) == GAME.view(start.state, 1)
    for k in range(20):
        assert card in GAME.guess(back.state, 1, Chance(b"guess", k)).hands[0]
    again = played(back, 0, [GAME.parse({"kind": "discard", "card": card})]).position
    assert again.state == laid.state
    assert again.state.known == (cards(""), cards(""))
