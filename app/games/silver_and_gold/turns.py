"""From the last mark of a turn to the next expedition: scoring seat by seat, rounds, the end."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import Event, IllegalMove, Step
from app.games.silver_and_gold.maps import EXPEDITIONS, MAPS
from app.games.silver_and_gold.moves import TakeMap
from app.games.silver_and_gold.scoring import gains
from app.games.silver_and_gold.state import (
    COINS_IN_ROW,
    NO_MAPS,
    TURNS,
    Held,
    State,
    changed,
)

Told = tuple[State, tuple[Event, ...]]
"""A state, and what was told on the way to it."""


def begin_round(state: State, chance: Chance) -> tuple[State, Event]:
    """Shuffles all eight expeditions and shows the first one."""
    order = chance.shuffled(range(len(EXPEDITIONS)))
    return _reveal(replace(state, expeditions=order, turn=1))


def _reveal(state: State) -> tuple[State, Event]:
    state = replace(state, stage="mark", pending=(None,) * len(state.players))
    event = Event(
        "expedition",
        {
            "expedition": EXPEDITIONS[state.expedition],
            "round": state.round,
            "turn": state.turn,
            "start": state.start,
            "left": len(EXPEDITIONS) - state.turn,
        },
        fleeting=not state.open_expeditions,
    )
    return state, event


def refilled(state: State) -> Told:
    """Fills the gaps of the display from the deck."""
    display, deck, filled = list(state.display), list(state.deck), []
    for place, number in enumerate(display):
        if number is None and deck:
            display[place] = deck.pop(0)
            filled.append({"place": place, "map": display[place]})
    if not filled:
        return state, ()
    state = replace(state, display=tuple(display), deck=tuple(deck))
    return state, (Event("revealed", {"maps": filled}),)


def finish_marking(state: State, chance: Chance) -> Told:
    """Shows what everybody has marked, then scores from the start player on."""
    players, seats = [], []
    for seat, (player, pending) in enumerate(zip(state.players, state.pending, strict=True)):
        if pending is None:
            players.append(player)
            continue
        coins, palms = gains(player, pending.marked, state.display)
        maps = tuple(
            None if held is None else Held(held.map, held.marked | mask)
            for held, mask in zip(player.maps, pending.marked, strict=True)
        )
        players.append(
            replace(player, maps=maps, coins=player.coins + coins, palms=player.palms + palms)
        )
        seats.append({"seat": seat, "coins": coins, "palms": list(palms)})
    told = Event("turn_marked", {"seats": seats}, fleeting=not state.open_expeditions)
    state = replace(state, players=tuple(players), pending=(None,) * len(players))
    state, events = _score(state, 0, chance)
    return state, (told, *events)


def _score(state: State, since: int, chance: Chance) -> Told:
    """Scores the seats from the one `since` seats after the start player on.

    Stops where a seat has to take a map, else goes on to the next turn.
    """
    events: list[Event] = []
    seats = len(state.players)
    for seat in ((state.start + step) % seats for step in range(since, seats)):
        state = _fill_rows(state, seat, events)
        laid_aside = len(state.players[seat].completed)
        state = _lay_aside(state, seat, events)
        picks = len(state.players[seat].completed) - laid_aside
        if picks and not state.last_turn and _maps_left(state):
            return replace(state, stage="score", taking=seat, picks=picks), tuple(events)
    state, more = _end_turn(state, chance)
    return state, (*events, *more)


def _fill_rows(state: State, seat: int, events: list[Event]) -> State:
    player, trophies = state.players[seat], state.trophies
    rows = player.rows
    while len(rows) < player.coins // COINS_IN_ROW:
        trophy = trophies[0] if trophies else 0
        trophies, rows = trophies[1:], (*rows, trophy)
        events.append(Event("row_filled", {"seat": seat, "row": len(rows), "trophy": trophy}))
    if rows == player.rows:
        return state
    return replace(
        state,
        trophies=trophies,
        players=changed(state.players, seat, replace(player, rows=rows)),
    )


def _lay_aside(state: State, seat: int, events: list[Event]) -> State:
    player = state.players[seat]
    done = [held for held in player.maps if held is not None and not held.empty]
    if not done:
        return state
    for held in done:
        facts = {"seat": seat, "map": held.map, "points": MAPS[held.map].points}
        events.append(Event("completed", facts))
    laid_aside = replace(
        player,
        maps=tuple(None if held in done else held for held in player.maps),
        completed=(*player.completed, *(held.map for held in done)),
    )
    return replace(state, players=changed(state.players, seat, laid_aside))


def _maps_left(state: State) -> bool:
    """Tells whether there is a map to take, in the display or the deck."""
    return bool(state.deck) or any(number is not None for number in state.display)


def take(state: State, seat: int, move: TakeMap, chance: Chance) -> Step[State]:
    """Takes a map; after the last one of this seat the scoring goes on.

    Raises `IllegalMove`: `not_in_display`, `deck_empty`.
    """
    there = [number for number in state.display if number is not None]
    number, deck, display = move.map, state.deck, state.display
    if number is None:
        if not deck:
            raise IllegalMove("deck_empty", display=there)
        number, deck = deck[0], deck[1:]
    elif number in there:
        display = changed(display, display.index(number), None)
    else:
        raise IllegalMove("not_in_display", map=number, display=there)
    player = state.players[seat]
    place = player.maps.index(None)
    taken = replace(player, maps=changed(player.maps, place, Held(number, 0)))
    state = replace(
        state,
        deck=deck,
        display=display,
        players=changed(state.players, seat, taken),
        picks=state.picks - 1,
    )
    source = "deck" if move.map is None else "display"
    told = Event("took_map", {"seat": seat, "map": number, "from": source, "place": place})
    if state.picks and _maps_left(state):
        return Step(state, (told,), barrier=move.map is None)
    state, revealed = refilled(state)
    since = (seat - state.start) % len(state.players) + 1
    state, events = _score(replace(state, taking=None, picks=0), since, chance)
    return Step(state, (told, *revealed, *events), barrier=True)


def _end_turn(state: State, chance: Chance) -> Told:
    """Goes on to the next turn; turns without any map to mark pass by themselves."""
    events: list[Event] = []
    while True:
        over = state.last_turn
        round_over = state.turn == TURNS
        if round_over:
            came = [EXPEDITIONS[number] for number in state.expeditions[:TURNS]]
            events.append(Event("round_over", {"round": state.round, "expeditions": came}))
        if over:
            return replace(state, stage="over"), tuple(events)
        state = replace(state, start=(state.start + 1) % len(state.players))
        if round_over:
            state, told = begin_round(replace(state, round=state.round + 1), chance)
        else:
            state, told = _reveal(replace(state, turn=state.turn + 1))
        events.append(told)
        if any(player.maps != NO_MAPS for player in state.players):
            return state, tuple(events)
        events.append(Event("passed", {"round": state.round, "turn": state.turn}))
