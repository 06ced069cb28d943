"""What each viewer may know."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import Json, View
from app.games.splendor.cards import LEVEL, LEVELS
from app.games.splendor.gems import named
from app.games.splendor.scoring import bonuses, last_seat, points, reached
from app.games.splendor.state import Player, Reserved, State


def view(state: State, viewer: int | None) -> View:
    """Returns the view of one seat, or of a spectator (`None`).

    Viewers differ in `seat` and in the cards that others reserved blind: those are null.
    """
    over = state.stage == "over"
    return {
        "seat": viewer,
        "stage": state.stage,
        "turn": None if over else state.turn,
        "first": state.first,
        "last": last_seat(state),
        "target": state.target,
        "loose_take": state.loose,
        "round": state.round,
        "last_round": reached(state),
        "passes": state.passes,
        "bank": named(state.bank),
        "market": {str(level): list(state.market[level - 1]) for level in LEVELS},
        "decks": {str(level): len(state.decks[level - 1]) for level in LEVELS},
        "nobles": list(state.nobles),
        "players": [_player(player, seat == viewer) for seat, player in enumerate(state.players)],
    }


def _player(player: Player, own: bool) -> dict[str, Json]:
    return {
        "tokens": named(player.tokens),
        "bonuses": named(bonuses(player.cards)),
        "points": points(player),
        "cards": list(player.cards),
        "nobles": list(player.nobles),
        "reserved": [
            {
                "level": LEVEL[reserved.card],
                "blind": reserved.blind,
                "card": reserved.card if own or not reserved.blind else None,
            }
            for reserved in player.reserved
        ],
    }


def guess(state: State, viewer: int | None, chance: Chance) -> State:
    """Deals again, level by level, the decks and what others reserved blind."""
    decks = []
    blind: dict[int, list[int]] = {}
    for level, deck in zip(LEVELS, state.decks, strict=True):
        unseen = [
            reserved.card
            for seat, player in enumerate(state.players)
            for reserved in player.reserved
            if _hidden(seat, viewer, reserved) and LEVEL[reserved.card] == level
        ]
        dealt = chance.shuffled(sorted((*deck, *unseen)))
        decks.append(dealt[: len(deck)])
        blind[level] = list(dealt[len(deck) :])
    players = tuple(
        replace(
            player,
            reserved=tuple(
                Reserved(blind[LEVEL[reserved.card]].pop(), blind=True)
                if _hidden(seat, viewer, reserved)
                else reserved
                for reserved in player.reserved
            ),
        )
        for seat, player in enumerate(state.players)
    )
    return replace(state, decks=tuple(decks), players=players)


def _hidden(seat: int, viewer: int | None, reserved: Reserved) -> bool:
    return reserved.blind and seat != viewer
