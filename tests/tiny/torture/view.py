"""What each viewer may know, and what could be behind the rest."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import Json, View
from tests.tiny.torture.state import BIDS, BOXES, NUGGETS, State


def view(state: State, viewer: int | None) -> View:
    """Returns own boxes, bid and token, what was peeked at, and everything at the end."""
    over = state.stage == "over"
    bids_shown = over or None not in state.bids
    return {
        "stage": state.stage,
        "turn": state.turn if state.stage in ("act", "answer") else None,
        "left": state.left,
        "attack": None if state.attack is None else list(state.attack),
        "hidden": [boxes is not None for boxes in state.boxes],
        "boxes": [
            None if boxes is None else [_seen(state, viewer, seat, box) for box in range(BOXES)]
            for seat, boxes in enumerate(state.boxes)
        ],
        "ready": [bid is not None for bid in state.bids],
        "bids": [
            bid if bids_shown or seat == viewer else None for seat, bid in enumerate(state.bids)
        ],
        "tokens": [
            token if over or seat == viewer or token == "used" else None
            for seat, token in enumerate(state.tokens)
        ],
        "loot": list(state.loot),
    }


def _seen(state: State, viewer: int | None, seat: int, box: int) -> Json:
    boxes = state.boxes[seat]
    if boxes is None or not (state.stage == "over" or state.knows(viewer, seat, box)):
        return None
    return boxes[box]


def guess(state: State, viewer: int | None, chance: Chance) -> State:
    """Deals again what the viewer has not seen: boxes, bids, tokens."""
    if state.stage == "over":
        return replace(state, rest=chance.shuffled(sorted(state.rest)))
    bids = state.bids
    if None in bids:
        bids = tuple(
            bid if bid is None or seat == viewer else chance.below(BIDS)
            for seat, bid in enumerate(bids)
        )
    unknown = [
        seat for seat, token in enumerate(state.tokens) if seat != viewer and token != "used"
    ]
    pool = chance.shuffled(sorted([*state.rest, *(state.tokens[seat] for seat in unknown)]))
    tokens = list(state.tokens)
    for seat, token in zip(unknown, pool, strict=False):
        tokens[seat] = token
    return replace(
        state,
        boxes=tuple(_refilled(state, viewer, seat, chance) for seat in range(state.seats)),
        bids=bids,
        tokens=tuple(tokens),
        rest=pool[len(unknown) :],
    )


def _refilled(
    state: State, viewer: int | None, seat: int, chance: Chance
) -> tuple[int, ...] | None:
    boxes = state.boxes[seat]
    if boxes is None:
        return None
    unknown = [box for box in range(BOXES) if not state.knows(viewer, seat, box)]
    filled = [0 if box in unknown else count for box, count in enumerate(boxes)]
    for _ in range(sum(boxes[box] for box in unknown)):
        filled[chance.pick(unknown)] += 1
    return tuple(filled)


def examples() -> tuple[tuple[int, ...], ...]:
    """Returns a few ways to fill the boxes."""
    return ((2, 2, 2), (1, 2, 3), (NUGGETS, 0, 0))
