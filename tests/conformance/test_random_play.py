"""Random games end, ask sensibly, keep their components, and survive JSON at every moment."""

from __future__ import annotations

from tests.conformance import hooks
from tests.conformance.checks import check_outcome, check_questions
from tests.conformance.driver import (
    AnyGame,
    Position,
    every_setting,
    random_game,
    sampled,
    start,
    values,
)
from tests.conformance.plain import assert_plain, text


def test_random_games_end_and_ask_sensibly(game: AnyGame, games: int) -> None:
    for number in range(games):
        last = None
        for position in random_game(game, number):
            check_questions(position)
            last = position
        assert last is not None
        assert game.actors(last.state) == ()
        check_outcome(last)


def test_components_are_conserved(game: AnyGame, games: int) -> None:
    for number in range(games):
        pieces = None
        for position in random_game(game, number):
            now = hooks.pieces(game.meta.key, position.state)
            pieces = pieces or now
            assert now == pieces, f"move {position.number}: {position.move}"
        assert pieces


def test_state_view_moves_and_events_survive_json(game: AnyGame, games: int) -> None:
    for position, _ in sampled(game, games, share=3):
        _check_json(position)


def _check_json(position: Position) -> None:
    game, state = position.game, position.state
    dumped = game.dump(state)
    assert_plain(dumped, "dump")
    loaded = game.load(dumped)
    assert loaded == state
    assert text(game.dump(loaded)) == text(dumped)
    for viewer in position.viewers:
        view = game.view(state, viewer)
        assert_plain(view, f"view of {viewer}")
        assert text(game.view(loaded, viewer)) == text(view)
        for event in position.events:
            assert_plain(event.seen_by(viewer), f"event for {viewer}")
    for event in position.events:
        assert set(event.secrets) <= set(range(position.seats))
        for facts in (event.facts, *event.secrets.values()):
            assert "kind" not in facts
    if position.move is not None:
        assert_plain(position.move.wire(), "move")


def test_every_number_of_seats_and_every_option_can_be_set_up(game: AnyGame) -> None:
    for seats, options in every_setting(game, values):
        for seed in range(3):
            position = start(game, seats, options, bytes([seed]))
            check_questions(position)
            _check_json(position)


def test_the_facts_of_the_game_are_in_order(game: AnyGame) -> None:
    meta = game.meta
    assert meta.key.isidentifier()
    assert meta.title
    assert meta.line
    assert 1 <= meta.seats[0] <= meta.seats[1]
    assert meta.minutes > 0
    assert meta.rules_version > 0
    assert len({option.key for option in meta.options}) == len(meta.options)
    for option in meta.options:
        assert option.label
        if option.kind == "switch":
            assert type(option.default) is bool
        elif option.kind == "choice":
            assert option.default in [value for value, _ in option.choices]
        else:
            assert type(option.default) is int
            assert option.least <= option.default <= option.most
            assert option.least < option.most
