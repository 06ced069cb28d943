"""Who may act: origins, cookies, headers, forwarded addresses, bodies that are no requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import product
from urllib.parse import quote_from_bytes

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from tests.web.conftest import BASE, Browsers, Join, OpenHouse, Table

NAME = {"name": "Ann"}


def client_of(app: FastAPI, address: str = "198.51.100.7", base: str = BASE) -> httpx.AsyncClient:
    """A client that asks from an address."""
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app, client=(address, 5000)), base_url=base
    )


SENDERS: list[tuple[dict[str, str], bool]] = [
    ({"sec-fetch-site": "same-origin"}, True),
    ({"origin": "http://house.test"}, True),
    ({"origin": "https://house.test"}, True),
    ({"origin": "http://house.test", "sec-fetch-site": "none"}, True),
    ({}, False),
    ({"origin": "null"}, False),
    ({"origin": "http://evil.test"}, False),
    ({"origin": "http://house.test.evil.test"}, False),
    ({"origin": "http://house.test:81"}, False),
    ({"origin": "not an address"}, False),
    ({"sec-fetch-site": "cross-site"}, False),
    ({"sec-fetch-site": "same-site"}, False),
    ({"origin": "http://house.test", "sec-fetch-site": "cross-site"}, False),
]
"""What a browser says of the page a form comes from, and whether that is ours."""


async def test_a_cookie_acts_only_from_our_own_pages(browser: httpx.AsyncClient) -> None:
    assert (await browser.post("/name", data=NAME)).status_code == 303
    del browser.headers["sec-fetch-site"]
    for headers, allowed in SENDERS:
        answer = await browser.post("/new/lost_cities", data={"seats": "2"}, headers=headers)
        assert answer.status_code == (303 if allowed else 403), headers


async def test_a_foreign_page_cannot_make_a_player_either(http: httpx.AsyncClient) -> None:
    foreign = {"origin": "http://evil.test"}
    form = await http.post("/name", data=NAME, headers=foreign)
    assert form.status_code == 403
    assert form.headers["content-type"].startswith("text/html")
    assert 'href="/"' in form.text
    called = await http.post("/api/players", json=NAME, headers=foreign)
    assert called.status_code == 403
    assert called.json()["code"] == "foreign_page"
    for answer in (form, called):
        assert answer.headers["x-content-type-options"] == "nosniff"


ODD_COOKIES = [
    'a={"x":1}',
    "x=a b",
    "path=/",
    "secure",
    "=",
    "",
    "\u00e4=\u00fc",
    'x="unclosed',
    'x="\\777"',
    "motherlodes=x",
]


async def test_cookies_of_other_services_do_not_hide_ours(
    http: httpx.AsyncClient, table: Table
) -> None:
    it = f"motherlode={table.guest.token}"
    for odd in ODD_COOKIES:
        for cookies in (f"{odd}; {it}", f"{it}; {odd}", f"{odd}; {it}; {odd}", f"{odd};{it}"):
            shown = await http.get(table.api, headers={b"cookie": cookies.encode("latin-1")})
            assert shown.json()["you"] == 1, cookies


async def test_a_token_acts_from_anywhere(http: httpx.AsyncClient) -> None:
    token = (await http.post("/api/players", json=NAME)).json()["token"]
    headers = {"authorization": f"Bearer {token}", "origin": "http://evil.test"}
    answer = await http.post("/api/rooms", json={"game": "lost_cities"}, headers=headers)
    assert answer.status_code == 201


@pytest.mark.parametrize(("scheme", "secure"), [("http", False), ("https", True)])
async def test_the_cookie_is_out_of_reach(app: FastAPI, scheme: str, secure: bool) -> None:
    async with client_of(app, base=f"{scheme}://house.test") as browser:
        answer = await browser.post("/name", data=NAME)
    flags = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/", "max-age=31536000"} <= flags
    assert ("secure" in flags) is secure


async def test_every_answer_is_private_and_strict(http: httpx.AsyncClient) -> None:
    pages = ("/", "/new/lost_cities", "/rules/lost_cities", "/r/x")
    for path in (*pages, "/api/rooms/x", "/healthz"):
        headers = (await http.get(path)).headers
        assert headers["cache-control"] == "private, no-store", path
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["referrer-policy"] == "same-origin", path
        assert "camera=()" in headers["permissions-policy"], path
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy, path
        assert "frame-ancestors 'none'" in policy, path
        assert "unsafe" not in policy, path


async def test_a_page_needs_nothing_that_the_policy_forbids(
    browser: httpx.AsyncClient, table: Table
) -> None:
    for path in ("/", "/new/lost_cities", "/rules/lost_cities", f"/r/{table.code}"):
        html = (await browser.get(path)).text
        assert "<script>" not in html
        assert " style=" not in html
        assert "<style" not in html
        assert " onclick=" not in html


async def test_static_files_are_kept_for_ever_and_nothing_else_is_served(
    http: httpx.AsyncClient, app: FastAPI
) -> None:
    url = app.state.house.renderer.assets.url("app.css")
    kept = await http.get(url)
    assert kept.status_code == 200
    assert kept.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert kept.headers["content-encoding"] == "gzip"
    for path in (
        "/static/app.css",
        "/static/../app/config.py",
        "/static/..%2fapp%2fconfig.py",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/static//etc/passwd",
        "/static/..\\app\\config.py",
        "/static/%00",
    ):
        answer = await http.get(path)
        assert answer.status_code == 404, path
        assert "immutable" not in answer.headers["cache-control"]


async def test_an_impossible_host_is_refused(http: httpx.AsyncClient) -> None:
    for host in ("house.test/evil", "a b", "<script>", "x;y", "'none'"):
        assert (await http.get("/", headers={"host": host})).status_code == 400, host


FORWARDED = {
    "x-forwarded-proto": "https",
    "x-forwarded-host": "games.example",
    "x-forwarded-for": "203.0.113.5",
}


async def test_forwarded_headers_count_from_the_proxy_only(app: FastAPI) -> None:
    async def link(address: str) -> str:
        async with client_of(app, address) as client:
            token = (await client.post("/api/players", json=NAME)).json()["token"]
            headers = {"authorization": f"Bearer {token}", **FORWARDED}
            made = await client.post("/api/rooms", json={"game": "lost_cities"}, headers=headers)
        return str(made.json()["url"])

    assert (await link("127.0.0.1")).startswith("https://games.example/r/")
    assert (await link("198.51.100.7")).startswith("http://house.test/r/")


async def test_behind_a_proxy_our_own_page_is_the_outer_one(app: FastAPI) -> None:
    async with client_of(app, "127.0.0.1", "http://10.0.0.2:8000") as browser:
        answer = await browser.post(
            "/name", data=NAME, headers={**FORWARDED, "origin": "https://games.example"}
        )
        assert answer.status_code == 303
        assert "secure" in answer.headers["set-cookie"].lower()
        foreign = await browser.post(
            "/name", data=NAME, headers={**FORWARDED, "origin": "http://10.0.0.2:8000"}
        )
        assert foreign.status_code == 403


async def test_the_public_address_is_the_one_to_send(house: OpenHouse) -> None:
    async with (
        house(public_url="https://games.example") as app,
        client_of(app, "127.0.0.1", "http://10.0.0.2:8000") as browser,
    ):
        origin = {"origin": "https://games.example"}
        await browser.post("/name", data=NAME, headers=origin)
        made = await browser.post("/new/lost_cities", data={"seats": "2"}, headers=origin)
        page = (await browser.get(made.headers["location"])).text
        assert f"https://games.example{made.headers['location']}" in page
        assert "10.0.0.2" not in page


async def test_the_limits_count_each_address(house: OpenHouse) -> None:
    async with house(players_per_hour=2, rooms_per_hour=1) as app:
        async with client_of(app, "203.0.113.1") as client:
            made = [await client.post("/api/players", json=NAME) for _ in range(3)]
            assert [answer.status_code for answer in made] == [201, 201, 429]
            assert made[2].headers["retry-after"]
            bearer = {"authorization": f"Bearer {made[0].json()['token']}"}
            rooms = [
                await client.post("/api/rooms", json={"game": "lost_cities"}, headers=bearer)
                for _ in range(2)
            ]
            assert [answer.status_code for answer in rooms] == [201, 429]
        async with client_of(app, "203.0.113.2") as client:
            assert (await client.post("/api/players", json=NAME)).status_code == 201


async def test_with_a_house_key_only_who_knows_it_opens_rooms(house: OpenHouse) -> None:
    async with (
        house(house_key=SecretStr("open sesame")) as app,
        client_of(app) as client,
    ):
        token = (await client.post("/api/players", json=NAME)).json()["token"]
        bearer = {"authorization": f"Bearer {token}"}
        for key, status in ((None, 403), ("guess", 403), ("\u00e9", 403), ("open sesame", 201)):
            body = {"game": "lost_cities", "key": key}
            answer = await client.post("/api/rooms", json=body, headers=bearer)
            assert answer.status_code == status
            assert "sesame" not in answer.text


async def test_a_browser_is_asked_for_the_house_key_once(house: OpenHouse) -> None:
    form = {"name": "Ann", "seats": "2"}
    async with house(house_key=SecretStr("open sesame")) as app, client_of(app) as client:
        client.headers["sec-fetch-site"] = "same-origin"
        assert 'name="key"' in (await client.get("/new/lost_cities")).text
        refused = await client.post("/new/lost_cities", data=form | {"key": "guess"})
        assert refused.status_code == 403
        assert "That is not the key of this house." in refused.text
        assert 'name="key"' in refused.text
        assert "guess" not in refused.text
        opened = await client.post("/new/lost_cities", data=form | {"key": "open sesame"})
        assert opened.status_code == 303
        assert "sesame" not in str(opened.headers)
        assert 'name="key"' not in (await client.get("/new/splendor")).text
        again = await client.post("/new/lost_cities", data=form)
        assert again.status_code == 303
        kept = dict(client.cookies)
    changed = house(house_key=SecretStr("another"), rooms_per_hour=3)
    async with changed as app, client_of(app) as client:
        client.headers["sec-fetch-site"] = "same-origin"
        client.cookies.update(kept)
        tried = [
            (await client.post("/new/lost_cities", data=form | {"key": guess})).status_code
            for guess in ("", "open sesame", "a", "another")
        ]
        assert tried == [403, 403, 403, 429], "keys are not guessed without end"


NESTED = b'{"name":' + b"[" * 30_000 + b"]" * 30_000 + b"}"
ODD_BODIES = [
    b"",
    b"null",
    b"1",
    b"[]",
    b'""',
    b"{}",
    b'{"name"',
    b'{"name":"\\ud800"}',
    b'{"name":"\\u0000"}',
    b'{"name":NaN}',
    b'{"name":1e999}',
    b'{"name":' + b"9" * 5000 + b"}",
    NESTED,
    b"\xff\xfe\x00",
    b'{"name":"' + b"x" * 10_000_000 + b'"}',
]


async def test_odd_bodies_are_refused_and_never_our_fault(
    http: httpx.AsyncClient, table: Table
) -> None:
    bearer = {"authorization": f"Bearer {table.host.token}"}
    kinds = ("application/json", "application/x-www-form-urlencoded", "text/plain", "multipart/x")
    programs = ("/api/players", "/api/rooms", f"{table.api}/moves", f"{table.api}/reveal")
    forms = ("/name", "/new/lost_cities", f"/r/{table.code}/move", f"/r/{table.code}/sit")
    for body, kind in product(ODD_BODIES, kinds):
        said = body[:40], kind
        http.cookies.clear()
        for path in programs:
            answer = await http.post(path, content=body, headers={"content-type": kind, **bearer})
            assert 400 <= answer.status_code < 500, (path, said, answer.text)
            assert answer.json()["code"]
        for path in forms:
            answer = await http.post(path, content=body, headers={"content-type": kind})
            assert answer.status_code < 500, (path, said, answer.text)


async def test_a_long_body_is_cut_off_even_when_its_length_is_not_told(
    http: httpx.AsyncClient,
) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 10_000

    headers = {"content-type": "application/json"}
    for path in ("/api/players", "/name"):
        answer = await http.post(path, content=endless(), headers=headers)
        assert answer.status_code == 413


@pytest.mark.parametrize(
    "odd", ["\u0000", "\ud800", "\u202e", "x" * 5000, "-1", "9" * 40, "\uff11"]
)
async def test_odd_fields_are_refused_and_never_our_fault(
    browsers: Browsers, table: Table, join: Join, odd: str
) -> None:
    browser = browsers()
    await browser.post("/name", data=NAME)
    room = (await browser.post("/new/lost_cities", data={"seats": "2"})).headers["location"]
    text = odd.encode("utf-8", "surrogatepass")
    value = quote_from_bytes(text)
    for path in (
        f"{room}/remove",
        f"{room}/order",
        f"{room}/options",
        f"{room}/reveal",
        f"{room}/move",
        f"{room}/do",
        "/new/lost_cities",
    ):
        names = ("seat", "order", "seats", "option.rounds", "hash", "r", "id", "prompt", "what")
        body = "&".join(f"{name}={value}" for name in names)
        answer = await browser.post(
            path, content=body, headers={"content-type": "application/x-www-form-urlencoded"}
        )
        assert 400 <= answer.status_code < 500, (path, answer.text)
    await browser.post(
        "/language",
        content=f"lang={value}",
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert (await browser.get(room)).status_code == 200


async def test_many_requests_at_once_are_all_answered(http: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(http.get("/readyz") for _ in range(100)))
    assert {answer.status_code for answer in answers} == {200}
