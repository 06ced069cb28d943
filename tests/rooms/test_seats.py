"""Making a room, sitting down, leaving."""

import asyncio
from collections.abc import Callable

import pytest

from app.database import new_id
from app.games.contract import Json
from app.players.service import Player
from app.rooms.codes import parse_code
from app.rooms.room import RoomRefused
from app.rooms.service import Rooms
from tests.rooms.conftest import ALL_GAMES, DRAWN, House

HASH = "ab" * 32
NAMES = ["Ann", "ann", "Ann ", "Ann\u200b", "\u0410nn"]


def code_of(refused: pytest.ExceptionInfo[RoomRefused]) -> str:
    return refused.value.code


async def test_a_new_room_has_its_host_on_the_first_seat(house: House) -> None:
    (ann,) = await house.people("Ann")
    room = await house.rooms.create(ann, "lost_cities", None, {"rounds": 3})
    assert parse_code(room.code) == room.code
    assert (room.status, room.seats, room.host_id, room.r) == ("open", 2, ann.id, 0)
    assert dict(room.options) == {"colours": 5, "rounds": 3, "first": -1}
    assert room.seats_of(ann.id) == (0,)
    assert len(room.commitment) == 64
    assert len(room.words) == 4
    assert await house.rooms.by_id(room.id) == room
    assert await house.rooms.by_code(room.code.upper().replace("-", " ")) == room
    assert house.told == [room]


async def test_the_secret_of_a_room_is_in_nothing_that_is_handed_out(house: House) -> None:
    (ann,) = await house.people("Ann")
    room = await house.rooms.create(ann, "lost_cities", 2, {})
    secret = await house.column(room, "server_seed")
    assert isinstance(secret, bytes)
    for text in (repr(room), repr(await house.rooms.by_id(room.id)), repr(house.told)):
        assert secret.hex() not in text
        assert repr(secret) not in text


BAD: list[tuple[str, Json, dict[str, Json], str]] = [
    ("chess", 2, {}, "unknown_game"),
    ("\u0000", 2, {}, "unknown_game"),
    ("lost_cities", 3, {}, "bad_seats"),
    ("lost_cities", True, {}, "bad_seats"),
    ("torture", 1, {}, "bad_seats"),
    ("lost_cities", 2, {"colours": "5"}, "bad_options"),
    ("lost_cities", 2, {"colors": 5}, "bad_options"),
]


async def test_a_room_that_cannot_be_is_refused(house: House) -> None:
    (ann,) = await house.people("Ann")
    for game, seats, options, code in BAD:
        with pytest.raises(RoomRefused) as refused:
            await house.rooms.create(ann, game, seats, options)
        assert code_of(refused) == code
    assert house.told == []


async def test_a_code_that_is_taken_is_drawn_again(house: House) -> None:
    drawn = iter(["bado-bado-bado-bado"] * 2 + ["keli-keli-keli-keli"])
    rooms = Rooms(house.database, ALL_GAMES, draw_code=lambda: next(drawn))
    (ann,) = await house.people("Ann")
    first = await rooms.create(ann, "lost_cities", 2, {})
    second = await rooms.create(ann, "lost_cities", 2, {})
    assert (first.code, second.code) == ("bado-bado-bado-bado", "keli-keli-keli-keli")
    assert (await rooms.by_code(second.code)).id == second.id


async def test_an_unknown_code_is_refused(house: House) -> None:
    for code in ("", "bado-keli-mofu-tasi", "\u0000", "x" * 1000):
        with pytest.raises(RoomRefused) as refused:
            await house.rooms.by_code(code)
        assert code_of(refused) == "unknown_room"


async def test_an_unknown_room_is_refused_whatever_is_asked_of_it(house: House) -> None:
    (ann,) = await house.people("Ann")
    nowhere = new_id()
    rooms = house.rooms
    for call in (
        rooms.by_id(nowhere),
        rooms.sit(nowhere, ann),
        rooms.leave(nowhere, ann),
        rooms.start(nowhere, ann),
        rooms.deal(nowhere),
        rooms.finish(nowhere, DRAWN),
    ):
        with pytest.raises(RoomRefused) as refused:
            await call
        assert code_of(refused) == "unknown_room"


