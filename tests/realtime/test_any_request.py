"""Requests of every shape, made from the house's own description of its API and from worse."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.realtime.conftest import Arrive
from tests.realtime.people import Person, started

pytestmark = pytest.mark.servers

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
"""No fault of ours, and nothing that the description does not promise."""


def press(url: str, people: Sequence[Person], codes: Sequence[str], examples: int) -> int:
    """Asks everything of the API with right and wrong data; returns how many requests."""
    asked = 0
    described = schemathesis.openapi.from_url(f"{url}/openapi.json")
    for found in described.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        spoilable = bool(len(operation.body) or len(operation.query))
        for mode in GenerationMode if spoilable else [GenerationMode.POSITIVE]:

            @settings(
                max_examples=examples,
                deadline=None,
                database=None,
                derandomize=examples < 50,
                suppress_health_check=list(HealthCheck),
            )
            @given(
                case=operation.as_strategy(generation_mode=mode),
                who=strategies.sampled_from(people),
                code=strategies.sampled_from([*codes, None]),
            )
            def ask(case: Case[Any], who: Person, code: str | None) -> None:
                nonlocal asked
                asked += 1
                if code is not None and "code" in case.path_parameters:
                    case.path_parameters["code"] = code
                answer = case.call(base_url=url, headers=who.headers)
                case.validate_response(answer, checks=CHECKS)
                if answer.status_code >= 400 and answer.status_code != 405:
                    said: dict[str, Any] = answer.json()
                    assert said["code"]
                    assert said["message"]

            ask()
    return asked


@pytest.mark.parametrize("examples", [4, pytest.param(150, marks=pytest.mark.faults)])
async def test_no_request_is_our_fault_and_every_answer_is_as_described(
    arrive: Arrive, url: str, examples: int
) -> None:
    ann, bo = await arrive("Ann"), await arrive("Bo")
    game = random.Random(examples).choice(["lost_cities", "splendor", "take_the_gold"])
    running = await started([ann, bo], game)
    lobby = (await ann.post("/rooms", {"game": "silver_and_gold"})).json()["code"]
    people = [ann, bo, Person(url, None, ann.http), Person(url, "nobody's", ann.http)]
    asked = await asyncio.to_thread(press, url, people, [running, lobby], examples)
    assert asked > 100
    assert (await ann.get(f"/rooms/{running}/view")).status_code == 200
