"""What is said in a chat: lines of text, and reactions out of a fixed set."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from app.chat.refused import ChatRefused
from app.games.contract import Json
from app.players.names import legible, length

TEXT_MOST: Final = 300
"""Greatest length of a line, in characters as people count them."""
_CODE_POINTS_MOST: Final = 4 * TEXT_MOST
REACTIONS: Final = ("hello", "luck", "bravo", "thanks", "laugh", "wow", "ouch", "think")
"""The reactions there are. `static/signs.svg` has their signs, `parts/signs.html` their words."""

Kind = Literal["text", "reaction"]


@dataclass(frozen=True, slots=True)
class Writer:
    """Who says something: a player, the seat they sit on (None: watching), what that is called.

    Without a `name` it is said under the player's own.
    """

    player_id: UUID
    seat: int | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was said. `text` is a line of text, or one of `REACTIONS`.

    `who` stands for the writer, in every room and under every name, and tells nothing else.
    """

    id: UUID
    kind: Kind
    who: str
    seat: int | None
    name: str
    text: str
    at: datetime

    def wire(self) -> dict[str, Json]:
        """Returns the line as wire data."""
        return {
            "id": str(self.id),
            "kind": self.kind,
            "who": self.who,
            "seat": self.seat,
            "name": self.name,
            "text": self.text,
            "at": f"{self.at:%Y-%m-%dT%H:%M:%SZ}",
        }


def clean_text(text: str) -> str:
    """Returns a line of text without what is invisible or turns the text around it.

    Raises `ChatRefused`: chat_empty, chat_too_long.
    """
    # Nobody gets longer by what is dropped.
    if len(text) > 2 * _CODE_POINTS_MOST:
        raise ChatRefused("chat_too_long", most=TEXT_MOST)
    line = legible(text)
    if not line:
        raise ChatRefused("chat_empty")
    if len(line) > _CODE_POINTS_MOST or length(line) > TEXT_MOST:
        raise ChatRefused("chat_too_long", most=TEXT_MOST)
    return line


def checked_reaction(what: str) -> str:
    """Returns a reaction that there is. Raises `ChatRefused`: bad_reaction."""
    if what not in REACTIONS:
        raise ChatRefused("bad_reaction")
    return what


def mark_of(player_id: UUID) -> str:
    """Returns what stands for a player in chats, by which others can mute them."""
    return hashlib.sha256(b"motherlode chat " + player_id.bytes).hexdigest()[:16]
