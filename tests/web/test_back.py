"""Looking back: every step is what its viewer saw then; after the end it is what anybody saw."""

from __future__ import annotations

from typing import Any

import httpx

from tests.web.conftest import Program, Table


async def steps_of(program: Program, table: Table, query: str = "") -> dict[str, Any]:
    answer = await program.get(f"{table.api}/steps{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_steps_are_the_views_that_were_sent(table: Table, http: httpx.AsyncClient) -> None:
    everybody = {"host": table.host, "guest": table.guest, "stranger": Program(http, None)}
    sent: dict[str, dict[int, Any]] = {name: {} for name in everybody}
    for _ in range(14):
        for name, program in everybody.items():
            shown = (await program.get(f"{table.api}/view")).json()
            sent[name][shown["v"]] = shown["view"]
        await table.step()
    for name, program in everybody.items():
        past = await steps_of(program, table)
        assert (past["over"], past["closed"], past["more"]) == (False, False, False)
        assert [step["seq"] for step in past["steps"]] == list(range(15))
        for step in past["steps"][:-1]:
            assert step["view"] == sent[name][step["seq"]], name
            assert "prompt" not in step
    asked = await steps_of(table.host, table, "?seat=1")
    assert asked == await steps_of(table.host, table)
    assert (await steps_of(table.host, table, "?until=3"))["steps"][-1]["seq"] == 3
