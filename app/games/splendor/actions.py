"""The actions of a turn. Each checks first, so that a refusal has changed nothing."""

from __future__ import annotations

from dataclasses import replace

from app.games.contract import Event, IllegalMove, Step
from app.games.splendor import ends, market, payments, takes
from app.games.splendor.cards import CARDS, LEVEL
from app.games.splendor.gems import (
    GOLD_INDEX,
    NO_COLOURS,
    NO_TOKENS,
    TOKENS,
    Count,
    counted,
    minus,
    plus,
    some,
)
from app.games.splendor.state import Player, Reserved, State, changed

MOST_RESERVED = 3
ONE_GOLD: Count = (*NO_COLOURS, 1)


def _moved(state: State, tokens: Count, player: Player) -> State:
    """Returns the state with `player` to move, and tokens gone from the bank to it."""
    after = replace(player, tokens=plus(player.tokens, tokens))
    return replace(
        state,
        passes=0,
        bank=minus(state.bank, tokens),
        players=changed(state.players, state.turn, after),
    )


def take(state: State, gems: tuple[str, ...]) -> Step[State]:
    """Takes tokens of the bank."""
    takes.check(state.bank, gems, loose=state.loose)
    after = _moved(state, counted(gems), state.players[state.turn])
    told = Event("took", {"seat": state.turn, "gems": list(gems)})
    return ends.after_action(after, (told,))


def _reserved(state: State, card: int, *, blind: bool) -> tuple[State, dict[str, int | bool]]:
    """Gives the mover a reserved card and a gold if there is one, and says what all may know."""
    player = state.players[state.turn]
    gold = ONE_GOLD if state.bank[GOLD_INDEX] else NO_TOKENS
    after = _moved(state, gold, replace(player, reserved=(*player.reserved, Reserved(card, blind))))
    told = {"seat": state.turn, "level": LEVEL[card], "blind": blind, "gold": gold[GOLD_INDEX]}
    return after, told


def _check_room(state: State) -> None:
    if len(state.players[state.turn].reserved) >= MOST_RESERVED:
        raise IllegalMove("reserve_full", most=MOST_RESERVED)


def reserve(state: State, card: int) -> Step[State]:
    """Reserves a card of the market, which is filled up at once."""
    if any(reserved.card == card for reserved in state.players[state.turn].reserved):
        raise IllegalMove("reserved_already", card=card)
    _check_room(state)
    if not market.lies_there(state, card):
        raise IllegalMove("card_not_there", card=card)
    after, facts = _reserved(state, card, blind=False)
    after, revealed = market.without(after, card)
    told = Event("reserved", {**facts, "card": card})
    return ends.after_action(after, (told, *revealed), barrier=bool(revealed))


def reserve_blind(state: State, level: int) -> Step[State]:
    """Reserves the top card of a deck; only the mover is told which it is."""
    _check_room(state)
    deck = state.decks[level - 1]
    if not deck:
        raise IllegalMove("deck_empty", level=level)
    after, facts = _reserved(state, deck[0], blind=True)
    after = replace(after, decks=changed(after.decks, level - 1, deck[1:]))
    told = Event("reserved", facts, secrets={state.turn: {"card": deck[0]}})
    return ends.after_action(after, (told,))


def buy(state: State, card: int, gold: Count | None) -> Step[State]:
    """Buys a card of the market or of the mover's reserve; without `gold`, with the least."""
    seat = state.turn
    player = state.players[seat]
    kept = tuple(reserved for reserved in player.reserved if reserved.card != card)
    own = len(kept) < len(player.reserved)
    if not own and not market.lies_there(state, card):
        raise IllegalMove("card_not_there", card=card)
    chosen = payments.with_least_gold(player, card) if gold is None else gold
    paid = payments.check(player, card, NO_COLOURS if chosen is None else chosen)
    told = Event(
        "bought",
        {
            "seat": seat,
            "card": card,
            "level": LEVEL[card],
            "bonus": CARDS[card].bonus,
            "points": CARDS[card].points,
            "paid": some(paid),
            "reserved": own,
        },
    )
    owner = replace(player, cards=(*player.cards, card), reserved=kept)
    after = _moved(state, minus(NO_TOKENS, paid), owner)
    if own:
        blind = any(reserved.blind for reserved in player.reserved if reserved.card == card)
        return ends.after_action(after, (told,), barrier=blind)
    after, revealed = market.without(after, card)
    return ends.after_action(after, (told, *revealed), barrier=bool(revealed))


def give_back(state: State, tokens: Count) -> Step[State]:
    """Returns tokens to the bank, down to exactly ten."""
    player = state.players[state.turn]
    surplus = ends.surplus(state)
    if sum(tokens) != surplus:
        raise IllegalMove("return_how_many", count=surplus, chosen=sum(tokens))
    for name, number, held in zip(TOKENS, tokens, player.tokens, strict=True):
        if number > held:
            raise IllegalMove("not_held", token=name, held=held)
    poorer = replace(player, tokens=minus(player.tokens, tokens))
    players = changed(state.players, state.turn, poorer)
    after = replace(state, bank=plus(state.bank, tokens), players=players)
    told = Event("returned", {"seat": state.turn, "tokens": some(tokens)})
    return ends.after_return(after, (told,))


def skip(state: State) -> Step[State]:
    """Passes; a noble that is still waiting comes all the same."""
    told = Event("passed", {"seat": state.turn})
    return ends.after_return(replace(state, passes=state.passes + 1), (told,))
