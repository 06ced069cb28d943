"""The JSON protocol over real sockets: docs/protocol.md, sentence by sentence."""

from __future__ import annotations

import asyncio
from uuid import UUID, uuid4

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from app.config import Settings
from app.realtime.visits import Visits
from tests.realtime.conftest import Arrive
from tests.realtime.people import Person, started

LC = "lost_cities"
FIRST = {"first": 0}
DECK = {"kind": "draw", "from": "deck"}
HIDE = {"kind": "hide", "boxes": [2, 2, 2]}


@pytest.fixture
async def ann(arrive: Arrive) -> Person:
    return await arrive("Ann")


@pytest.fixture
async def bo(arrive: Arrive) -> Person:
    return await arrive("Bo")


async def test_an_open_room_has_no_view_and_no_question(ann: Person) -> None:
    code = (await ann.post("/rooms", {"game": LC, "seats": 2})).json()["code"]
    async with ann.line(code) as line:
        assert line.state["v"] == -1
        content = line.state["d"]
        assert content["view"] is None
        assert content["prompt"] is None
        assert content["room"]["status"] == "open"
        assert content["room"]["you"] == 0


async def test_the_start_shows_the_game_to_who_waits(ann: Person, bo: Person) -> None:
    code = (await ann.post("/rooms", {"game": LC, "seats": 2, "options": FIRST})).json()["code"]
    async with ann.line(code) as line:
        await bo.post(f"/rooms/{code}/seats")
        await ann.post(f"/rooms/{code}/start")
        state = await line.hear_state(v=0)
        assert state["d"]["room"]["status"] == "running"
        assert state["d"]["prompt"]["n"] == 0
        assert len(state["d"]["view"]["hand"]) == 8


async def test_a_move_reaches_everybody_and_is_acknowledged_to_its_sender(
    ann: Person, bo: Person
) -> None:
    code = await started([ann, bo], LC, FIRST)
    async with ann.line(code) as mine, ann.line(code) as tab, bo.line(code) as theirs:
        move_id = await mine.move(mine.prompt["legal"][-1])
        assert (await mine.hear_state(v=1))["ack"] == move_id
        assert (await tab.hear_state(v=1))["ack"] is None
        seen = await theirs.hear_state(v=1)
        assert seen["ack"] is None
        assert seen["d"]["prompt"] is None
        assert seen["d"]["events"][-1]["events"][0]["kind"] == "discarded"


async def test_a_list_of_moves_is_one_entry_and_one_state(ann: Person, bo: Person) -> None:
    code = await started([ann, bo], LC, FIRST)
    async with ann.line(code) as mine, bo.line(code) as theirs:
        await mine.quiet()
        await mine.move(mine.prompt["legal"][-1], DECK)
        mine_now = await mine.hear_state(v=1)
        theirs_now = await theirs.hear_state(v=1)
        assert mine_now["v"] == theirs_now["v"] == 1
        drew = [each["events"][-1] for each in mine_now["d"]["events"]][-1]
        assert "card" in drew
        drew = [each["events"][-1] for each in theirs_now["d"]["events"]][-1]
        assert "card" not in drew
        assert theirs_now["d"]["prompt"]["stage"] == "play"
        assert [m["v"] for m in await theirs.quiet() if m["t"] == "state"] == []


async def test_a_refusal_names_the_move_and_changes_nothing(ann: Person, bo: Person) -> None:
    code = await started([ann, bo], LC, FIRST)
    async with ann.line(code) as line:
        discard = line.prompt["legal"][-1]
        move_id = await line.move(discard, discard)
        refused = await line.hear_of("refused")
        assert (refused["id"], refused["code"], refused["index"]) == (move_id, "draw_first", 1)
        assert refused["message"]
        assert (await ann.get(f"/rooms/{code}/view")).json()["v"] == 0


async def test_an_answer_to_an_old_question_is_refused_with_the_new_state(
    ann: Person, bo: Person
) -> None:
    code = await started([ann, bo], LC, FIRST)
    async with ann.line(code) as line:
        await line.move(line.prompt["legal"][-1])
        await line.hear_state(v=1)
        await line.say({"t": "move", "id": "old", "prompt": 0, "moves": [DECK]})
        assert (await line.hear_of("refused"))["code"] == "stale"
        assert (await line.hear_state(v=1))["d"]["prompt"]["n"] == 1


