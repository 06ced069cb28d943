"""A game that two players stretch: nothing of it gets slow, and they can agree to end it."""

from __future__ import annotations

import time

import httpx
from fastapi import FastAPI

from app.play.table import Accepted
from app.web.house import House
from tests.web.conftest import Table

TURNS = 500


async def test_five_hundred_turns_of_drawing_from_piles_leave_everything_quick(
    table: Table, app: FastAPI, browser: httpx.AsyncClient
) -> None:
    house: House = app.state.house
    room = await house.rooms.by_code(table.code)
    live = await house.tables.get(room.id)
    assert live is not None
    deck = 0
    for turn in range(TURNS):
        for wanted in ("discard", "draw"):
            ((seat, asked),) = live.position.asked.items()
            moves = [move for move in asked.legal if move["kind"] == wanted] or asked.legal
            piles = [move for move in moves if move.get("from") != "deck"]
            move = (piles or moves)[0]
            deck += move.get("from") == "deck"
            answer = await live.play(seat, [move], move_id=f"{turn}{wanted}", prompt=asked.n)
            assert isinstance(answer, Accepted)
    assert live.v == 2 * TURNS
    assert deck < 10

    for path, most in ((f"/r/{table.code}", 200_000), (f"/r/{table.code}/log", 100_000)):
        began = time.process_time()
        page = await browser.get(path)
        assert page.status_code == 200
        assert len(page.content) < most
        assert time.process_time() - began < 2
    house.tables.forget(room.id)
    began = time.process_time()
    again = await house.tables.get(room.id)
    assert again is not None
    assert again.v == live.v
    assert time.process_time() - began < 2

    for player, name in ((table.host, "a"), (table.guest, "b")):
        answered = await player.post(f"{table.api}/deeds", {"id": name, "what": "end"})
        assert answered.status_code == 200
    assert answered.json()["room"]["outcome"]["reason"] == "agreed"
