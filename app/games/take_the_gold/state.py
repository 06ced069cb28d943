"""The whole truth about a game of Take the Gold at one moment."""

from __future__ import annotations

from dataclasses import asdict
from typing import Literal

from app.games.contract import Json
from app.games.take_the_gold.cards import Cards
from app.games.value import value

Stage = Literal["play", "respond", "discard", "over"]

Known = tuple[tuple[Cards, ...], ...]
"""By knower, then by holder: cards that the knower has seen go to that hand and that cannot have
left it. The last knower is the public: what everybody knows. Nobody's own hand is listed."""


@value
class Attack:
    """An attack on the table: a card played by `attacker` at `target`.

    `answer` is the card that answered and lies there, too: never a coin, which goes to a hand.
    """

    card: str
    attacker: int
    target: int
    answer: str | None = None


@value
class Settled:
    """What came of the last attack: `stolen` cards, `discarded` the hand that a kraken cost."""

    attack: str
    attacker: int
    target: int
    answer: str | None
    stolen: int
    discarded: Cards


@value
class Tie:
    """A tie at the last kraken: the `seats` that play on, and by seat what all had to discard."""

    seats: tuple[int, ...]
    discarded: tuple[Cards, ...]


@value
class Won:
    """Who won, and the coins that this seat shows."""

    seat: int
    coins: int


@value
class State:
    """A state; everything in it is immutable and comparable.

    `krakens_to_end` and `advanced` are the options. `turn` is the seat whose turn it is, also while
    another one answers; at the end the last one's. `hands` and `drawn`, the cards of the last draw,
    are by seat. `draw` has its top first, `discards` are in canonical order, `krakens` is how many
    are laid aside. `coins` are by seat those shown when the krakens ended, None before.
    """

    krakens_to_end: int
    advanced: bool
    stage: Stage
    turn: int
    hands: tuple[Cards, ...]
    known: Known
    drawn: tuple[Cards, ...]
    draw: Cards
    discards: Cards = ()
    krakens: int = 0
    table: Attack | None = None
    last: Settled | None = None
    coins: tuple[int, ...] | None = None
    tie: Tie | None = None
    won: Won | None = None

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are not out, ascending."""
        return self.tie.seats if self.tie else tuple(range(len(self.hands)))

    def after(self, seat: int) -> tuple[int, ...]:
        """Returns the seats that are not out clockwise from the one after `seat`, `seat` last."""
        playing = self.playing
        return tuple(it for it in playing if it > seat) + tuple(it for it in playing if it <= seat)


def dump(state: State) -> Json:
    """Returns the whole state, secrets included, as plain JSON data."""
    return {
        "krakens_to_end": state.krakens_to_end,
        "advanced": state.advanced,
        "stage": state.stage,
        "turn": state.turn,
        "hands": [list(hand) for hand in state.hands],
        "known": [[list(cards) for cards in row] for row in state.known],
        "drawn": [list(cards) for cards in state.drawn],
        "draw": list(state.draw),
        "discards": list(state.discards),
        "krakens": state.krakens,
        "table": asdict(state.table) if state.table else None,
        "last": state.last
        and {
            "attack": state.last.attack,
            "attacker": state.last.attacker,
            "target": state.last.target,
            "answer": state.last.answer,
            "stolen": state.last.stolen,
            "discarded": list(state.last.discarded),
        },
        "coins": None if state.coins is None else list(state.coins),
        "tie": state.tie
        and {
            "seats": list(state.tie.seats),
            "discarded": [list(cards) for cards in state.tie.discarded],
        },
        "won": asdict(state.won) if state.won else None,
    }


def load(data: Json) -> State:
    """Reads what `dump` wrote."""
    table, last, tie, won = data["table"], data["last"], data["tie"], data["won"]
    return State(
        krakens_to_end=data["krakens_to_end"],
        advanced=data["advanced"],
        stage=data["stage"],
        turn=data["turn"],
        hands=tuple(tuple(hand) for hand in data["hands"]),
        known=tuple(tuple(tuple(cards) for cards in row) for row in data["known"]),
        drawn=tuple(tuple(cards) for cards in data["drawn"]),
        draw=tuple(data["draw"]),
        discards=tuple(data["discards"]),
        krakens=data["krakens"],
        table=table and Attack(**table),
        last=last and Settled(**{**last, "discarded": tuple(last["discarded"])}),
        coins=None if data["coins"] is None else tuple(data["coins"]),
        tie=tie and Tie(tuple(tie["seats"]), tuple(tuple(cards) for cards in tie["discarded"])),
        won=won and Won(**won),
    )
