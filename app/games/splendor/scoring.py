"""What a player's cards and nobles give: bonuses, points, and the result of the game."""

from __future__ import annotations

from functools import lru_cache

from app.games.contract import Outcome
from app.games.splendor.cards import BONUS, CARDS, NOBLES
from app.games.splendor.gems import COLOURS, Count
from app.games.splendor.state import Cards, Player, State


@lru_cache(maxsize=4096)
def bonuses(cards: Cards) -> Count:
    """Returns the bonuses of bought cards by colour."""
    count = [0] * len(COLOURS)
    for card in cards:
        count[BONUS[card]] += 1
    return tuple(count)


@lru_cache(maxsize=4096)
def card_points(cards: Cards) -> int:
    """Returns the points of bought cards."""
    return sum(CARDS[card].points for card in cards)


def noble_points(nobles: Cards) -> int:
    """Returns the points of nobles."""
    return sum(NOBLES[noble].points for noble in nobles)


def points(player: Player) -> int:
    """Returns the points a player has now."""
    return card_points(player.cards) + noble_points(player.nobles)


def reached(state: State) -> bool:
    """Tells whether anybody has the points that end the game."""
    return any(points(player) >= state.target for player in state.players)


def last_seat(state: State) -> int:
    """Returns the seat with which a round ends: the one before the first player."""
    return (state.first - 1) % len(state.players)


def outcome(state: State) -> Outcome:
    """Returns the result of a game that is over.

    Most points win, between equal points the fewest cards bought; then the place is shared.
    """
    totals = tuple(points(player) for player in state.players)
    marks = [
        (-total, len(player.cards)) for total, player in zip(totals, state.players, strict=True)
    ]
    by_cards = len(set(marks)) > len(set(totals))
    finished = state.turn == last_seat(state) and reached(state)
    return Outcome(
        ranking=tuple(1 + sum(other < mark for other in marks) for mark in marks),
        totals=totals,
        scores=tuple(
            {"cards": card_points(player.cards), "nobles": noble_points(player.nobles)}
            for player in state.players
        ),
        reason="target" if finished else "blocked",
        tie_break="cards" if by_cards else None,
    )
