"""What each viewer may know, and what could be behind the rest."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import Json, View
from app.games.gold_hunting.arrangements import any_build, arranged
from app.games.gold_hunting.bars import SIZES, heights, unlifted
from app.games.gold_hunting.scoring import points
from app.games.gold_hunting.state import Player, State, dump_lift


def view(state: State, viewer: int | None) -> View:
    """Returns the view of one seat, or of a spectator (`None`).

    Viewers differ in `seat`, in `mine` and in the numbers of tokens.
    """
    stage = state.stage
    players = state.players
    own = None if viewer is None else players[viewer]
    over = stage == "over" or state.stopped
    left = [unlifted(player.mountains) for player in players]
    shown = [seat == viewer or over for seat in range(len(players))]
    return {
        "seat": viewer,
        "stage": stage,
        "turn": state.turn if stage in {"hunt", "dig"} else None,
        "first": state.first,
        "bust_min": state.bust_min,
        "ready": [player.mountains != () for player in players],
        "mine": [list(bars) for bars in own.mountains] if own and own.mountains else None,
        "heights": (
            None if stage == "build" else [list(heights(player.mountains)) for player in players]
        ),
        "left": [len(bars) for bars in left],
        "unseen": [{str(size): bars.count(size) for size in SIZES} for bars in left],
        "piles": [list(player.pile) for player in players],
        "safes": [list(player.safe) for player in players],
        "box": list(state.box),
        "tokens": [_token(player, open_) for player, open_ in zip(players, shown, strict=True)],
        "third": state.third if over else None,
        "points": [_points(player) for player in players],
        "last": None if state.last is None else dump_lift(state.last),
    }


def _token(player: Player, shown: bool) -> dict[str, Json]:
    token = player.token
    return {
        "number": token.number if shown or token.use == "rush" else None,
        "use": token.use,
        "right": token.right,
    }


def _points(player: Player) -> dict[str, int]:
    by_source = points(player)
    return {**by_source, "total": sum(by_source.values())}


def guess(state: State, viewer: int | None, chance: Chance) -> State:
    """Stacks again what the viewer cannot see, and deals the unknown tokens again.

    Of another seat's mountains the heights are known once both have built, and which bars have
    not been lifted: each way to stack these is equally likely, with any number of bars in each.
    """
    if state.stage == "over":
        return state
    built = state.stage != "build"
    hidden = [
        seat
        for seat, player in enumerate(state.players)
        if seat != viewer and player.token.use != "rush" and not state.stopped
    ]
    dealt = chance.shuffled(
        sorted((state.third, *(state.players[seat].token.number for seat in hidden)))
    )
    numbers = dict(zip(hidden, dealt, strict=False))
    players = []
    for seat, player in enumerate(state.players):
        token = replace(player.token, number=numbers.get(seat, player.token.number))
        mountains = player.mountains
        if seat != viewer and mountains:
            bars = unlifted(mountains)
            mountains = arranged(heights(mountains), bars, chance) if built else any_build(chance)
        players.append(replace(player, token=token, mountains=mountains))
    first, second = players
    return replace(state, players=(first, second), third=dealt[-1])
