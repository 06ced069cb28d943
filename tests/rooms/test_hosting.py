"""What the host may change before the start, and nobody else."""

import pytest

from app.players.service import Player
from app.rooms.room import Room, RoomRefused
from tests.rooms.conftest import House


async def full_table(house: House) -> tuple[Room, list[Player]]:
    """A room of three with Ann as its host, and a fourth player without a seat."""
    people = await house.people("Ann", "Bo", "Cy", "Di")
    room = await house.rooms.create(people[0], "torture", 3, {})
    await house.rooms.sit(room.id, people[1])
    room, _seat = await house.rooms.sit(room.id, people[2])
    return room, people


def names(room: Room) -> list[str | None]:
    """The names by seat."""
    people = [room.at(seat) for seat in range(room.seats)]
    return [None if person is None else person.name for person in people]


async def test_removing_somebody_frees_the_seat_for_another(house: House) -> None:
    room, (ann, bo, _cy, di) = await full_table(house)
    with pytest.raises(RoomRefused) as refused:
        await house.rooms.sit(room.id, di)
    assert refused.value.code == "full"
    room = await house.rooms.remove(room.id, ann, 1)
    assert names(room) == ["Ann", None, "Cy"]
    assert await house.rooms.remove(room.id, ann, 1) == room
    room, seat = await house.rooms.sit(room.id, di)
    assert seat == 1
    with pytest.raises(RoomRefused) as refused:
        await house.rooms.sit(room.id, bo)
    assert refused.value.code == "full"


async def test_a_host_who_removes_himself_has_left(house: House) -> None:
    room, (ann, bo, *_) = await full_table(house)
    room = await house.rooms.remove(room.id, ann, 0)
    assert (names(room), room.host_id) == ([None, "Bo", "Cy"], bo.id)


async def test_a_seat_that_is_not_there_is_refused(house: House) -> None:
    room, (ann, *_) = await full_table(house)
    for seat in (-1, 3, 10**30):
        with pytest.raises(RoomRefused) as refused:
            await house.rooms.remove(room.id, ann, seat)
        assert refused.value.code == "bad_seat"


async def test_people_change_places_with_what_is_theirs(house: House) -> None:
    room, (ann, bo, cy, _di) = await full_table(house)
    room, _seat = await house.rooms.sit(room.id, bo, "ab" * 32)
    room = await house.rooms.reorder(room.id, ann, [2, 0, 1])
    assert names(room) == ["Cy", "Ann", "Bo"]
    assert room.people[2].hash == "ab" * 32
    assert room.host_id == ann.id
    assert await house.rooms.by_id(room.id) == room
    assert await house.seat_rows(room) == [(0, cy.id), (1, ann.id), (2, bo.id)]
    assert await house.rooms.reorder(room.id, ann, [0, 1, 2]) == room


async def test_free_seats_change_places_too(house: House) -> None:
    room, (ann, bo, *_) = await full_table(house)
    await house.rooms.leave(room.id, bo)
    room = await house.rooms.reorder(room.id, ann, [1, 2, 0])
    assert names(room) == [None, "Cy", "Ann"]
    assert await house.rooms.by_id(room.id) == room


async def test_an_order_names_every_seat_once(house: House) -> None:
    room, (ann, *_) = await full_table(house)
    for order in ([], [0, 1], [0, 1, 1], [0, 1, 3], [-1, 0, 1], [0, 1, 2, 3], [2, 1, 10**30]):
        with pytest.raises(RoomRefused) as refused:
            await house.rooms.reorder(room.id, ann, order)
        assert refused.value.code == "bad_order"
    assert await house.rooms.by_id(room.id) == room


async def test_seats_and_options_can_be_changed(house: House) -> None:
    room, (ann, _bo, _cy, di) = await full_table(house)
    room = await house.rooms.configure(room.id, ann, 4, {"rounds": 1})
    assert (room.seats, dict(room.options)) == (4, {"rounds": 1})
    assert await house.rooms.configure(room.id, ann, None, {}) == room
    room, seat = await house.rooms.sit(room.id, di)
    assert seat == 3
    assert await house.rooms.by_id(room.id) == room


async def test_with_fewer_seats_people_move_up_but_nobody_falls_out(house: House) -> None:
    room, (ann, bo, *_) = await full_table(house)
    with pytest.raises(RoomRefused) as refused:
        await house.rooms.configure(room.id, ann, 2, {})
    assert (refused.value.code, refused.value.facts) == ("too_many", {"people": 3})
    await house.rooms.leave(room.id, bo)
    room = await house.rooms.configure(room.id, ann, 2, {})
    assert names(room) == ["Ann", "Cy"]
    assert await house.rooms.by_id(room.id) == room


async def test_a_wrong_setting_changes_nothing_at_all(house: House) -> None:
    room, (ann, *_) = await full_table(house)
    for seats, options, code in (
        (5, {"rounds": 1}, "bad_seats"),
        (4, {"rounds": 2}, "bad_options"),
    ):
        with pytest.raises(RoomRefused) as refused:
            await house.rooms.configure(room.id, ann, seats, options)
        assert refused.value.code == code
    assert await house.rooms.by_id(room.id) == room


async def test_only_the_host_arranges_the_room(house: House) -> None:
    room, (_ann, bo, _cy, di) = await full_table(house)
    for other in (bo, di):
        for call in (
            house.rooms.remove(room.id, other, 2),
            house.rooms.reorder(room.id, other, [2, 1, 0]),
            house.rooms.configure(room.id, other, 4, {}),
            house.rooms.start(room.id, other),
        ):
            with pytest.raises(RoomRefused) as refused:
                await call
            assert refused.value.code == "not_host"
    assert await house.rooms.by_id(room.id) == room


async def test_the_host_says_at_any_time_who_may_watch(house: House) -> None:
    room, (ann, bo, _cy, di) = await full_table(house)
    assert (room.watching, room.watchers_chat) == (True, False)
    with pytest.raises(RoomRefused) as refused:
        await house.rooms.watch(room.id, bo, watching=False, watchers_chat=False)
    assert refused.value.code == "not_host"
    room = await house.rooms.watch(room.id, ann, watching=True, watchers_chat=True)
    assert await house.rooms.watch(room.id, ann, watching=True, watchers_chat=True) == room
    closed = await house.rooms.watch(room.id, ann, watching=False, watchers_chat=True)
    assert (closed.watching, closed.watchers_chat) == (False, False)
    assert all(closed.may_look(one) for one in (ann.id, di.id, None)), "to sit down"
    begun = await house.rooms.start(room.id, ann)
    assert [begun.may_look(one) for one in (ann.id, bo.id, di.id, None)] == [
        True,
        True,
        False,
        False,
    ]
    begun = await house.rooms.watch(room.id, ann, watching=True, watchers_chat=False)
    assert begun.may_look(None)
