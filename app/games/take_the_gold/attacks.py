"""An attack, its answer, and what comes of both."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import IllegalMove, Step
from app.games.take_the_gold import knowledge
from app.games.take_the_gold.cards import (
    ANSWERS,
    COIN,
    KRAKEN,
    STOLEN,
    Cards,
    in_order,
)
from app.games.take_the_gold.ending import count_coins
from app.games.take_the_gold.ongoing import Ongoing
from app.games.take_the_gold.state import Attack, Settled, State
from app.games.take_the_gold.turns import finish


def targets(state: State) -> tuple[int, ...]:
    """Returns the seats that can be attacked now, clockwise from the attacker."""
    return state.after(state.turn)[:-1]


def attack(state: State, card: str, target: int, chance: Chance) -> Step[State]:
    """Plays an attack at another seat, which is then asked for its answer.

    Raises `IllegalMove`: `not_an_attack`, `not_in_hand`, `no_such_seat`, `attack_yourself`,
    `seat_is_out`.
    """
    seat = state.turn
    if card not in ANSWERS:
        raise IllegalMove("not_an_attack", card=card)
    if card not in state.hands[seat]:
        raise IllegalMove("not_in_hand", card=card)
    if target >= len(state.hands):
        raise IllegalMove("no_such_seat", target=target)
    if target == seat:
        raise IllegalMove("attack_yourself")
    if target not in state.playing:
        raise IllegalMove("seat_is_out", target=target)
    now = Ongoing(state, chance)
    now.take_openly(seat, (card,))
    now.set(stage="respond", table=Attack(card, seat, target))
    now.tell("attacked", {"seat": seat, "target": target, "card": card})
    return now.step(barrier=True)


def respond(state: State, attack: Attack, card: str | None, chance: Chance) -> Step[State]:
    """Answers the attack on the table, settles it, and goes on with the attacker's turn.

    Raises `IllegalMove`: `does_not_answer`, `not_in_hand`.
    """
    fits = ANSWERS[attack.card]
    if card is not None and card not in fits:
        raise IllegalMove("does_not_answer", card=card, attack=attack.card, fits=list(fits))
    if card is not None and card not in state.hands[attack.target]:
        raise IllegalMove("not_in_hand", card=card)
    now = Ongoing(state, chance)
    _answer(now, attack, card)
    if not now.over:
        _settle(now, attack, card)
    if not now.over:
        finish(now)
    return now.step()


def _answer(now: Ongoing, attack: Attack, card: str | None) -> None:
    """Lays the answer on the table, or pays; with its last card the target draws before more."""
    now.tell(
        "answered",
        {
            "seat": attack.target,
            "attacker": attack.attacker,
            "attack": attack.card,
            "with": card,
        },
    )
    if card is None:
        return
    now.take_openly(attack.target, (card,))
    if card == COIN:
        now.give(attack.attacker, (card,))
        now.set(known=knowledge.come(now.state.known, attack.attacker, (card,)))
        now.changed(receiver=attack.attacker)
    else:
        now.set(table=replace(attack, answer=card))
        now.changed()


def _settle(now: Ongoing, attack: Attack, card: str | None) -> None:
    if attack.card == KRAKEN and card is None:
        _rise(now, attack)
        return
    hand = now.state.hands[attack.target]
    count = min(STOLEN.get((attack.card, card), 0), len(hand))
    _remember(now, attack, card, stolen=count)
    now.clear_table()
    if count:
        _steal(now, attack, in_order(now.chance.sample(hand, count)))


def _steal(now: Ongoing, attack: Attack, cards: Cards) -> None:
    thief, victim = attack.attacker, attack.target
    now.take(victim, cards)
    now.give(thief, cards)
    now.set(known=knowledge.stolen(now.state.known, thief, victim, cards))
    now.tell(
        "stole",
        {"seat": thief, "target": victim, "count": len(cards), "attack": attack.card},
        {thief: cards, victim: cards},
    )
    now.changed(receiver=thief)


def _rise(now: Ongoing, attack: Attack) -> None:
    """Lays a successful kraken aside: the target loses the hand, or the krakens end the game."""
    state = now.state
    krakens = state.krakens + 1
    last = krakens == state.krakens_to_end
    lost = () if last and len(state.hands) == 2 else state.hands[attack.target]
    now.take_openly(attack.target, lost)
    now.discard(lost)
    now.set(table=None, krakens=krakens)
    _remember(now, attack, None, discarded=lost)
    now.tell(
        "kraken_rose",
        {
            "seat": attack.attacker,
            "target": attack.target,
            "cards": list(lost),
            "krakens": krakens,
            "to_end": state.krakens_to_end,
        },
    )
    if last:
        count_coins(now, attack.attacker)
    else:
        now.changed()


def _remember(
    now: Ongoing, attack: Attack, card: str | None, *, stolen: int = 0, discarded: Cards = ()
) -> None:
    now.set(last=Settled(attack.card, attack.attacker, attack.target, card, stolen, discarded))