async def test_a_message_sent_again_on_a_new_socket_counts_once(ann: Person, bo: Person) -> None:
    code = await started([ann, bo], LC, FIRST)
    async with ann.line(code) as line:
        turn = [line.prompt["legal"][-1], DECK]
        await line.move(*turn, move_id="same")
    async with ann.line(code, known=0) as line:
        await line.say({"t": "move", "id": "same", "prompt": 0, "moves": turn})
        acknowledged = await line.hear(lambda message: message.get("ack") == "same")
        assert acknowledged["v"] == 1


async def test_a_double_click_is_one_move(ann: Person, bo: Person) -> None:
    code = await started([ann, bo], LC, FIRST)
    async with ann.line(code) as line:
        message = {
            "t": "move", "id": "a", "prompt": 0, "moves": [line.prompt["legal"][-1], DECK]
        }  # fmt: skip
        await line.say(message)
        await line.say(message)
        await line.hear_state(v=1)
        await asyncio.sleep(0.2)
        assert (await ann.get(f"/rooms/{code}/view")).json()["v"] == 1


async def test_a_new_socket_is_told_what_happened_since(ann: Person, bo: Person) -> None:
    code = await started([ann, bo], LC, FIRST)
    async with ann.line(code) as line:
        await line.move(line.prompt["legal"][-1], DECK)
        await line.hear_state(v=1)
    async with bo.line(code, known=0) as line:
        assert [each["seq"] for each in line.state["d"]["events"]] == [1]
    async with bo.line(code) as line:
        assert line.state["d"]["events"] == []


async def test_a_spectator_sees_the_public_view_and_cannot_move(
    ann: Person, bo: Person, arrive: Arrive, url: str, http: httpx.AsyncClient
) -> None:
    code = await started([ann, bo], LC, FIRST)
    for watcher in (await arrive("Cy"), Person(url, None, http)):
        async with watcher.line(code) as line:
            content = line.state["d"]
            assert content["room"]["you"] is None
            assert content["view"]["hand"] == []
            assert content["prompt"] is None
            await line.say({"t": "move", "id": "x", "prompt": 0, "moves": [DECK]})
            assert (await line.hear_of("refused"))["code"] == "not_seated"


async def test_nobody_moves_for_another_seat(ann: Person, bo: Person) -> None:
    code = await started([ann, bo], LC, FIRST)
    async with bo.line(code) as line:
        message = {"t": "move", "id": "x", "prompt": 0, "moves": [DECK]}
        await line.say(message)
        assert (await line.hear_of("refused"))["code"] == "not_asked"
        await line.say(message | {"seat": 0, "id": "y"})
        refused = await line.hear_of("refused")
        assert refused["code"] == "not_seated"
        assert refused["message"] == "That is not your seat. Play for your own."


async def test_presence_is_seen(ann: Person, bo: Person) -> None:
    code = await started([ann, bo], LC, FIRST)

    def online(message: dict[str, object], seats: list[bool]) -> bool:
        if message["t"] != "state":
            return False
        people = message["d"]["room"]["people"]  # type: ignore[index]
        return [each["online"] for each in people] == seats

    async with ann.line(code) as line:
        assert online(line.state, [True, False])
        async with bo.line(code):
            await line.hear(lambda message: online(message, [True, True]))
        await line.hear(lambda message: online(message, [True, False]))


async def test_a_ping_is_answered_and_sync_sends_the_state(ann: Person) -> None:
    code = (await ann.post("/rooms", {"game": LC})).json()["code"]
    async with ann.line(code) as line:
        await line.say({"t": "ping"})
        assert await line.hear_of("pong") == {"t": "pong"}
        await line.say({"t": "sync"})
        await line.hear_state()


class TestBeats:
    @pytest.fixture
    def house_settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"beat_seconds": 0.2})

    async def test_a_quiet_socket_hears_where_the_room_is(self, ann: Person, bo: Person) -> None:
        code = await started([ann, bo], LC, FIRST)
        async with ann.line(code) as line:
            beat = await line.hear_of("beat")
            assert (beat["v"], beat["r"]) == (line.state["v"], line.state["r"])


