"""Why something is not said in a chat."""

from __future__ import annotations

from app.games.contract import Json


class ChatRefused(Exception):
    """Something a chat does not take. `code` is stable, `facts` say more; both are public.

    Codes: chat_empty, chat_too_long, bad_reaction, too_fast. `seconds` tells when to try again
    (0: never).
    """

    def __init__(self, code: str, *, seconds: float = 0.0, **facts: Json) -> None:
        super().__init__(code)
        self.code = code
        self.seconds = seconds
        self.facts = facts
