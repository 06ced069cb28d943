"""The house's rule for what can no longer be taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.games.contract import Step


def is_barrier(
    mover: int,
    step: Step[Any],
    *,
    drew: bool,
    before: Mapping[int, str],
    after: Mapping[int, str],
) -> bool:
    """Tells whether `step`, an entry of the seat `mover`, can no longer be taken back.

    It cannot if the game says so, if chance was used (`drew`), if an event told the mover a
    secret, if another seat was asked, or if the game is over, which shows everything. `before`
    and `after` are the stages that each actor was asked before and after the entry; a seat was
    asked if it was no actor or had another stage.
    """
    if step.barrier or drew or not after:
        return True
    if any(event.secrets.get(mover) for event in step.events):
        return True
    return asks_others(mover, before, after)


def asks_others(mover: int, before: Mapping[int, str], after: Mapping[int, str]) -> bool:
    """Tells whether another seat than the mover was asked something new, by stages as above."""
    return any(seat != mover and before.get(seat) != stage for seat, stage in after.items())
