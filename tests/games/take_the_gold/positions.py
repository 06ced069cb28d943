"""Short ways to set up a position and to make moves in it.

Cards are written as in the rules, several with spaces between: `"pirate coin coin"`. Moves are
written so: `"pirate>2"` attacks seat 2, `"pass"`, `"with officer"` and `"with nothing"` answer,
`"discard pirate coin"`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from app.games.chance import Chance
from app.games.contract import IllegalMove, Json, Step
from app.games.take_the_gold.cards import full_deck, in_order
from app.games.take_the_gold.knowledge import nothing
from app.games.take_the_gold.rules import TakeTheGold
from app.games.take_the_gold.state import State, Tie

GAME = TakeTheGold()
OPTIONS: dict[str, Any] = {"krakens": 3, "advanced": False}
SEED = bytes(range(32))
FILLER = ("officer", "pirate", "two_officers", "two_pirates", "captain", "kraken", "coin")
"""In this order cards lie under those that a test names, so that draws of no interest are dull."""


def chance(k: int = 1) -> Chance:
    return Chance(SEED, k)


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def new_game(seats: int = 3, seed: bytes = SEED, **options: Any) -> State:
    return GAME.setup(seats, OPTIONS | options, Chance(seed, 0)).state


def position(
    *hands: str,
    draw: str = "",
    discards: str | None = None,
    tied: tuple[int, ...] = (),
    krakens: int = 0,
    **fields: Any,
) -> State:
    """A position with all 54 cards and seat 0 to play, its card for the turn already drawn.

    `draw` are the next cards of the draw pile, top first. All others lie below, unless `discards`
    names those that do: then the draw pile has just `draw`, and what is named nowhere lies in
    the discard pile, too. `tied` are the seats that play on after a tie at the third kraken.
    """
    coins = tuple(2 if seat in tied else 0 for seat in range(len(hands)))
    if tied:
        fields = {"coins": coins, "tie": Tie(tied, ((),) * len(hands)), **fields}
    aside = max(krakens, 3) if tied else krakens
    left = Counter(full_deck())
    left.subtract(Counter(cards(f"{' '.join(hands)} {draw} {discards or ''}")))
    left.subtract(["kraken"] * aside)
    if min(left.values()) < 0:
        raise ValueError(f"too many of {[card for card, count in left.items() if count < 0]}")
    rest = tuple(card for card in FILLER for _ in range(left[card]))
    below = discards is None
    state = State(
        krakens_to_end=3,
        advanced=False,
        stage="play",
        turn=0,
        hands=tuple(in_order(cards(hand)) for hand in hands),
        known=nothing(len(hands)),
        drawn=((),) * len(hands),
        draw=cards(draw) + rest if below else cards(draw),
        discards=() if below else in_order(rest + cards(discards or "")),
        krakens=aside,
    )
    return replace(state, **fields)


def wire(text: str) -> dict[str, Json]:
    """Reads a move as this file writes it."""
    kind, *named = text.split()
    if kind == "with":
        return {"kind": "respond", "with": None if named == ["nothing"] else named[0]}
    if kind == "discard":
        return {"kind": kind, "cards": named}
    if ">" in kind:
        card, target = kind.split(">")
        return {"kind": "play", "card": card, "target": int(target)}
    return {"kind": kind}


def actor(state: State) -> int:
    (seat,) = GAME.actors(state)
    return seat


def step(state: State, text: str, seat: int | None = None, by: Chance | None = None) -> Step[State]:
    """Makes one move, by the seat that is asked unless another is named."""
    mover = actor(state) if seat is None else seat
    return GAME.apply(state, mover, GAME.parse(wire(text)), by or chance())


def after(state: State, *moves: str) -> State:
    """Makes the moves in order, each by the seat that is asked then."""
    for number, text in enumerate(moves):
        state = step(state, text, by=chance(number)).state
    return state


def refused(state: State, text: str, seat: int | None = None) -> tuple[str, dict[str, Json]]:
    """Returns the code and the facts a move is refused with, or `("ok", {})`."""
    try:
        step(state, text, seat)
    except IllegalMove as illegal:
        return illegal.code, dict(illegal.facts)
    return "ok", {}


def refusal(state: State, text: str, seat: int | None = None) -> str:
    """Returns the code a move is refused with, or `"ok"`."""
    return refused(state, text, seat)[0]


def legal(state: State) -> list[str]:
    """Returns the legal moves of the seat that is asked, in their order."""
    prompt = GAME.prompt(state, actor(state))
    assert prompt is not None
    return [_text(move.wire()) for move in prompt.legal]


def _text(move: dict[str, Json]) -> str:
    match move["kind"]:
        case "play":
            return f"{move['card']}>{move['target']}"
        case "respond":
            return f"with {move['with'] or 'nothing'}"
        case "discard":
            return " ".join(("discard", *move["cards"]))
        case kind:
            return str(kind)


def stage(state: State) -> str:
    """Returns what is asked now: the stage and the seat, such as `"respond 1"`, or `"over"`."""
    return "over" if state.won else f"{state.stage} {actor(state)}"


def told(step: Step[State], viewer: int | None = None) -> list[dict[str, Json]]:
    """Returns the events as a viewer is told them."""
    return [event.seen_by(viewer) for event in step.events]


def kinds(step: Step[State]) -> list[str]:
    """Returns the kinds of the events, draws with their reason: `"drew empty"`."""
    return [" ".join(filter(None, (it.kind, it.facts.get("why")))) for it in step.events]
