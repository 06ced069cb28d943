"""The same thing at the same moment: one of them happens, everybody is told clearly."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable
from typing import Any

import httpx
import pytest

from tests.faults.browsers import browsers
from tests.realtime.conftest import Arrive
from tests.realtime.people import Message, Person, started

pytestmark = pytest.mark.servers

LOST_CITIES = {"game": "lost_cities", "seats": 2, "options": {"first": 0}}
THREE_SEATS = {"game": "torture", "seats": 3, "options": {}}
DECK = {"kind": "draw", "from": "deck"}


async def opened(host: Person, room: Message) -> str:
    """Opens a room and returns its code."""
    code: str = (await host.post("/rooms", room)).json()["code"]
    return code


async def shown(person: Person, code: str) -> Message:
    """Returns the room, the view and the prompt as a player sees them."""
    message: Message = (await person.get(f"/rooms/{code}/view")).json()
    return message


async def form(person: Person, code: str, path: str, /, **fields: str) -> httpx.Response:
    """Submits a form of the room's page in somebody's name."""
    address = f"{person.url}/r/{code}/{path}"
    return await person.http.post(address, data=fields, headers=person.headers)


async def at_once(*requests: Awaitable[httpx.Response]) -> list[httpx.Response]:
    """Sends everything at the same moment; checks that every refusal says why."""
    answers = await asyncio.gather(*requests)
    for answer in answers:
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400 and "json" in answer.headers["content-type"]:
            assert answer.json()["code"]
            assert answer.json()["message"]
    return list(answers)


def statuses(answers: list[httpx.Response]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


def check_seats(room: Message) -> None:
    """Nobody sits twice, on no seat sit two, there is one host, and the seats are enough."""
    seats = [person["seat"] for person in room["people"]]
    assert len(set(seats)) == len(seats) <= room["seats"]
    assert all(0 <= seat < room["seats"] for seat in seats)
    assert sum(person["host"] for person in room["people"]) == (1 if seats else 0)


class TestSittingDown:
    async def test_twenty_on_one_free_seat(self, arrive: Arrive) -> None:
        host = await arrive("Ann")
        guests = [await arrive(f"Guest {number}") for number in range(20)]
        code = await opened(host, LOST_CITIES)
        answers = await at_once(*(each.post(f"/rooms/{code}/seats", {}) for each in guests))
        assert statuses(answers) == {200: 1, 409: 19}
        assert {a.json()["code"] for a in answers if a.status_code == 409} == {"full"}
        room = (await shown(host, code))["room"]
        check_seats(room)
        assert len(room["people"]) == 2
        yours = [(await shown(each, code))["room"]["you"] for each in guests]
        assert Counter(yours) == {1: 1, None: 19}

    async def test_twenty_browsers_on_one_free_seat(self, url: str, arrive: Arrive) -> None:
        code = await opened(await arrive("Ann"), LOST_CITIES)
        async with browsers(url, 20) as guests:
            answers = await at_once(*(b.form(f"/r/{code}/sit", name="Bo") for b in guests))
            assert statuses(answers) == {303: 1, 409: 19}
            for answer in answers:
                if answer.status_code == 409:
                    assert 'role="alert"' in answer.text
                    assert "This table is full" in answer.text
            forms = [
                f'action="/r/{code}/leave"' in (await b.look(f"/r/{code}")).text for b in guests
            ]
            assert forms.count(True) == 1

    async def test_one_player_sits_once_however_often_he_asks(self, arrive: Arrive) -> None:
        host, guest = await arrive("Ann"), await arrive("Bo")
        code = await opened(host, THREE_SEATS)
        answers = await at_once(
            *(guest.post(f"/rooms/{code}/seats", {}) for _ in range(10)),
            *(form(guest, code, "sit") for _ in range(10)),
        )
        assert statuses(answers) == {200: 10, 303: 10}
        assert len((await shown(host, code))["room"]["people"]) == 2

    async def test_sitting_down_and_standing_up(self, arrive: Arrive) -> None:
        host, guest = await arrive("Ann"), await arrive("Bo")
        code = await opened(host, LOST_CITIES)
        for _ in range(5):
            await at_once(
                guest.post(f"/rooms/{code}/seats", {}),
                form(guest, code, "leave"),
                form(host, code, "remove", seat="1"),
                guest.post(f"/rooms/{code}/seats", {}),
            )
            room = (await shown(guest, code))["room"]
            check_seats(room)
            assert (room["you"] == 1) == (len(room["people"]) == 2)

    async def test_seats_taken_away_while_somebody_sits_down(self, arrive: Arrive) -> None:
        for turned in (False, True):
            people = [await arrive(name) for name in ("Ann", "Bo", "Cy")]
            code = await opened(people[0], THREE_SEATS)
            await people[1].post(f"/rooms/{code}/seats", {})
            both = [
                people[2].post(f"/rooms/{code}/seats", {}),
                form(people[0], code, "options", seats="2"),
            ]
            await at_once(*(both[::-1] if turned else both))
            room = (await shown(people[0], code))["room"]
            check_seats(room)
            assert ((await shown(people[2], code))["room"]["you"] == 2) == (room["seats"] == 3)

    async def test_twenty_rooms(self, arrive: Arrive) -> None:
        host = await arrive("Ann")
        answers = await at_once(*(host.post("/rooms", LOST_CITIES) for _ in range(20)))
        codes = {answer.json()["code"] for answer in answers}
        assert len(codes) == 20
        for code in codes:
            assert (await shown(host, code))["room"]["you"] == 0


class TestStarting:
    async def test_ten_starts_deal_once(self, arrive: Arrive) -> None:
        host, guest = await arrive("Ann"), await arrive("Bo")
        code = await opened(host, LOST_CITIES)
        await guest.post(f"/rooms/{code}/seats", {})
        answers = await at_once(
            *(host.post(f"/rooms/{code}/start") for _ in range(5)),
            *(form(host, code, "start") for _ in range(5)),
            *(guest.post(f"/rooms/{code}/start") for _ in range(2)),
        )
        assert statuses(answers) == {200: 5, 303: 5, 403: 2}
        assert [(await shown(each, code))["v"] for each in (host, guest)] == [0, 0]
        first = await shown(guest, code)
        assert (await shown(guest, code))["view"] == first["view"]

    @pytest.mark.parametrize("turned", [False, True], ids=["join first", "start first"])
    async def test_a_third_joins_as_the_host_starts(self, arrive: Arrive, turned: bool) -> None:
        for _ in range(4):
            people = [await arrive(name) for name in ("Ann", "Bo", "Cy")]
            host, _bo, third = people
            code = await opened(host, THREE_SEATS)
            await people[1].post(f"/rooms/{code}/seats", {})
            both = [third.post(f"/rooms/{code}/seats", {}), host.post(f"/rooms/{code}/start")]
            answers = await at_once(*(both[::-1] if turned else both))
            joined, begun = answers[::-1] if turned else answers
            assert begun.status_code == 200
            seen = [await shown(each, code) for each in people]
            room = seen[0]["room"]
            check_seats(room)
            assert room["status"] == "running"
            assert room["seats"] == len(room["people"])
            if joined.status_code == 200:
                assert [each["room"]["you"] for each in seen] == [0, 1, 2]
            else:
                assert joined.json()["code"] == "started"
                assert [each["room"]["you"] for each in seen] == [0, 1, None]
                assert seen[2]["prompt"] is None

    @pytest.mark.parametrize("turned", [False, True], ids=["join first", "start first"])
    async def test_the_second_joins_as_the_host_starts(self, arrive: Arrive, turned: bool) -> None:
        for _ in range(4):
            host, guest = await arrive("Ann"), await arrive("Bo")
            code = await opened(host, LOST_CITIES)
            both = [guest.post(f"/rooms/{code}/seats", {}), host.post(f"/rooms/{code}/start")]
            answers = await at_once(*(both[::-1] if turned else both))
            joined, begun = answers[::-1] if turned else answers
            assert joined.status_code == 200
            room = (await shown(guest, code))["room"]
            check_seats(room)
            assert room["you"] == 1
            if begun.status_code == 200:
                assert room["status"] == "running"
            else:
                assert begun.json()["code"] == "too_few"
                assert room["status"] == "open"

    @pytest.mark.parametrize("leaver", [0, 1], ids=["the host", "the guest"])
    @pytest.mark.parametrize("turned", [False, True], ids=["leave first", "start first"])
    async def test_somebody_leaves_as_the_host_starts(
        self, arrive: Arrive, turned: bool, leaver: int
    ) -> None:
        for _ in range(3):
            people = [await arrive(name) for name in ("Ann", "Bo")]
            code = await opened(people[0], LOST_CITIES)
            await people[1].post(f"/rooms/{code}/seats", {})
            both = [form(people[leaver], code, "leave"), people[0].post(f"/rooms/{code}/start")]
            answers = await at_once(*(both[::-1] if turned else both))
            left, begun = answers[::-1] if turned else answers
            room = (await shown(people[leaver], code))["room"]
            check_seats(room)
            if begun.status_code in {403, 409}:
                assert left.status_code == 303
                assert room["status"] == "open"
                assert (room["you"], len(room["people"])) == (None, 1)
            else:
                # A host who leaves a game that began passes on the rights and keeps the seat.
                assert (left.status_code, begun.status_code) == ((303, 409)[leaver], 200)
                assert room["status"] == "running"
                assert (room["you"], len(room["people"])) == (leaver, 2)
                hosts = [person["name"] for person in room["people"] if person["host"]]
                assert hosts == [("Bo", "Ann")[leaver]]


class TestDealing:
    async def test_moves_and_the_last_reveal_at_once(self, arrive: Arrive) -> None:
        for _ in range(4):
            people = [await arrive(name) for name in ("Ann", "Bo")]
            r = [hashlib.sha256(bytes([seat])).digest() for seat in (0, 1)]
            promises = [{"hash": hashlib.sha256(each).hexdigest()} for each in r]
            code = await opened(people[0], {**LOST_CITIES, **promises[0]})
            await people[1].post(f"/rooms/{code}/seats", promises[1])
            begun = await people[0].post(f"/rooms/{code}/start")
            assert begun.json()["starting"]
            guess = {"id": "early", "prompt": 0, "moves": [{"kind": "play", "card": "R7"}]}
            early = await people[0].post(f"/rooms/{code}/moves", guess)
            assert (early.status_code, early.json()["code"]) == (409, "not_started")
            for what in ("leave", "start", "sit"):
                await at_once(form(people[1], code, what))
            answers = await at_once(
                *(
                    each.post(f"/rooms/{code}/reveal", {"r": one.hex()})
                    for each, one in zip(people, r, strict=True)
                    for _ in range(3)
                ),
                *(
                    people[0].post(f"/rooms/{code}/moves", {**guess, "id": f"e{n}"})
                    for n in range(4)
                ),
            )
            assert statuses(answers[:6]) == {200: 6}
            seen = await shown(people[0], code)
            assert seen["room"]["status"] == "running"
            assert seen["v"] == sum(answer.status_code == 200 for answer in answers[6:])
            codes = {a.json()["code"] for a in answers[6:] if a.status_code != 200}
            assert codes <= {"not_started", "not_in_hand", "stale", "not_asked", "draw_first"}


class TestMoving:
    async def test_ten_moves_for_one_turn(self, arrive: Arrive) -> None:
        ann, bo = await arrive("Ann"), await arrive("Bo")
        code = await started([ann, bo], "lost_cities", {"first": 0})
        prompt = (await shown(ann, code))["prompt"]
        moves = [
            {"id": f"m{n}", "prompt": prompt["n"], "moves": [prompt["legal"][n], DECK]}
            for n in range(10)
        ]
        async with ann.line(code) as line:
            answers = await at_once(*(ann.post(f"/rooms/{code}/moves", move) for move in moves))
            assert statuses(answers) == {200: 1, 409: 9}
            codes = {a.json()["code"] for a in answers if a.status_code == 409}
            assert codes <= {"not_asked", "stale"}
            await line.hear_state(v=1)
        assert (await shown(bo, code))["v"] == 1

    async def test_one_move_sent_everywhere_counts_once(self, arrive: Arrive) -> None:
        ann, bo = await arrive("Ann"), await arrive("Bo")
        code = await started([ann, bo], "lost_cities", {"first": 0})
        prompt = (await shown(ann, code))["prompt"]
        move: Message = {"id": "same", "prompt": prompt["n"], "moves": [prompt["legal"][0], DECK]}
        async with ann.line(code) as one, ann.line(code) as two:
            for line in (one, two, one, two):
                await line.say({"t": "move", **move})
            answers = await at_once(*(ann.post(f"/rooms/{code}/moves", move) for _ in range(5)))
            assert {answer.json()["ack"] for answer in answers} == {"same"}
            for line in (one, two):
                await line.hear(lambda message: message.get("ack") == "same")
                assert all(message["t"] == "state" for message in await line.quiet())
        assert (await shown(bo, code))["v"] == 1

    async def test_a_form_pressed_many_times_counts_once(self, arrive: Arrive) -> None:
        ann, bo = await arrive("Ann"), await arrive("Bo")
        code = await started([ann, bo], "lost_cities", {"first": 0})
        seen = await shown(ann, code)
        fields = {"prompt": "0", "card": seen["view"]["hand"][0], "action": "discard"}
        answers = await at_once(*(form(ann, code, "move", **fields) for _ in range(5)))
        assert statuses(answers) == {303: 5}
        assert (await shown(bo, code))["v"] == 1

    async def test_both_give_up(self, arrive: Arrive) -> None:
        ann, bo = await arrive("Ann"), await arrive("Bo")
        code = await started([ann, bo], "lost_cities", {"first": 0})
        answers = await at_once(
            *(form(each, code, "do", what="concede") for each in (ann, bo, ann, bo))
        )
        assert 303 in statuses(answers)
        seen = await shown(ann, code)
        assert seen["v"] == 1
        assert seen["room"]["status"] == "finished"
        assert sorted(seen["room"]["outcome"]["ranking"]) == [1, 2]

    async def test_taking_back_while_going_on(self, arrive: Arrive) -> None:
        """The first half of a turn is taken back as its second half is played."""
        ann, bo = await arrive("Ann"), await arrive("Bo")
        code = await started([ann, bo], "lost_cities", {"first": 0})
        prompt = (await shown(ann, code))["prompt"]
        half = {"id": "half", "prompt": prompt["n"], "moves": [prompt["legal"][0]]}
        n = (await ann.post(f"/rooms/{code}/moves", half)).json()["prompt"]["n"]
        drawing: Any = {"id": "draw", "prompt": n, "moves": [DECK]}
        back, drew = await at_once(
            form(ann, code, "do", what="undo"), ann.post(f"/rooms/{code}/moves", drawing)
        )
        seen = [await shown(each, code) for each in (ann, bo)]
        assert seen[0]["v"] == seen[1]["v"] == 2
        assert (back.status_code == 303) != (drew.status_code == 200)
        assert (seen[0]["prompt"] is not None) == (back.status_code == 303)
