"""What a seat does beside moves: taking back, giving up, and deciding about who is missing."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

from app.games.contract import Malformed
from app.play.answers import Answer, Refusal
from app.play.position import Position, Refused
from app.play.table import Table
from app.realtime.protocol import DEEDS, DeedMessage, FormMessage, MoveMessage

Missing = Callable[[], Mapping[int, bool]]
"""Returns which seats are missing at this moment: see `missing.missing_now`."""


async def answer_to(
    table: Table, seat: int, message: MoveMessage | FormMessage | DeedMessage, missing: Missing
) -> Answer:
    """Takes a message to the table."""
    match message:
        case MoveMessage():
            return await table.play(seat, message.moves, move_id=message.id, prompt=message.prompt)
        case FormMessage():
            try:
                data = table.game.from_form(message.fields)
            except Malformed as malformed:
                return Refusal("malformed", {"detail": str(malformed)})
            return await table.play(seat, [data], move_id=message.id, prompt=message.prompt)
        case DeedMessage():
            what, of = message.what, message.of
            return await deed(table, seat, what, move_id=message.id, of=of, missing=missing)


async def deed(
    table: Table, seat: int, what: str, *, move_id: str, of: int | None, missing: Missing
) -> Answer:
    """Does for a seat what is no move: `what` is one of `DEEDS`.

    `of` is the other seat that `bot` and `wait` are about.
    """
    match what:
        case "undo":
            return await table.undo(seat, move_id=move_id)
        case "concede":
            return await table.concede(seat, move_id=move_id)
        case "end" | "play_on":

            def away(_: Position) -> list[int]:
                return [other for other in missing() if other != seat]

            return await table.end(seat, agrees=what == "end", move_id=move_id, away=away)
        case "back":
            return await table.hand(seat, "player", by=None, move_id=move_id)
        case "bot" | "wait" if of is not None:

            def check(position: Position) -> None:
                if not 0 <= of < position.seats:
                    raise Refused("no_such_seat")
                if seat in position.bots:
                    raise Refused("bot_plays")
                if of in position.bots:
                    raise Refused("already_handed", plays="bot")
                if not position.over and (of == seat or of not in missing()):
                    raise Refused("not_away")

            if what == "bot":
                return await table.hand(of, "bot", by=seat, move_id=move_id, check=check)
            return await table.wait(of, by=seat, move_id=move_id, check=check)
    return Refusal("malformed", {"detail": f"expected one of {', '.join(DEEDS)}"})


async def come_back(table: Table, seat: int) -> None:
    """Gives a seat that a bot plays, or that was opened, back to its player, who has just come.

    So it is where handing it over is under way now: whoever decided that did not see him come.
    """
    handed = table.position.bots | table.position.opened
    if not table.over and (seat in handed or table.busy):
        await table.hand(seat, "player", by=None, move_id=f"back-{secrets.token_hex(8)}")
