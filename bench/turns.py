"""How the load's bots choose: a random legal turn of Lost Cities, long enough games.

Half of the time a bot plays a card if it can, otherwise it discards; four times in five it draws
from the deck. Games are then about 55 turns long, as in the comparison with other servers.
"""

from __future__ import annotations

import random
from typing import Any

Wire = dict[str, Any]

PLAYS_SHARE = 0.5
DECK_SHARE = 0.8
DECK: Wire = {"kind": "draw", "from": "deck"}


def whole_turn(content: Wire, dice: random.Random) -> list[Wire]:
    """Returns the two moves of a turn, the second one foreseen from the view."""
    first = _card(content["prompt"]["legal"], dice)
    closed = first["card"][0] if first["kind"] == "discard" else None
    if dice.random() < DECK_SHARE:
        return [first, DECK]
    piles = content["view"]["piles"].items()
    open_piles = [colour for colour, pile in piles if pile["size"] and colour != closed]
    if not open_piles:
        return [first, DECK]
    return [first, {"kind": "draw", "from": dice.choice(open_piles)}]


def half_turn(content: Wire, dice: random.Random) -> list[Wire]:
    """Returns the one move that is asked for."""
    legal = content["prompt"]["legal"]
    if legal[0]["kind"] != "draw":
        return [_card(legal, dice)]
    if len(legal) == 1 or dice.random() < DECK_SHARE:
        return [DECK]
    return [dice.choice(legal[1:])]


def _card(legal: list[Wire], dice: random.Random) -> Wire:
    plays = [move for move in legal if move["kind"] == "play"]
    if plays and dice.random() < PLAYS_SHARE:
        return dice.choice(plays)
    return dice.choice([move for move in legal if move["kind"] == "discard"])