async def test_sitting_down_takes_the_lowest_free_seat(house: House) -> None:
    ann, bo, cy = await house.people("Ann", "Bo", "Cy")
    room = await house.rooms.create(ann, "torture", 4, {})
    assert (await house.rooms.sit(room.id, bo))[1] == 1
    assert (await house.rooms.sit(room.id, cy))[1] == 2
    room = await house.rooms.leave(room.id, bo)
    assert [person.seat for person in room.people] == [0, 2]
    room, seat = await house.rooms.sit(room.id, bo, HASH)
    assert seat == 1
    assert [person.name for person in room.people] == ["Ann", "Bo", "Cy"]
    assert room == await house.rooms.by_id(room.id)
    assert [told.r for told in house.told] == [0, 1, 2, 3, 4]


async def test_sitting_down_twice_is_once(house: House) -> None:
    ann, bo = await house.people("Ann", "Bo")
    room = await house.rooms.create(ann, "torture", 4, {})
    first = await house.rooms.sit(room.id, bo, HASH)
    again = await house.rooms.sit(room.id, bo, HASH)
    assert first == again
    assert len(house.told) == 2


async def test_twenty_devices_of_one_player_get_one_seat(house: House) -> None:
    ann, bo = await house.people("Ann", "Bo")
    room = await house.rooms.create(ann, "torture", 4, {})
    elsewhere = house.another_process()
    sat = await asyncio.gather(
        *((house.rooms, elsewhere)[at % 2].sit(room.id, bo) for at in range(20))
    )
    assert {seat for _room, seat in sat} == {1}
    assert await house.seat_rows(room) == [(0, ann.id), (1, bo.id)]
    assert (await house.rooms.by_id(room.id)).r == 1


async def test_twenty_people_and_one_free_seat(house: House) -> None:
    ann, *others = await house.people("Ann", *(f"P{at}" for at in range(20)))
    room = await house.rooms.create(ann, "lost_cities", 2, {})
    elsewhere = house.another_process()
    answers = await asyncio.gather(
        *((house.rooms, elsewhere)[at % 2].sit(room.id, one) for at, one in enumerate(others)),
        return_exceptions=True,
    )
    seated = [answer for answer in answers if isinstance(answer, tuple)]
    refused = [answer for answer in answers if isinstance(answer, RoomRefused)]
    assert len(seated) == 1
    assert [(one.code, one.facts) for one in refused] == [("full", {"seats": 2})] * 19
    assert len(await house.seat_rows(room)) == 2
    assert (await house.rooms.by_id(room.id)).r == 1


async def test_names_that_look_alike_are_different_people(house: House) -> None:
    people = await house.people(*NAMES[:4])
    room = await house.rooms.create(people[0], "torture", 4, {})
    for seat, player in enumerate(people):
        assert (await house.rooms.sit(room.id, player))[1] == seat
    room = await house.rooms.leave(room.id, people[2])
    assert [person.player_id for person in room.people] == [
        people[0].id,
        people[1].id,
        people[3].id,
    ]
    (cyrillic,) = await house.people(NAMES[4])
    assert room.seats_of(cyrillic.id) == ()


async def test_a_new_name_shows_on_the_seat(house: House) -> None:
    (ann,) = await house.people("Ann")
    room = await house.rooms.create(ann, "lost_cities", 2, {})
    await house.players.rename(ann.id, "Anna")
    assert (await house.rooms.by_id(room.id)).people[0].name == "Anna"


async def test_a_promise_that_is_no_hash_is_refused(house: House) -> None:
    ann, bo = await house.people("Ann", "Bo")
    room = await house.rooms.create(ann, "lost_cities", 2, {})
    for promise in ("", "ab", "AB" * 32, "zz" * 32, "ab" * 33, "\u0000", "\ud800"):
        with pytest.raises(RoomRefused) as refused:
            await house.rooms.sit(room.id, bo, promise)
        assert code_of(refused) == "bad_hash"
    assert len(await house.seat_rows(room)) == 1


