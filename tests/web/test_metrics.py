"""What the house tells Prometheus: true counts, for those alone whom the host allowed."""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

from app.config import Settings
from app.server import create_app
from app.web.render import Renderer
from tests.realtime.conftest import served
from tests.realtime.people import person, started
from tests.servers import free_port
from tests.web.conftest import BASE, Browsers, OpenHouse, Table

HERE = "127.0.0.1"


async def asked(
    app: FastAPI, address: str = HERE, path: str = "/metrics", **headers: str
) -> httpx.Response:
    """Asks from an address, for the metrics by default."""
    transport = httpx.ASGITransport(app, client=(address, 5000))
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        return await client.get(path, headers=headers)


async def counted(app: FastAPI) -> dict[tuple[str, tuple[str, ...]], float]:
    """Returns the metrics by name, without `motherlode_`, and labels in the order of theirs."""
    answer = await asked(app)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name.removeprefix("motherlode_"), tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


async def test_what_happens_is_counted(app: FastAPI, table: Table) -> None:
    before = await counted(app)
    assert await table.step()
    assert await table.step()
    twice = {"id": "x", "prompt": 999, "moves": [{"kind": "draw", "from": "deck"}]}
    refused = await table.host.post(f"{table.api}/moves", twice)
    assert refused.status_code == 409
    after = await counted(app)

    def more(name: str, *labels: str) -> float:
        return after[name, labels] - before.get((name, labels), 0)

    assert more("entries_total", "lost_cities", "move") == 2
    assert more("append_seconds_count") == more("commit_entries_count") == 2
    assert more("commit_entries_sum") == more("commit_entries_bucket", "1.0") == 2
    assert more("refusals_total", refused.json()["code"], "http") == 1
    moves = ("POST", "/api/rooms/{code}/moves")
    assert more("http_answers_total", *moves, "200") == 2
    assert more("http_answers_total", *moves, "409") == 1
    assert more("http_seconds_count", *moves) == 3
    assert after["tables", ()] == 1
    assert after["sockets", ()] == after["journal_waiting", ()] == 0
    assert after["bus_connected", ()] == 1
    assert after["process_open_fds", ()] > 0


async def test_what_happens_on_sockets_is_counted(settings: Settings, renderer: Renderer) -> None:
    app = create_app(settings, renderer=renderer)
    async with served(app, settings) as url, httpx.AsyncClient() as http:
        people = [await person(url, http, name) for name in ("Ann", "Bo")]
        code = await started(people, "lost_cities", {"first": 0})
        assert (await counted(app))["rooms", ()] == 0
        async with people[0].line(code) as line, people[1].line(code):
            await line.move(line.prompt["legal"][0])
            await line.hear_state(v=1)
            await line.move({"kind": "draw", "from": "deck"}, prompt=999)
            refused = await line.hear_of("refused")
            found = await counted(app)
    assert found["rooms", ()] == 1
    assert found["sockets", ()] == 2
    assert found["decision_seconds_count", ()] == 2
    assert 0 < found["decision_seconds_sum", ()] < 10
    assert found["refusals_total", (refused["code"], "socket")] == 1
    assert not [labels for name, labels in found if name == "refusals_total" and "http" in labels]


async def test_strangers_do_not_make_the_counts_grow(app: FastAPI, browsers: Browsers) -> None:
    browser = browsers()
    names = set()
    for path in ("/no", "/nobody", "/r/bado-bado-bado-bado", "/r/badu-bado-bado-bado"):
        for method in ("GET", "BREW", "STEW"):
            assert (await browser.request(method, path)).status_code in {404, 405}
        names.add(frozenset(await counted(app)))
    seen = [key for key in await counted(app) if key[0] == "http_answers_total"]
    assert {labels[0] for _, labels in seen} == {"GET", "other"}
    assert not [labels for _, labels in seen if "bad" in labels[1] or "no" in labels[1]]
    assert len(seen) <= 5


@pytest.mark.parametrize(
    "name", ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-host"]
)
async def test_behind_a_proxy_there_are_no_metrics(app: FastAPI, name: str) -> None:
    assert (await asked(app, **{name: HERE})).status_code == 404


async def test_only_allowed_addresses_read_them(house: OpenHouse) -> None:
    async with house(metrics_from="192.0.2.0/28, ::1") as app:
        for address, status in {
            "192.0.2.7": 200,
            "::1": 200,
            "::ffff:192.0.2.7": 200,
            "192.0.2.16": 404,
            HERE: 404,
            "testclient": 404,
        }.items():
            assert (await asked(app, address)).status_code == status, address


async def test_each_house_counts_for_itself(house: OpenHouse) -> None:
    async with house() as first:
        await asked(first)
        counts = await counted(first)
    assert counts["http_answers_total", ("GET", "/metrics", "200")] == 1


async def test_a_house_without_its_bus_is_ready_and_says_what_is_missing(house: OpenHouse) -> None:
    async with house(nats_url=f"nats://{HERE}:{free_port()}") as app:
        assert (await counted(app))["bus_connected", ()] == 0
        ready = await asked(app, path="/readyz")
        assert ready.status_code == 200
        assert "NATS" in ready.text
