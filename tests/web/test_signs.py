"""Colours are told apart by shape and letter as well, in every game and without a switch."""

from __future__ import annotations

import re

import pytest

from tests.web.conftest import Join

SIGNS: dict[str, tuple[dict[str, int], str, int]] = {
    "lost_cities": ({"colours": 6}, r"sign-([YBWGRP])", 6),
    "splendor": ({}, r"gem-(\w)", 6),
    "silver_and_gold": ({}, r"sg-(purple|orange|green|grey)", 4),
    "take_the_gold": ({}, r"ttg-i-(\w+)", 7),
}
"""Of each game that has colours: its options, the ids of its signs, and how many there are."""
DRAWN = r'<symbol id="{}" viewBox[^>]*>(.*?)</symbol>'


@pytest.mark.parametrize("game", SIGNS)
async def test_every_colour_has_a_shape_and_a_name_of_its_own(game: str, join: Join) -> None:
    options, ids, number = SIGNS[game]
    host, guest = await join("Ann"), await join("Bo")
    body = {"game": game, "seats": 2, "options": options}
    code = (await host.post("/api/rooms", body)).json()["code"]
    await guest.post(f"/api/rooms/{code}/seats")
    await host.post(f"/api/rooms/{code}/start")
    page = (await host.get(f"/r/{code}")).text
    drawn = re.findall(DRAWN.format(ids), page, re.DOTALL)
    names = [name for name, _ in drawn]
    # What is painted in another colour alone would be the same shape.
    shapes = {re.sub(r'(class|fill|stroke)="[^"]*"', "", shape) for _, shape in drawn}
    assert len(set(names)) == len(names) == len(shapes) == number
