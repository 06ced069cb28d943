"""The HTTP API, as docs/protocol.md describes it."""

from __future__ import annotations

import asyncio
import hashlib

import httpx

from app.play.verify import verify
from tests.web.conftest import Join, Program, Table


async def test_a_whole_game_can_be_played_over_http(table: Table) -> None:
    while await table.step():
        pass

    shown = (await table.host.get(f"{table.api}/view")).json()
    assert shown["prompt"] is None
    assert shown["room"]["status"] == "finished"
    assert sorted(shown["room"]["outcome"]["ranking"]) in ([1, 1], [1, 2])
    assert table.moves > 80

    record = (await table.guest.get(f"{table.api}/record")).json()
    assert verify(record).ok


async def test_a_player_is_an_id_and_a_token(http: httpx.AsyncClient) -> None:
    answer = await http.post("/api/players", json={"name": "Ann"})
    assert answer.status_code == 201
    assert set(answer.json()) == {"id", "token"}
    assert "set-cookie" not in answer.headers


async def test_a_bad_name_is_refused_with_a_reason(http: httpx.AsyncClient) -> None:
    bodies: list[tuple[dict[str, object], str]] = [
        ({"name": ""}, "name_empty"),
        ({"name": "\u200b \u202e"}, "name_empty"),
        ({"name": "n" * 25}, "name_too_long"),
        ({"name": 7}, "malformed"),
        ({}, "malformed"),
        ({"name": "Ann", "admin": True}, "malformed"),
    ]
    for body, code in bodies:
        answer = await http.post("/api/players", json=body)
        assert answer.status_code == 422, body
        assert answer.json()["code"] == code, body
        assert answer.json()["message"], body


async def test_the_maker_of_a_room_is_its_seated_host(room: tuple[str, Program]) -> None:
    code, host = room
    shown = (await host.get(f"/api/rooms/{code}")).json()
    assert shown["you"] == 0
    assert shown["status"] == "open"
    assert [(p["seat"], p["name"], p["host"]) for p in shown["people"]] == [(0, "Ann", True)]
    assert len(shown["commitment"]) == 64


async def test_the_link_names_the_address_that_was_asked(join: Join) -> None:
    host = await join("Ann")
    answer = (await host.post("/api/rooms", {"game": "lost_cities"})).json()
    assert answer["url"] == f"http://house.test/r/{answer['code']}"


async def test_a_bad_room_is_refused(join: Join) -> None:
    ann = await join("Ann")
    bodies: list[tuple[dict[str, object], str]] = [
        ({"game": "chess"}, "unknown_game"),
        ({"game": "lost_cities", "seats": 3}, "bad_seats"),
        ({"game": "lost_cities", "seats": "2"}, "malformed"),
        ({"game": "lost_cities", "options": {"rounds": 7}}, "bad_options"),
        ({"game": "lost_cities", "options": {"cheat": True}}, "bad_options"),
        ({"game": "lost_cities", "hash": "short"}, "malformed"),
    ]
    for body, code in bodies:
        answer = await ann.post("/api/rooms", body)
        assert 400 <= answer.status_code < 500, body
        assert answer.json()["code"] == code, body


async def test_without_a_token_nothing_is_made(http: httpx.AsyncClient, table: Table) -> None:
    stranger = Program(http, None)
    forger = Program(http, "x" * 43)
    for program in (stranger, forger):
        for path in ("/api/rooms", f"{table.api}/seats", f"{table.api}/start"):
            answer = await program.post(path, {"game": "lost_cities"} if "s/" not in path else None)
            assert (answer.status_code, answer.json()["code"]) == (401, "sign_in")


async def test_sitting_down_twice_is_the_same_seat(room: tuple[str, Program], join: Join) -> None:
    code, _ = room
    guest = await join("Ben")
    seats = [(await guest.post(f"/api/rooms/{code}/seats")).json() for _ in range(3)]
    assert seats == [{"seat": 1}] * 3


async def test_twenty_at_once_for_one_seat(room: tuple[str, Program], join: Join) -> None:
    code, _ = room
    guests = [await join(f"Guest {n}") for n in range(20)]
    answers = await asyncio.gather(*(g.post(f"/api/rooms/{code}/seats") for g in guests))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert {a.json()["code"] for a in answers if a.status_code == 409} == {"full"}


