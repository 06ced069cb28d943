"""What a mark would do, in numbers, from the mover's own view."""

from __future__ import annotations

from app.games.contract import Json, View
from app.games.silver_and_gold.maps import MAPS, mask_of
from app.games.silver_and_gold.state import COINS_IN_ROW, MOST_COINS, MOST_PALMS


def preview(view: View, move: Json) -> dict[str, Json]:
    """Returns what a mark or an extra of the viewer would do; {} for other moves.

    `coins`: boxes filled; `rows`: rows of coins that are full by that; `palms`: the points that go
    into palm boxes; `extras`: squares to mark then, those owed before included; `completes`: maps
    that would have no empty square left.
    """
    if move["kind"] not in {"mark", "extra"}:
        return {}
    me = view["players"][view["seat"]]
    pending = view["pending"] or {
        "cells": {},
        "extras": 0,
        "coins": 0,
        "palms": [],
        "completes": [],
    }
    printed = MAPS[move["map"]]
    new = mask_of(map(tuple, move["cells"] if move["kind"] == "mark" else [move["cell"]]))
    empty = {}
    for held in filter(None, me["maps"]):
        gone = [*held["marked"], *pending["cells"].get(str(held["map"]), ())]
        empty[held["map"]] = MAPS[held["map"]].squares & ~mask_of(map(tuple, gone))
    empty[move["map"]] &= ~new
    before = me["coins"] + pending["coins"]
    coins = min((new & printed.coins).bit_count(), MOST_COINS - before)
    boxes = MOST_PALMS - len(me["palms"]) - len(pending["palms"])
    palms = [view["palm"]] * min((new & printed.palms).bit_count(), boxes)
    owed = pending["extras"] - (move["kind"] == "extra") + (new & printed.crosses).bit_count()
    full = not empty[move["map"]]
    return {
        "coins": coins,
        "rows": (before + coins) // COINS_IN_ROW - before // COINS_IN_ROW,
        "palms": palms,
        "extras": owed if any(empty.values()) else 0,
        "completes": [move["map"]] if full else [],
    }