class TestSimultaneousMoves:
    async def test_my_question_keeps_its_number_whatever_others_do(
        self, ann: Person, bo: Person, arrive: Arrive
    ) -> None:
        people = [ann, bo, await arrive("Cy")]
        code = await started(people, "torture")
        async with ann.line(code) as mine, bo.line(code) as theirs:
            await theirs.move(HIDE)
            seen = await mine.hear_state(v=1)
            assert seen["d"]["prompt"]["n"] == 0
            await theirs.say({"t": "do", "id": "u", "what": "undo"})
            seen = await mine.hear_state(v=2)
            assert seen["d"]["prompt"]["n"] == 0
            await mine.move(HIDE)
            assert (await mine.hear_state(v=3))["d"]["prompt"] is None

    async def test_taking_back_is_acknowledged(self, ann: Person, bo: Person) -> None:
        code = await started([ann, bo], "torture")
        async with ann.line(code) as line:
            await line.move(HIDE)
            await line.hear_state(v=1)
            await line.say({"t": "do", "id": "u", "what": "undo"})
            back = await line.hear(lambda message: message.get("ack") == "u")
            assert back["d"]["prompt"]["n"] == 2
            await line.say({"t": "do", "id": "v", "what": "undo"})
            assert (await line.hear_of("refused"))["code"] == "nothing_to_undo"


async def test_conceding_ends_the_game_for_everybody(ann: Person, bo: Person) -> None:
    code = await started([ann, bo], LC, FIRST)
    async with ann.line(code) as mine, bo.line(code) as theirs:
        await theirs.say({"t": "do", "id": "c", "what": "concede"})
        end = await mine.hear_state(v=1)
        assert end["d"]["room"]["status"] == "finished"
        assert end["d"]["room"]["outcome"]["ranking"] == [1, 2]
        assert (await ann.get(f"/rooms/{code}")).json()["status"] == "finished"


class TestTheDoor:
    @pytest.mark.parametrize("protocol", ["motherlode.json.v2", "graphql-ws"])
    async def test_another_protocol_is_refused(self, ann: Person, protocol: str) -> None:
        code = (await ann.post("/rooms", {"game": LC})).json()["code"]
        with pytest.raises(InvalidStatus) as refused:
            async with ann.line(code, protocol=protocol):
                pass
        assert refused.value.response.status_code == 400

    async def test_an_unknown_room_and_an_unknown_token_are_refused(
        self, ann: Person, url: str, http: httpx.AsyncClient
    ) -> None:
        code = (await ann.post("/rooms", {"game": LC})).json()["code"]
        for who, where, status in [
            (ann, "no-such-room", 404),
            (Person(url, "nobody", http), code, 401),
        ]:
            with pytest.raises(InvalidStatus) as refused:
                async with who.line(where):
                    pass
            assert refused.value.response.status_code == status


async def test_whoever_looks_at_the_page_without_a_script_is_there(ann: Person, bo: Person) -> None:
    code = await started([ann, bo], LC, FIRST)

    async def seen() -> list[bool]:
        shown = (await ann.get(f"/rooms/{code}")).json()
        return [each["online"] for each in shown["people"]]

    assert await seen() == [False, False]
    async with ann.line(code) as line:
        looked = await bo.http.get(f"{bo.url}/r/{code}", headers=bo.headers)
        assert looked.status_code == 200
        state = await line.hear_of("state")
        assert [each["online"] for each in state["d"]["room"]["people"]] == [True, True]
    assert await seen() == [False, True]
    async with bo.line(code):
        assert await seen() == [False, True]
    assert await seen() == [False, False], "a socket says more than a look"


async def test_a_look_counts_for_a_while() -> None:
    told: list[UUID] = []
    visits = Visits(told.append, seconds=0.2)
    room, player = uuid4(), uuid4()
    visits.note(room, player)
    visits.note(room, player)
    assert visits.of(room) == {player}
    assert told == [room]
    await asyncio.sleep(0.4)
    assert visits.of(room) == frozenset()
    assert told == [room, room]


async def test_a_new_name_is_seen_at_once(ann: Person, bo: Person) -> None:
    code = await started([ann, bo], LC, FIRST)
    async with ann.line(code) as line:
        renamed = await bo.http.post(f"{bo.url}/name", data={"name": "Bob"}, headers=bo.headers)
        assert renamed.status_code == 303
        state = await line.hear_of("state")
        assert [each["name"] for each in state["d"]["room"]["people"]] == ["Ann", "Bob"]
