"""Dealing the hidden part again, as one viewer could imagine it."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.silver_and_gold.deal import DEALT
from app.games.silver_and_gold.legal import prompt
from app.games.silver_and_gold.maps import mask_of
from app.games.silver_and_gold.marking import pending_after
from app.games.silver_and_gold.moves import Extra, Mark
from app.games.silver_and_gold.state import MAPS_HELD, Pending, State, changed


def guess(state: State, viewer: int | None, chance: Chance) -> State:
    """Deals the hidden part again: a state that `viewer` cannot tell from the true one.

    Kept is all that lies open, the expeditions that have come this round (everybody has seen
    them), and what the viewer was dealt, has kept or has marked. The rest of the deck and the
    expeditions to come are shuffled; others are dealt other maps, keep and mark as they might have.
    """
    if state.stage == "keep":
        return _keep(state, viewer, chance)
    seen = state.expeditions[: state.turn]
    coming = chance.shuffled(sorted(state.expeditions[state.turn :]))
    deck = chance.shuffled(sorted(state.deck))
    state = replace(state, expeditions=(*seen, *coming), deck=deck)
    if state.stage != "mark":
        return state
    guessed = [
        pending if seat == viewer else _marked(state, seat, chance)
        for seat, pending in enumerate(state.pending)
    ]
    return replace(state, pending=tuple(guessed))


def _keep(state: State, viewer: int | None, chance: Chance) -> State:
    others = [seat for seat in range(len(state.dealt)) if seat != viewer]
    unseen = [*state.deck, *(number for seat in others for number in state.dealt[seat])]
    maps = chance.shuffled(sorted(unseen))
    dealt, kept = state.dealt, state.kept
    for seat in others:
        own, maps = tuple(sorted(maps[:DEALT])), maps[DEALT:]
        dealt = changed(dealt, seat, own)
        if kept[seat] is not None:
            kept = changed(kept, seat, tuple(sorted(chance.sample(own, MAPS_HELD))))
    return replace(state, dealt=dealt, kept=kept, deck=maps)


def _marked(state: State, seat: int, chance: Chance) -> Pending | None:
    """Returns marks that a seat might have made, as done with them as it is.

    Who is still choosing may have marked already and owe an extra.
    """
    done = not state.choosing(seat)
    if done and state.pending[seat] is None:
        return None
    if not done and chance.below(2):
        return None
    blank = replace(state, pending=changed(state.pending, seat, None))
    while asked := prompt(blank, seat):
        if not done and asked.stage == "extra":
            break
        move = chance.pick(asked.legal)
        assert isinstance(move, Mark | Extra)
        cells = move.cells if isinstance(move, Mark) else (move.cell,)
        place = [held and held.map for held in state.players[seat].maps].index(move.map)
        extra = isinstance(move, Extra)
        made = pending_after(blank, seat, place, mask_of(cells), extra=extra)
        blank = replace(blank, pending=changed(blank.pending, seat, made))
    marked = blank.pending[seat]
    return marked if done or prompt(blank, seat) else None
