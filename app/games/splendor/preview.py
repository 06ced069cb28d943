"""What a legal move would do, in numbers, from the mover's own view."""

from __future__ import annotations

from app.games.contract import Json, View
from app.games.splendor.cards import CARDS
from app.games.splendor.ends import MOST_TOKENS
from app.games.splendor.gems import COLOURS, GOLD, Count, some
from app.games.splendor.nobles import satisfied
from app.games.splendor.payments import paid, price


def preview(view: View, move: Json) -> dict[str, Json]:
    """Returns what a legal move of the viewer would do.

    * `buy`: `price` after bonuses and `paid` tokens (only what there is of), `points` of the card
      and the `nobles` that would come, one of them.
    * `take`, `reserve`: `gold` received and how many tokens to `return`.
    * Otherwise {}.
    """
    me = view["players"][view["seat"]]
    if move["kind"] == "buy":
        card = CARDS[move["card"]]
        owed = price(move["card"], _by_colour(me["bonuses"]))
        after = {**me["bonuses"], card.bonus: me["bonuses"][card.bonus] + 1}
        return {
            "price": some(owed),
            "paid": some(paid(owed, _by_colour(move["gold"]))),
            "points": card.points,
            "nobles": list(satisfied(tuple(view["nobles"]), _by_colour(after))),
        }
    if move["kind"] in {"take", "reserve"}:
        gold = int(move["kind"] == "reserve" and view["bank"][GOLD] > 0)
        held = sum(me["tokens"].values()) + gold + len(move.get("gems", ()))
        return {"gold": gold, "return": max(0, held - MOST_TOKENS)}
    return {}


def _by_colour(numbers: dict[str, int]) -> Count:
    return tuple(numbers.get(colour, 0) for colour in COLOURS)
