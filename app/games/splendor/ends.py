"""What follows an action: tokens to return, a noble, the next turn or the end of the game."""

from __future__ import annotations

from dataclasses import replace

from app.games.contract import Event, Step
from app.games.splendor import nobles
from app.games.splendor.scoring import last_seat, points, reached
from app.games.splendor.state import State

MOST_TOKENS = 10
"""What a player may hold at the end of a turn, gold included."""


def surplus(state: State) -> int:
    """Returns how many tokens the seat to move has to return."""
    return max(0, sum(state.players[state.turn].tokens) - MOST_TOKENS)


def after_action(state: State, events: tuple[Event, ...], *, barrier: bool = False) -> Step[State]:
    """Goes on after an action: asks for tokens above ten, or goes on to the nobles.

    `barrier` says that the action turned up a hidden card for everybody.
    """
    if surplus(state):
        return Step(replace(state, stage="return"), events, barrier)
    return after_return(state, events, barrier=barrier)


def after_return(state: State, events: tuple[Event, ...], *, barrier: bool = False) -> Step[State]:
    """Lets the one noble come that would, asks which if there are several, or ends the turn."""
    waiting = nobles.waiting(state)
    if len(waiting) > 1:
        return Step(replace(state, stage="choose_noble"), events, barrier)
    if waiting:
        state, told = nobles.visit(state, waiting[0])
        events = (*events, told)
    return end_turn(state, events, barrier=barrier)


def end_turn(state: State, events: tuple[Event, ...], *, barrier: bool = False) -> Step[State]:
    """Passes the turn on, or ends the game after a full round or when all have passed."""
    seat, seats = state.turn, len(state.players)
    totals = [points(player) for player in state.players]
    # Nobody moves again after reaching the target, so a seat is the first to reach it but once.
    if totals[seat] >= state.target and sum(total >= state.target for total in totals) == 1:
        told = {"seat": seat, "points": totals[seat], "last": last_seat(state)}
        events = (*events, Event("target_reached", told))
    finished = seat == last_seat(state) and reached(state)
    if finished or state.passes >= seats:
        return Step(replace(state, stage="over"), events, barrier)
    following = (seat + 1) % seats
    number = state.round + (following == state.first)
    return Step(replace(state, turn=following, stage="take", round=number), events, barrier)
