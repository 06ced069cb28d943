"""What players do while the database is in trouble: try, are told to try again, and try again."""

from __future__ import annotations

import asyncio
import time

from tests.realtime.people import Line, Message

ANSWERED_WITHIN = 10.0


async def refused(line: Line, message: Message) -> str:
    """Sends a message that cannot be done now; returns the code of the refusal."""
    begun = time.monotonic()
    await line.say(message)
    answer = await line.hear_of("refused")
    assert time.monotonic() - begun < ANSWERED_WITHIN
    assert answer["id"] == message["id"]
    assert answer["message"]
    return str(answer["code"])


async def counted(line: Line, message: Message) -> int:
    """Sends a message again and again, as a page does, until it counts; returns its entry."""
    async with asyncio.timeout(ANSWERED_WITHIN):
        while True:
            await line.say(message)
            answer = await line.hear(
                lambda heard: heard["t"] == "refused" or heard.get("ack") == message["id"]
            )
            if answer["t"] == "state":
                return int(answer["v"])
            assert answer["code"] == "try_again"
            await asyncio.sleep(0.1)
