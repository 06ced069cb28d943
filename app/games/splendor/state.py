"""The whole truth about a game of Splendor at one moment."""

from __future__ import annotations

from typing import Literal, TypeVar

from app.games.contract import Json
from app.games.splendor.gems import Count
from app.games.value import value

T = TypeVar("T")

Cards = tuple[int, ...]
Row = tuple[int | None, ...]
Stage = Literal["take", "return", "choose_noble", "over"]


@value
class Reserved:
    """A reserved card. `blind`: it came from a deck, and only its owner has seen it."""

    card: int
    blind: bool


@value
class Player:
    """What one seat has: tokens with gold last, cards in the order they were bought."""

    tokens: Count
    cards: Cards
    nobles: Cards
    reserved: tuple[Reserved, ...]


@value
class State:
    """A state; everything in it is immutable and comparable.

    `target` and `loose` (take one to three at will) are options. `first` is the first player,
    `turn` the seat to move (at the end: the seat that moved last), `round` counts from 1.
    `passes` is how many turns in a row were passed. `bank` counts tokens. `market` and `decks` are
    by level, 1 first; a row has four places, None where the deck had no card left; a deck has its
    top first. `nobles` are those on the table, in ascending order.
    """

    target: int
    loose: bool
    first: int
    turn: int
    stage: Stage
    round: int
    passes: int
    bank: Count
    market: tuple[Row, ...]
    decks: tuple[Cards, ...]
    nobles: Cards
    players: tuple[Player, ...]


def changed(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Returns the items with one of them replaced."""
    return (*items[:at], item, *items[at + 1 :])


def dump(state: State) -> Json:
    """Returns the whole state, secrets included, as plain JSON data."""
    return {
        "target": state.target,
        "loose": state.loose,
        "first": state.first,
        "turn": state.turn,
        "stage": state.stage,
        "round": state.round,
        "passes": state.passes,
        "bank": list(state.bank),
        "market": [list(row) for row in state.market],
        "decks": [list(deck) for deck in state.decks],
        "nobles": list(state.nobles),
        "players": [
            {
                "tokens": list(player.tokens),
                "cards": list(player.cards),
                "nobles": list(player.nobles),
                "reserved": [{"card": card.card, "blind": card.blind} for card in player.reserved],
            }
            for player in state.players
        ],
    }


def load(data: Json) -> State:
    """Reads what `dump` wrote."""
    return State(
        target=data["target"],
        loose=data["loose"],
        first=data["first"],
        turn=data["turn"],
        stage=data["stage"],
        round=data["round"],
        passes=data["passes"],
        bank=tuple(data["bank"]),
        market=tuple(tuple(row) for row in data["market"]),
        decks=tuple(tuple(deck) for deck in data["decks"]),
        nobles=tuple(data["nobles"]),
        players=tuple(
            Player(
                tokens=tuple(player["tokens"]),
                cards=tuple(player["cards"]),
                nobles=tuple(player["nobles"]),
                reserved=tuple(
                    Reserved(card["card"], card["blind"]) for card in player["reserved"]
                ),
            )
            for player in data["players"]
        ),
    )
