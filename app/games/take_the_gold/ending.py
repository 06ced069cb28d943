"""The end by the krakens, a tie there, and the result of a game."""

from __future__ import annotations

from app.games.contract import Outcome
from app.games.take_the_gold import knowledge
from app.games.take_the_gold.cards import COIN, Cards
from app.games.take_the_gold.ongoing import NEW_HAND, Ongoing
from app.games.take_the_gold.state import State, Tie, Won


def count_coins(now: Ongoing, attacker: int) -> None:
    """Shows all coins after the last kraken: most of them win, a tie is played on."""
    seats = range(len(now.state.hands))
    coins = tuple(now.coins(seat) for seat in seats)
    now.set(coins=coins)
    now.tell("coins_shown", {"coins": list(coins)})
    best = max(coins)
    first = tuple(seat for seat in seats if coins[seat] == best)
    if len(first) > 1:
        _tie(now, first, best, attacker)
        return
    for seat in seats:
        now.set(known=knowledge.shown(now.state.known, seat, (COIN,) * coins[seat]))
    now.win(first[0], "most_coins")


def _tie(now: Ongoing, tied: tuple[int, ...], coins: int, attacker: int) -> None:
    """Discards the tied seats' coins and the others' hands; seats without cards draw two.

    The last kraken's player is `attacker`: the turn stays with that seat until the next tied one
    begins.
    """
    discarded: list[Cards] = []
    for seat, hand in enumerate(now.state.hands):
        lost = (COIN,) * coins if seat in tied else hand
        now.take_openly(seat, lost)
        now.discard(lost)
        discarded.append(lost)
    now.set(tie=Tie(tied, tuple(discarded)))
    now.tell(
        "tied",
        {
            "seats": list(tied),
            "coins": coins,
            "discarded": [list(cards) for cards in discarded],
        },
    )
    for seat in now.state.after(attacker):
        if not now.over and not now.state.hands[seat]:
            now.draw(seat, NEW_HAND, "tie")
            now.look(seat)


def outcome(state: State) -> Outcome | None:
    """Returns the result once somebody has won, else None."""
    if state.won is None:
        return None
    if state.coins is None:
        return _four_coins(state.won, len(state.hands))
    tied = state.tie.seats if state.tie else ()
    coins = state.coins
    # The winner of a tie comes before those with as many coins, which come before the rest.
    merits = [(count, seat == state.won.seat) for seat, count in enumerate(coins)]
    return Outcome(
        ranking=tuple(1 + sum(other > merit for other in merits) for merit in merits),
        totals=coins,
        scores=tuple({"coins": count} for count in coins),
        reason="krakens",
        tie_break="two_coins" if tied else None,
    )


def _four_coins(won: Won, seats: int) -> Outcome:
    """The winner is first, all others share second place; only the winner's coins are shown."""
    return Outcome(
        ranking=tuple(1 if seat == won.seat else 2 for seat in range(seats)),
        totals=tuple(won.coins if seat == won.seat else None for seat in range(seats)),
        scores=tuple({"coins": won.coins} if seat == won.seat else {} for seat in range(seats)),
        reason="four_coins",
    )
