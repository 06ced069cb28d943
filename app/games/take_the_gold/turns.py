"""A turn from its first draw to the hand limit, without the attack in between."""

from __future__ import annotations

from app.games.chance import Chance
from app.games.contract import IllegalMove, Step
from app.games.take_the_gold import knowledge
from app.games.take_the_gold.cards import HAND_LIMIT, Cards, full_deck, in_order, without
from app.games.take_the_gold.ongoing import COINS_TO_WIN, NEW_HAND, Ongoing
from app.games.take_the_gold.state import State


def deal(seats: int, krakens: int, chance: Chance, *, advanced: bool) -> Step[State]:
    """Draws the first player, deals two cards to each seat in order, and begins the first turn."""
    first = chance.below(seats)
    cards = chance.shuffled(full_deck())
    dealt = seats * NEW_HAND
    state = State(
        krakens_to_end=krakens,
        advanced=advanced,
        stage="play",
        turn=first,
        hands=tuple(in_order(cards[at : at + NEW_HAND]) for at in range(0, dealt, NEW_HAND)),
        known=knowledge.nothing(seats),
        drawn=((),) * seats,
        draw=cards[dealt:],
    )
    now = Ongoing(state, chance)
    now.tell("dealt", {"starts": first})
    begin(now, first)
    return now.step()


def begin(now: Ongoing, seat: int) -> None:
    """Begins a turn: with the coins to win in `advanced`, else with a card from the draw pile."""
    now.set(stage="play", turn=seat)
    if now.state.advanced and now.coins(seat) >= COINS_TO_WIN:
        now.win(seat, "four_coins")
        return
    now.draw(seat, 1, "turn")
    now.look(seat)


def finish(now: Ongoing) -> None:
    """Ends the turn after a play or a pass, or asks for what the hand has too many."""
    if over_limit(now.state):
        now.set(stage="discard")
    else:
        begin(now, now.state.after(now.state.turn)[0])


def over_limit(state: State) -> int:
    """Returns how many cards the seat whose turn it is has too many."""
    return max(0, len(state.hands[state.turn]) - HAND_LIMIT)


def pass_turn(state: State, chance: Chance) -> Step[State]:
    """Ends the turn without an attack."""
    now = Ongoing(state, chance)
    now.tell("passed", {"seat": state.turn})
    finish(now)
    return now.step()


def discard(state: State, cards: Cards, chance: Chance) -> Step[State]:
    """Discards down to the hand limit and ends the turn.

    Raises `IllegalMove`: `discard_how_many`, `not_in_hand`.
    """
    count, hand = over_limit(state), state.hands[state.turn]
    if len(cards) != count:
        raise IllegalMove("discard_how_many", count=count, chosen=len(cards))
    missing = without(cards, hand)
    if missing:
        raise IllegalMove("not_in_hand", card=missing[0])
    now = Ongoing(state, chance)
    now.tell("discarded", {"seat": state.turn, "cards": list(cards)})
    now.take_openly(state.turn, cards)
    now.discard(cards)
    finish(now)
    return now.step()
