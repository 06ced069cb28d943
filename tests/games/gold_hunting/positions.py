"""Short ways to set up a position and to make moves in it.

Bars are digits, in mountains from bottom to top; mountains have spaces between, `-` is one that is
gone: `"21 321 - 12"`.
"""

from __future__ import annotations

from typing import Any, Literal

from app.games.chance import Chance
from app.games.contract import IllegalMove, Json, Step
from app.games.gold_hunting.bars import Bars, Mountains
from app.games.gold_hunting.moves import Build
from app.games.gold_hunting.rules import GoldHunting
from app.games.gold_hunting.state import Player, State, Token, Use

GAME = GoldHunting()
OPTIONS: dict[str, Any] = {"bust_min": 3, "first": 0}
SEED = bytes(range(32))
UNUSED = Chance(b"unused", 0)

MINE = "21 321 123 12"
THEIRS = "111 32 232 12"

Viewer = Literal[0, 1] | None
VIEWERS: tuple[Viewer, ...] = (0, 1, None)


def bars(text: str) -> Bars:
    return tuple(int(digit) for digit in text)


def mountains(text: str) -> Mountains:
    return tuple(bars(part.strip("-")) for part in text.split())


def new_game(seed: bytes = SEED, **options: Any) -> State:
    return GAME.setup(2, OPTIONS | options, Chance(seed, 0)).state


def hunt(seed: bytes = SEED, mine: str = MINE, theirs: str = THEIRS, **options: Any) -> State:
    """A game in which both have built and seat 0 digs first."""
    return after(new_game(seed, **options), (0, f"build {mine}"), (1, f"build {theirs}"))


def has(
    pile: str = "",
    safe: str = "",
    *,
    token: int = 1,
    use: Use | None = None,
    right: bool | None = None,
    mountains_: str = MINE,
) -> Player:
    """What a seat has: its token is used for the safe if it has one."""
    spent = "safe" if safe else use
    return Player(Token(token, spent, right), mountains(mountains_), bars(pile), bars(safe))


def position(mine: Player, theirs: Player, *, bust_min: int = 3, **fields: Any) -> State:
    """A position with seat 0 to move and no bars in the box unless given."""
    third = 6 - mine.token.number - theirs.token.number
    return State(bust_min, 0, 0, (mine, theirs), third, **fields)


def wire(text: str) -> Json:
    """`"build 21 321 123 12"`, `"dig 2 as 3"`, `"rush 0"`, `"safe"` as wire data."""
    kind, *words = text.split()
    if kind == "build":
        return Build(mountains(" ".join(words))).wire()
    if kind == "dig":
        return {"kind": kind, "mountain": int(words[0]), "size": int(words[2])}
    return {"kind": kind, "mountain": int(words[0])} if kind == "rush" else {"kind": kind}


def step(state: State, text: str, seat: int | None = None) -> Step[State]:
    """Makes one move, by the seat to move unless another is named."""
    mover = state.turn if seat is None else seat
    return GAME.apply(state, mover, GAME.parse(wire(text)), UNUSED)


def after(state: State, *moves: str | tuple[int, str]) -> State:
    """Makes the moves in order, each by the seat to move or by the one named."""
    for move in moves:
        seat, text = (None, move) if isinstance(move, str) else move
        state = step(state, text, seat).state
    return state


def refused(state: State, text: str, seat: int | None = None) -> tuple[str, dict[str, Json]]:
    """Returns code and facts a move is refused with, or `("ok", {})`."""
    try:
        step(state, text, seat)
    except IllegalMove as illegal:
        return illegal.code, illegal.facts
    return "ok", {}


def refusal(state: State, text: str, seat: int | None = None) -> str:
    """Returns the code a move is refused with, or `"ok"`."""
    return refused(state, text, seat)[0]


def legal(state: State, seat: int | None = None) -> list[str]:
    """Returns the legal moves of a hunting seat as texts, in their order."""
    prompt = GAME.prompt(state, state.turn if seat is None else seat)
    assert prompt is not None
    return [_text(move.wire()) for move in prompt.legal]


def _text(data: dict[str, Json]) -> str:
    match data:
        case {"kind": "dig", "mountain": mountain, "size": size}:
            return f"dig {mountain} as {size}"
        case {"kind": "rush", "mountain": mountain}:
            return f"rush {mountain}"
    return str(data["kind"])


def told(step: Step[State], viewer: int | None = None) -> list[dict[str, Json]]:
    """Returns the events of a step as a viewer is told them."""
    return [event.seen_by(viewer) for event in step.events]
