"""The turns: a dig at the other's mountains, perhaps with the token."""

from __future__ import annotations

from dataclasses import replace

from app.games.contract import Event, IllegalMove, Step
from app.games.gold_hunting.bars import SIZES, Bars, in_order, standing
from app.games.gold_hunting.moves import DIGS, RUSHES, SAFE, Move
from app.games.gold_hunting.state import Lift, State, changed


def legal(state: State) -> tuple[Move, ...]:
    """Returns every move of the seat to move: digs, then rushes, then the safe."""
    own = state.players[state.turn]
    numbers = standing(state.players[1 - state.turn].mountains)
    digs = tuple(DIGS[number, size] for number in numbers for size in SIZES)
    if own.token.use is not None:
        return digs
    rushes = tuple(RUSHES[number] for number in numbers)
    return (*digs, *rushes, SAFE) if own.pile else (*digs, *rushes)


def dig(state: State, mountain: int, announced: int, *, rush: bool = False) -> Step[State]:
    """Lifts the top bar of a mountain of the other seat and ends the turn.

    Raises `IllegalMove`: `mountain_gone`.
    """
    seat, other = state.turn, 1 - state.turn
    target = state.players[other]
    bars = target.mountains[mountain]
    if not bars:
        raise IllegalMove("mountain_gone", mountain=mountain, legal=[*standing(target.mountains)])
    rest, lifted = bars[:-1], bars[-1]
    right = lifted == announced
    pile, lost = settle(state.players[seat].pile, lifted, right=right, bust_min=state.bust_min)
    boxed = () if right else lost or (lifted,)
    left = (*target.mountains[:mountain], rest, *target.mountains[mountain + 1 :])
    players = changed(state.players, other, replace(target, mountains=left))
    players = changed(players, seat, replace(state.players[seat], pile=pile))
    after = replace(
        state,
        turn=other,
        players=players,
        owes_dig=False,
        box=in_order(state.box, boxed),
        last=Lift(seat, mountain, announced, lifted, right, rush, lost),
    )
    dug = {
        "seat": seat,
        "mountain": mountain,
        "announced": announced,
        "lifted": lifted,
        "right": right,
        "height": sum(rest),
        "pile": sum(pile),
    }
    events = [Event("dug", dug)]
    if lost:
        gone = {"seat": seat, "bars": list(lost), "nuggets": sum(lost), "kept": lifted}
        events.append(Event("lost_pile", gone))
    return Step(after, tuple(events), barrier=True)


def settle(pile: Bars, lifted: int, *, right: bool, bust_min: int) -> tuple[Bars, Bars]:
    """Returns the pile after a bar was lifted, and the pile that was lost by it, if it was.

    A lost pile goes to the box and the bar is kept; else a bar that was called wrong goes there.
    """
    if right:
        return in_order(pile, (lifted,)), ()
    if sum(pile) >= bust_min and lifted < sum(pile):
        return (lifted,), pile
    return pile, ()


def rush(state: State, mountain: int) -> Step[State]:
    """Shows the token and digs with its number as the announcement.

    Raises `IllegalMove`: `token_used`, `mountain_gone`.
    """
    _check_token(state)
    seat = state.turn
    number = state.players[seat].token.number
    step = dig(state, mountain, number, rush=True)
    player = step.state.players[seat]
    right = step.state.last is not None and step.state.last.right
    used = replace(player, token=replace(player.token, use="rush", right=right))
    after = replace(step.state, players=changed(step.state.players, seat, used))
    shown = Event("rushed", {"seat": seat, "number": number})
    return Step(after, (shown, *step.events), barrier=True)


def safe(state: State) -> Step[State]:
    """Puts the token away unseen and the pile into the safe; the same seat has to dig now.

    Raises `IllegalMove`: `token_used`, `pile_empty`.
    """
    _check_token(state)
    seat = state.turn
    player = state.players[seat]
    if not player.pile:
        raise IllegalMove("pile_empty")
    token = replace(player.token, use="safe")
    saved = replace(player, token=token, pile=(), safe=player.pile)
    facts = {"seat": seat, "bars": list(player.pile), "nuggets": sum(player.pile)}
    players = changed(state.players, seat, saved)
    return Step(replace(state, players=players, owes_dig=True), (Event("saved", facts),))


def _check_token(state: State) -> None:
    use = state.players[state.turn].token.use
    if use is not None:
        raise IllegalMove("token_used", use=use)
