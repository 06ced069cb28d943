"""Every refusal of every game has a sentence, whatever numbers the refused move was made of."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.games.contract import IllegalMove, Json, Malformed, Move
from app.games.registry import GAMES
from app.web.render import Renderer
from tests.conformance.driver import AnyGame, sampled
from tests.conformance.probes import known_wires, moves_to_try

GAMES_READ = 6
WIDE = (*range(13), 40, 99, 1000)
"""Numbers to put in the place of those of a move: more than a board has, and less."""


def wild(game: AnyGame, random: Random, count: int) -> list[Move]:
    """Returns well-formed moves with other numbers than a table would ask for."""
    wires = known_wires(game.meta.key)
    moves: list[Move] = []
    for wire in random.choices(wires, k=count):
        try:
            moves.append(game.parse(_renumbered(wire, random)))
        except Malformed:
            continue
    return moves


def _renumbered(data: Json, random: Random) -> Json:
    if type(data) is int:
        return random.choice(WIDE) if random.random() < 0.5 else data
    if isinstance(data, list):
        return [_renumbered(one, random) for one in data]
    if isinstance(data, dict):
        return {key: _renumbered(one, random) for key, one in data.items()}
    return data


def refusals(game: AnyGame) -> dict[str, list[dict[str, Any]]]:
    """Returns the facts of all refusals of some random games, by their code."""
    found: dict[str, list[dict[str, Any]]] = {}
    for position, random in sampled(game, GAMES_READ, share=2):
        for move in (*moves_to_try(game, random, 10), *wild(game, random, 20)):
            for seat in range(position.seats):
                try:
                    game.apply(position.state, seat, move, position.chance())
                except IllegalMove as refused:
                    facts = copy.deepcopy(dict(refused.facts))
                    if facts not in found.setdefault(refused.code, []):
                        found[refused.code].append(facts)
    return found


@pytest.mark.parametrize("key", GAMES)
def test_every_refusal_has_a_sentence_for_any_numbers(key: str, renderer: Renderer) -> None:
    general = renderer.refusal(None, "no_such_code", {}, "en")
    codes = refusals(GAMES[key])
    assert len(codes) >= 4
    with capture_logs() as logs:
        for code, all_facts in codes.items():
            for facts in all_facts:
                sentence = renderer.refusal(key, code, facts, "en")
                assert sentence != general, (code, facts)
                assert sentence.endswith("."), (code, facts, sentence)
    assert not logs


def test_a_sentence_that_cannot_be_drawn_is_a_general_one_and_is_logged(
    renderer: Renderer,
) -> None:
    with capture_logs() as logs:
        sentence = renderer.refusal("silver_and_gold", "off_the_map", {"cells": [[0, 99]]}, "en")
    assert sentence == renderer.refusal(None, "no_such_code", {}, "en")
    assert [(one["event"], one["code"]) for one in logs] == [("refusal_not_drawn", "off_the_map")]
