"""The start of a game: four maps for everybody, of which two are kept."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import Event, IllegalMove, Step
from app.games.silver_and_gold import turns
from app.games.silver_and_gold.maps import MAPS
from app.games.silver_and_gold.moves import Keep
from app.games.silver_and_gold.state import MAPS_HELD, NO_MAPS, Held, Player, State, changed

DEALT = 4
DISPLAY = 4
TROPHIES = (6, 5, 4, 3, 2, 1)


def deal(seats: int, *, open_expeditions: bool, first: int, chance: Chance) -> Step[State]:
    """Shuffles the maps and deals four to each seat, seat 0 first."""
    maps = chance.shuffled(tuple(MAPS))
    dealt = tuple(tuple(sorted(maps[DEALT * seat : DEALT * (seat + 1)])) for seat in range(seats))
    state = State(
        open_expeditions=open_expeditions,
        stage="keep",
        round=1,
        turn=1,
        start=first,
        expeditions=(),
        deck=maps[DEALT * seats :],
        display=(None,) * DISPLAY,
        trophies=TROPHIES,
        players=(Player(maps=NO_MAPS),) * seats,
        pending=(None,) * seats,
        dealt=dealt,
        kept=(None,) * seats,
    )
    told = {seat: {"maps": list(own)} for seat, own in enumerate(dealt)}
    return Step(state, (Event("dealt", {"starts": first}, told),))


def keep(state: State, seat: int, move: Keep, chance: Chance) -> Step[State]:
    """Keeps two of the maps dealt; the last seat to do so starts the first round.

    Raises `IllegalMove`: `already_kept`, `keep_two`, `not_dealt`.
    """
    if state.stage != "keep" or state.kept[seat] is not None:
        raise IllegalMove("already_kept")
    if len(move.maps) != MAPS_HELD:
        raise IllegalMove("keep_two", chosen=len(move.maps))
    for number in move.maps:
        if number not in state.dealt[seat]:
            raise IllegalMove("not_dealt", map=number, maps=list(state.dealt[seat]))
    mine = Event("chose_maps", {"seat": seat, "maps": list(move.maps)}, to=(seat,))
    state = replace(state, kept=changed(state.kept, seat, move.maps))
    kept = [maps for maps in state.kept if maps is not None]
    if len(kept) < len(state.players):
        return Step(state, (mine, Event("kept", {"seat": seat})))
    told = (mine, Event("maps_kept", {"maps": [list(maps) for maps in kept]}))
    return _begin(state, kept, told, chance)


def _begin(
    state: State, kept: list[tuple[int, ...]], told: tuple[Event, ...], chance: Chance
) -> Step[State]:
    # The maps go back seat by seat, whoever chose first, before the deck is shuffled.
    returned = tuple(
        number
        for dealt, own in zip(state.dealt, kept, strict=True)
        for number in dealt
        if number not in own
    )
    state = replace(
        state,
        deck=chance.shuffled(state.deck + returned),
        players=tuple(Player(maps=tuple(Held(number, 0) for number in own)) for own in kept),
        dealt=(),
        kept=(),
    )
    state, revealed = turns.refilled(state)
    state, expedition = turns.begin_round(state, chance)
    return Step(state, (*told, *revealed, expedition), barrier=True)
