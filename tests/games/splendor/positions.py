"""Short ways to set up a position and to make moves in it.

Cards are named by what is printed on them: `card("green", red=3)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.games.chance import Chance
from app.games.contract import IllegalMove, Json, Step
from app.games.splendor.cards import CARDS, LEVELS, NOBLES, of_level
from app.games.splendor.deal import GOLD, STOCK
from app.games.splendor.gems import COLOURS, TOKENS, Count
from app.games.splendor.rules import Splendor
from app.games.splendor.state import Player, Reserved, State

GAME = Splendor()
OPTIONS: dict[str, Any] = {"target": 15, "loose_take": False, "first": 0}
SEED = bytes(range(32))
Move = dict[str, Json]
PASS: Move = {"kind": "pass"}


def chance(k: int = 1) -> Chance:
    return Chance(SEED, k)


def new_game(seats: int = 2, seed: bytes = SEED, **options: Any) -> State:
    return GAME.setup(seats, OPTIONS | options, Chance(seed, 0)).state


def tokens(**numbers: int) -> Count:
    """`tokens(red=2, gold=1)` as a count."""
    assert set(numbers) <= set(TOKENS)
    return tuple(numbers.get(token, 0) for token in TOKENS)


def card(bonus: str, **cost: int) -> int:
    """Returns the number of the card with this bonus and this cost."""
    wanted = tuple(cost.get(colour, 0) for colour in COLOURS)
    (number,) = [n for n, it in enumerate(CARDS) if (it.bonus, it.cost) == (bonus, wanted)]
    return number


def noble(**needs: int) -> int:
    """Returns the number of the noble with these needs."""
    wanted = tuple(needs.get(colour, 0) for colour in COLOURS)
    (number,) = [n for n, it in enumerate(NOBLES) if it.needs == wanted]
    return number


def bonus_cards(level: int = 1, **numbers: int) -> tuple[int, ...]:
    """Returns so many cards of a level with each bonus: the first ones without points."""
    found: list[int] = []
    for colour, number in numbers.items():
        fitting = [n for n in of_level(level) if CARDS[n].bonus == colour]
        found += sorted(fitting, key=lambda n: CARDS[n].points)[:number]
    return tuple(found)


def scoring_cards(points: int, count: int, apart_from: Sequence[int] = ()) -> tuple[int, ...]:
    """Returns `count` cards with `points` points in sum."""
    usable = [n for n in range(len(CARDS)) if n not in apart_from]
    by_points = {p: [n for n in usable if CARDS[n].points == p] for p in range(6)}

    def fill(left: int, places: int, most: int) -> tuple[int, ...] | None:
        if places == 0:
            return () if left == 0 else None
        for worth in range(min(most, left), -1, -1):
            if not by_points[worth]:
                continue
            taken = by_points[worth].pop()
            rest = fill(left - worth, places - 1, worth)
            if rest is not None:
                return (taken, *rest)
            by_points[worth].append(taken)
        return None

    cards = fill(points, count, 5)
    assert cards is not None
    return cards


def has(
    held: Count | None = None,
    *,
    cards: Sequence[int] = (),
    nobles: Sequence[int] = (),
    reserved: Sequence[int] = (),
    blind: Sequence[int] = (),
) -> Player:
    """A player; `blind` cards come after the `reserved` ones, which all have seen."""
    kept = [Reserved(n, False) for n in reserved] + [Reserved(n, True) for n in blind]
    return Player(held or tokens(), tuple(cards), tuple(nobles), tuple(kept))


def position(
    *players: Player,
    market: Mapping[int, Sequence[int | None]] | None = None,
    decks: Mapping[int, Sequence[int]] | None = None,
    nobles: Sequence[int] = (),
    **fields: Any,
) -> State:
    """A position with seat 0 to move; a second seat with nothing is added to a single one.

    `market` and `decks` are by level; a row of the market is filled up to four places, and the
    decks hold what is left, in canonical order, unless given. The bank has what nobody holds.
    """
    seated = (*players, has()) if len(players) == 1 else players
    gone = {n for player in seated for n in player.cards}
    gone |= {it.card for player in seated for it in player.reserved}
    gone |= {n for row in (market or {}).values() for n in row if n is not None}
    rows, piles = [], []
    for level in LEVELS:
        left = [n for n in of_level(level) if n not in gone]
        given = list((market or {}).get(level, ()))
        deck = (decks or {}).get(level)
        usable = [n for n in left if deck is None or n not in deck]
        rows.append((*given, *usable[: 4 - len(given)]))
        piles.append(tuple(deck) if deck is not None else tuple(usable[4 - len(given) :]))
    stock = (*(STOCK[len(seated)],) * 5, GOLD)
    bank = tuple(n - sum(p.tokens[at] for p in seated) for at, n in enumerate(stock))
    assert min(bank) >= 0
    state = new_game(len(seated))
    return replace(
        state,
        bank=bank,
        market=tuple(rows),
        decks=tuple(piles),
        nobles=tuple(sorted(nobles)),
        players=seated,
        **fields,
    )


def take(*gems: str) -> Move:
    return {"kind": "take", "gems": list(gems)}


def reserve(number: int) -> Move:
    return {"kind": "reserve", "card": number}


def blind(level: int) -> Move:
    return {"kind": "reserve", "deck": level}


def buy(number: int, **gold: int) -> Move:
    """A buy that says how much is paid with gold; without any, `gold` is left out."""
    return {"kind": "buy", "card": number} | ({"gold": gold} if gold else {})


def back(**numbers: int) -> Move:
    return {"kind": "return", "tokens": numbers}


def choose(number: int) -> Move:
    return {"kind": "choose_noble", "noble": number}


def step(state: State, move: Move, seat: int | None = None) -> Step[State]:
    """Makes one move, by the seat to move unless another is named."""
    return GAME.apply(state, state.turn if seat is None else seat, GAME.parse(move), chance())


def after(state: State, *moves: Move) -> State:
    """Makes the moves in order, each by the seat to move then."""
    for move in moves:
        state = step(state, move).state
    return state


def refused(state: State, move: Move, seat: int | None = None) -> tuple[str, dict[str, Json]]:
    """Returns the code and the facts a move is refused with; `("ok", {})` if it is not."""
    before = GAME.dump(state)
    try:
        step(state, move, seat)
    except IllegalMove as illegal:
        assert GAME.dump(state) == before
        return illegal.code, dict(illegal.facts)
    return "ok", {}


def refusal(state: State, move: Move, seat: int | None = None) -> str:
    """Returns the code a move is refused with, or `"ok"`."""
    return refused(state, move, seat)[0]


def stage(state: State) -> str:
    prompt = GAME.prompt(state, state.turn)
    return prompt.stage if prompt is not None else "over"


def legal(state: State, kind: str | None = None) -> list[Move]:
    """Returns the legal moves of the seat to move, in their order; of one kind if named."""
    prompt = GAME.prompt(state, state.turn)
    assert prompt is not None
    wires = [move.wire() for move in prompt.legal]
    return [wire for wire in wires if kind in (None, wire["kind"])]


def kinds(state: State, move: Move) -> list[str]:
    """Returns the kinds of the events of a move."""
    return [event.kind for event in step(state, move).events]