async def test_only_the_host_starts_and_only_with_enough(
    room: tuple[str, Program], join: Join
) -> None:
    code, host = room
    guest = await join("Ben")
    alone = await host.post(f"/api/rooms/{code}/start")
    assert (alone.status_code, alone.json()["code"]) == (409, "too_few")
    await guest.post(f"/api/rooms/{code}/seats")
    other = await guest.post(f"/api/rooms/{code}/start")
    assert (other.status_code, other.json()["code"]) == (403, "not_host")
    assert (await host.post(f"/api/rooms/{code}/start")).json()["status"] == "running"
    assert (await host.post(f"/api/rooms/{code}/start")).json()["status"] == "running"


async def test_a_started_game_takes_nobody_else(table: Table, join: Join) -> None:
    answer = await (await join("Eve")).post(f"{table.api}/seats")
    assert (answer.status_code, answer.json()["code"]) == (409, "started")


async def test_promised_shares_are_asked_for_at_the_start(join: Join) -> None:
    shares = ["ab" * 32, "cd" * 32]
    hashes = [hashlib.sha256(bytes.fromhex(share)).hexdigest() for share in shares]
    host, guest = await join("Ann"), await join("Ben")
    made = await host.post("/api/rooms", {"game": "lost_cities", "seats": 2, "hash": hashes[0]})
    api = f"/api/rooms/{made.json()['code']}"
    await guest.post(f"{api}/seats", {"hash": hashes[1]})
    begun = (await host.post(f"{api}/start")).json()
    assert (begun["status"], begun["starting"]) == ("open", True)
    wrong = await guest.post(f"{api}/reveal", {"r": shares[0]})
    assert wrong.json()["code"] == "bad_r"
    assert (await host.post(f"{api}/reveal", {"r": shares[0]})).json()["starting"]
    assert (await guest.post(f"{api}/reveal", {"r": shares[1]})).json()["status"] == "running"


async def test_an_unknown_room_is_not_found(http: httpx.AsyncClient) -> None:
    for code in ("bado-bado-bado-bado", "x", "%00", "a" * 4000, "..%2f..%2fetc"):
        answer = await http.get(f"/api/rooms/{code}")
        assert answer.status_code == 404
        assert answer.json()["code"] in {"unknown_room", "not_found"}


async def test_the_same_move_id_counts_once(table: Table) -> None:
    shown = (await table.host.get(f"{table.api}/view")).json()
    mover = table.host if shown["prompt"] else table.guest
    shown = (await mover.get(f"{table.api}/view")).json()
    body = {"id": "once", "prompt": shown["prompt"]["n"], "moves": [shown["prompt"]["legal"][0]]}
    answers = await asyncio.gather(*(mover.post(f"{table.api}/moves", body) for _ in range(5)))
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.json()["v"] for answer in answers} == {shown["v"] + 1}
    assert answers[0].json()["ack"] == "once"


async def test_a_refused_move_leaves_no_trace(table: Table, join: Join) -> None:
    before = [(await p.get(f"{table.api}/view")).json() for p in (table.host, table.guest)]
    mover, waiter = (table.host, table.guest) if before[0]["prompt"] else (table.guest, table.host)
    shown = (await mover.get(f"{table.api}/view")).json()
    n, legal = shown["prompt"]["n"], shown["prompt"]["legal"]
    held = (await waiter.get(f"{table.api}/view")).json()["view"]["hand"]
    theirs = next(card for card in held if card not in shown["view"]["hand"])
    outsider = await join("Eve")
    tries = [
        (waiter, {"prompt": n, "moves": [legal[0]]}, 409, "not_asked"),
        (outsider, {"prompt": n, "moves": [legal[0]]}, 403, "not_seated"),
        (mover, {"prompt": n + 5, "moves": [legal[0]]}, 409, "stale"),
        (mover, {"prompt": n, "moves": [legal[0]], "seat": 1 - shown["room"]["you"]}, 403, None),
        (mover, {"prompt": n, "moves": [{**legal[0], "cost": 0}]}, 422, "malformed"),
        (mover, {"prompt": n, "moves": [{**legal[0], "card": "R99"}]}, 422, "malformed"),
        (mover, {"prompt": n, "moves": [{**legal[0], "card": "\u0000"}]}, 422, "malformed"),
        (mover, {"prompt": n, "moves": [{"kind": "discard", "card": theirs}]}, 409, None),
        (mover, {"prompt": n, "moves": [None]}, 422, "malformed"),
        (mover, {"prompt": n, "moves": []}, 422, "malformed"),
        (mover, {"prompt": n, "moves": legal[:1] * 9}, 422, "malformed"),
        (mover, {"prompt": -1, "moves": legal[:1]}, 422, "malformed"),
        (mover, {"prompt": 10**30, "moves": legal[:1]}, 422, "malformed"),
        (mover, {"prompt": str(n), "moves": legal[:1]}, 422, "malformed"),
        (mover, {"prompt": n, "moves": legal[:1], "id": "x y"}, 422, "malformed"),
    ]
    for number, (player, body, status, code) in enumerate(tries):
        answer = await player.post(f"{table.api}/moves", {"id": f"t{number}", **body})
        assert answer.status_code == status, (body, answer.text)
        assert code is None or answer.json()["code"] == code, (body, answer.text)
        assert answer.json()["message"]
        if body.get("seat") is not None:
            assert answer.json()["message"] == "That is not your seat. Play for your own."
    after = [(await p.get(f"{table.api}/view")).json() for p in (table.host, table.guest)]
    assert after == before