async def test_the_first_promise_of_a_seat_counts(house: House) -> None:
    (ann,) = await house.people("Ann")
    room = await house.rooms.create(ann, "lost_cities", 2, {})
    assert room.people[0].hash is None
    room, seat = await house.rooms.sit(room.id, ann, HASH)
    assert (seat, room.people[0].hash, room.r) == (0, HASH, 1)
    room, _seat = await house.rooms.sit(room.id, ann, "cd" * 32)
    room, _seat = await house.rooms.sit(room.id, ann, None)
    assert (room.people[0].hash, room.r) == (HASH, 1)


async def test_leaving_twice_or_without_a_seat_is_nothing(house: House) -> None:
    ann, bo, cy = await house.people("Ann", "Bo", "Cy")
    room = await house.rooms.create(ann, "torture", 3, {})
    await house.rooms.sit(room.id, bo)
    room = await house.rooms.leave(room.id, bo)
    assert await house.rooms.leave(room.id, bo) == room
    assert await house.rooms.leave(room.id, cy) == room
    assert room.r == 2


async def test_when_the_host_leaves_the_next_person_has_the_rights(house: House) -> None:
    ann, bo, cy = await house.people("Ann", "Bo", "Cy")
    room = await house.rooms.create(ann, "torture", 3, {})
    await house.rooms.sit(room.id, bo)
    await house.rooms.sit(room.id, cy)
    room = await house.rooms.leave(room.id, ann)
    assert room.host_id == bo.id
    room = await house.rooms.configure(room.id, bo, None, {"rounds": 5})
    room, _seat = await house.rooms.sit(room.id, ann)
    assert (room.host_id, room.options["rounds"]) == (bo.id, 5)
    with pytest.raises(RoomRefused) as refused:
        await house.rooms.start(room.id, ann)
    assert code_of(refused) == "not_host"


async def test_who_comes_into_an_empty_room_is_its_host(house: House) -> None:
    ann, bo = await house.people("Ann", "Bo")
    room = await house.rooms.create(ann, "lost_cities", 2, {})
    room = await house.rooms.leave(room.id, ann)
    assert (room.people, room.host_id) == ((), None)
    room, seat = await house.rooms.sit(room.id, bo)
    assert (seat, room.host_id) == (0, bo.id)
    assert room == await house.rooms.by_id(room.id)


async def test_a_listener_that_fails_hides_nothing_from_the_others(house: House) -> None:
    def fail(_room: object) -> None:
        raise RuntimeError

    house.rooms.listeners.insert(0, fail)
    (ann,) = await house.people("Ann")
    room = await house.rooms.create(ann, "lost_cities", 2, {})
    assert house.told == [room]


async def test_making_and_sitting_take_few_statements(
    house: House, statements: Callable[[], int]
) -> None:
    ann, bo = await house.people("Ann", "Bo")
    assert statements() == 2
    room = await house.rooms.create(ann, "lost_cities", 2, {})
    assert statements() == 1
    await house.rooms.sit(room.id, bo, HASH)
    assert statements() == 2
    await house.rooms.sit(room.id, bo, HASH)
    assert statements() == 1


async def test_somebody_unknown_to_the_house_changes_nothing(house: House) -> None:
    (ann,) = await house.people("Ann")
    room = await house.rooms.create(ann, "torture", 3, {})
    stranger = Player(new_id(), "Ann")
    assert await house.rooms.leave(room.id, stranger) == room
    for call in (
        house.rooms.remove(room.id, stranger, 0),
        house.rooms.reorder(room.id, stranger, [0, 1, 2]),
        house.rooms.configure(room.id, stranger, 2, {}),
        house.rooms.start(room.id, stranger),
    ):
        with pytest.raises(RoomRefused) as refused:
            await call
        assert code_of(refused) == "not_host"
