"""What was said is kept for a room, in order, up to a number of lines."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest
from sqlalchemy import text

from app.chat.lines import Line, Writer
from app.chat.pace import Pace
from app.chat.refused import ChatRefused
from app.chat.service import LINES_KEPT, PRUNED_EVERY, Chat
from app.database import Database, new_id
from app.players.service import Player, Players


@pytest.fixture
def chat(database: Database) -> Chat:
    return Chat(database)


@pytest.fixture
async def ann(database: Database) -> Player:
    return (await Players(database).create("Ann", "here"))[0]


async def test_a_line_is_told_and_kept(chat: Chat, ann: Player) -> None:
    room, other = new_id(), new_id()
    heard: list[tuple[UUID, Line]] = []
    chat.listeners.append(lambda where, line: heard.append((where, line)))
    first = await chat.say(room, Writer(ann.id, 1, "Ann (2)"), " good\nluck ")
    second = await chat.react(room, Writer(ann.id, None, None), "bravo")
    await chat.say(other, Writer(ann.id, 0, "Ann"), "elsewhere")
    assert [(line.name, line.seat, line.kind, line.text) for line in (first, second)] == [
        ("Ann (2)", 1, "text", "good luck"),
        ("Ann", None, "reaction", "bravo"),
    ]
    assert [line for where, line in heard if where == room] == [first, second]
    assert await chat.lines(room) == [first, second]
    assert await chat.lines(room, after=first.id) == [second]
    assert first.who == second.who
    assert str(ann.id) not in str(first.wire())


async def test_the_same_message_again_is_one_line(chat: Chat, ann: Player) -> None:
    room, writer = new_id(), Writer(ann.id, 0, "Ann")
    again = [chat.say(room, writer, "once", message_id="m1") for _ in range(8)]
    assert len({line.id for line in await asyncio.gather(*again)}) == 1
    assert len(await chat.lines(room)) == 1


async def test_who_says_too_much_is_told_when_to_go_on(chat: Chat, ann: Player) -> None:
    writer = Writer(ann.id, 0, "Ann")
    for _ in range(2):
        await chat.say(new_id(), writer, "in every room")
        await chat.react(new_id(), writer, "wow")
    room = new_id()
    await chat.say(room, writer, "the fifth", message_id="m5")
    with pytest.raises(ChatRefused) as refused:
        await chat.react(room, writer, "wow")
    assert refused.value.code == "too_fast"
    assert 0 < refused.value.seconds <= 10
    assert (await chat.say(room, writer, "the fifth", message_id="m5")).text == "the fifth"
    assert len(await chat.lines(room)) == 1


async def test_old_lines_go(database: Database, ann: Player) -> None:
    chat = Chat(database, pace=Pace(most=10_000))
    room, other, writer = new_id(), new_id(), Writer(ann.id, 0, "Ann")
    await chat.say(other, writer, "stays")
    for number in range(LINES_KEPT + PRUNED_EVERY):
        await chat.say(room, writer, f"line {number}")
    lines = await chat.lines(room)
    assert [line.text for line in lines[:: LINES_KEPT - 1]] == ["line 64", "line 263"]
    async with database.engine.connect() as link:
        count = await link.scalar(
            text("select count(*) from chat where room_id <> :o"), {"o": other}
        )
    assert LINES_KEPT <= count < LINES_KEPT + PRUNED_EVERY
    assert len(await chat.lines(other)) == 1
