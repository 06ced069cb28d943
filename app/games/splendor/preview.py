"""What a move would do, in numbers, from the mover's own view."""

from __future__ import annotations

from collections.abc import Mapping

from app.games.contract import Json, View
from app.games.splendor.cards import CARDS, NOBLES
from app.games.splendor.ends import MOST_TOKENS
from app.games.splendor.gems import COLOURS, GOLD, TOKENS, Count, some
from app.games.splendor.nobles import satisfied
from app.games.splendor.payments import least_gold, paid, price


def preview(view: View, move: Json) -> dict[str, Json]:
    """Returns what a move of the viewer would do. Numbers by colour have only what there is of.

    * `buy`: `price` after bonuses and `paid` tokens, `points` of the card and the `nobles` that
      would come, one of them.
    * `buy` without `gold`, of any card: `price` after bonuses, what of it the tokens of the colours
      `lack`, and how many tokens are `missing` even with gold (0: the card can be paid).
    * `take`, `reserve`: `gold` received and how many tokens to `return`.
    * `choose_noble`, of any noble: the bonuses that it still `needs`.
    * Otherwise {}.
    """
    me = view["players"][view["seat"]]
    if move["kind"] == "buy":
        return _buy(view, me, move)
    if move["kind"] == "choose_noble":
        needs = NOBLES[move["noble"]].needs
        return {"needs": some(least_gold(needs, _count(me["bonuses"], TOKENS)))}
    if move["kind"] in {"take", "reserve"}:
        gold = int(move["kind"] == "reserve" and view["bank"][GOLD] > 0)
        held = sum(me["tokens"].values()) + gold + len(move.get("gems", ()))
        return {"gold": gold, "return": max(0, held - MOST_TOKENS)}
    return {}


def _buy(view: View, me: Mapping[str, Json], move: Json) -> dict[str, Json]:
    card = CARDS[move["card"]]
    owed = price(move["card"], _count(me["bonuses"], COLOURS))
    if "gold" not in move:
        lack = least_gold(owed, _count(me["tokens"], TOKENS))
        missing = max(0, sum(lack) - me["tokens"][GOLD])
        return {"price": some(owed), "lack": some(lack), "missing": missing}
    after = {**me["bonuses"], card.bonus: me["bonuses"][card.bonus] + 1}
    return {
        "price": some(owed),
        "paid": some(paid(owed, _count(move["gold"], COLOURS))),
        "points": card.points,
        "nobles": list(satisfied(tuple(view["nobles"]), _count(after, COLOURS))),
    }


def _count(numbers: Mapping[str, int], names: tuple[str, ...]) -> Count:
    return tuple(numbers.get(name, 0) for name in names)