async def test_a_host_changes_the_room_before_the_start(
    room: tuple[str, Program], join: Join
) -> None:
    code, host = room
    api = f"/api/rooms/{code}"
    guest = await join("Ben")
    await guest.post(f"{api}/seats")
    moved = (await host.post(f"{api}/order", {"order": [1, 0]})).json()
    assert [person["name"] for person in moved["people"]] == ["Ben", "Ann"]
    options: dict[str, object] = {"options": {"colours": 6}}
    changed = (await host.post(f"{api}/options", options)).json()
    assert (changed["options"]["colours"], changed["seats"]) == (6, 2)
    refused: list[tuple[Program, str, dict[str, object], int, str]] = [
        (guest, "options", options, 403, "not_host"),
        (guest, "order", {"order": [0, 1]}, 403, "not_host"),
        (guest, "remove", {"seat": 1}, 403, "not_host"),
        (host, "options", {"options": {"colour": 6}}, 422, "bad_options"),
        (host, "options", {"seats": 9}, 422, "bad_seats"),
        (host, "options", {"clock": 60}, 422, "malformed"),
        (host, "order", {"order": [0, 0]}, 422, "bad_order"),
        (host, "order", {"order": [-1]}, 422, "malformed"),
        (host, "remove", {"seat": 5}, 422, "bad_seat"),
        (host, "remove", {}, 422, "malformed"),
    ]
    for who, what, body, status, said in refused:
        answer = await who.post(f"{api}/{what}", body)
        assert (answer.status_code, answer.json()["code"]) == (status, said), (what, body)
    left = (await host.post(f"{api}/remove", {"seat": 0})).json()
    assert [person["name"] for person in left["people"]] == ["Ann"]
    await guest.post(f"{api}/seats")
    assert (await host.post(f"{api}/start")).status_code == 200
    for what, late_body in {
        "options": options,
        "order": {"order": [1, 0]},
        "remove": {"seat": 0},
    }.items():
        late = await host.post(f"{api}/{what}", late_body)
        assert (late.status_code, late.json()["code"]) == (409, "started")


async def test_the_description_covers_every_route(http: httpx.AsyncClient) -> None:
    described = (await http.get("/openapi.json")).json()
    assert {path: sorted(methods) for path, methods in described["paths"].items()} == {
        "/api/announcement": ["get"],
        "/api/devices": ["get", "post"],
        "/api/devices/codes": ["post"],
        "/api/devices/{device}/revoke": ["post"],
        "/api/games": ["get"],
        "/api/games/next": ["get"],
        "/api/notifications": ["get", "post"],
        "/api/notifications/end": ["post"],
        "/api/players": ["post"],
        "/api/rooms": ["post"],
        "/api/rooms/{code}": ["get"],
        "/api/rooms/{code}/chat": ["get", "post"],
        "/api/rooms/{code}/clock": ["post"],
        "/api/rooms/{code}/deeds": ["post"],
        "/api/rooms/{code}/host": ["post"],
        "/api/rooms/{code}/leave": ["post"],
        "/api/rooms/{code}/moves": ["post"],
        "/api/rooms/{code}/options": ["post"],
        "/api/rooms/{code}/order": ["post"],
        "/api/rooms/{code}/record": ["get"],
        "/api/rooms/{code}/steps": ["get"],
        "/api/rooms/{code}/rematch": ["post"],
        "/api/rooms/{code}/remove": ["post"],
        "/api/rooms/{code}/reopen": ["post"],
        "/api/rooms/{code}/reveal": ["post"],
        "/api/rooms/{code}/seats": ["post"],
        "/api/rooms/{code}/start": ["post"],
        "/api/rooms/{code}/take": ["post"],
        "/api/rooms/{code}/view": ["get"],
        "/api/rooms/{code}/watching": ["post"],
    }
