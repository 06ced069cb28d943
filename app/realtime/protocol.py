"""The messages on a socket: read strictly, written as bytes. docs/protocol.md describes them."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import orjson

from app.games.contract import Json

JSON_PROTOCOL = "motherlode.json.v1"
HTML_PROTOCOL = "motherlode.html.v1"

MOST_ID = 64
MOVE_ID = rf"[A-Za-z0-9_-]{{1,{MOST_ID}}}"
"""What the id of a message is made of, as a regular expression."""
MOST_PROMPT = 2**31 - 1
MOST_FIELDS = 200
DEEDS = ("undo", "concede", "end", "play_on", "back", "bot", "wait")
_ID = re.compile(MOVE_ID)


class BadMessage(ValueError):
    """A frame that is no message of this protocol; the text says what was expected."""


@dataclass(frozen=True, slots=True)
class MoveMessage:
    """Moves as wire data, to be played as one entry."""

    id: str
    prompt: int
    moves: list[Json]
    seat: int | None


@dataclass(frozen=True, slots=True)
class FormMessage:
    """The fields of a page's form, which mean one move."""

    id: str
    prompt: int
    fields: list[tuple[str, str]]
    seat: int | None


@dataclass(frozen=True, slots=True)
class DeedMessage:
    """Something done that is no move: `what` is one of `DEEDS`, `of` the seat it is about."""

    id: str
    what: str
    seat: int | None
    of: int | None = None


@dataclass(frozen=True, slots=True)
class RevealMessage:
    """The 32 bytes (hex) that this browser adds to the shuffle."""

    r: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A line of text for the chat."""

    text: str
    id: str | None
    seat: int | None


@dataclass(frozen=True, slots=True)
class ReactMessage:
    """A reaction: `what` is one of those that there are."""

    what: str
    id: str | None
    seat: int | None


@dataclass(frozen=True, slots=True)
class LinesMessage:
    """Asks for what was said in the chat after a line, for all that is shown without one."""

    after: UUID | None


@dataclass(frozen=True, slots=True)
class SeatMessage:
    """Asks for the view of another seat of the player; None: of the first one, or of none."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class SeenMessage:
    """Says that the page is in sight."""


@dataclass(frozen=True, slots=True)
class PingMessage:
    """Asks for a pong."""


@dataclass(frozen=True, slots=True)
class SyncMessage:
    """Asks for the full state."""


Message = (
    MoveMessage
    | FormMessage
    | DeedMessage
    | RevealMessage
    | ChatMessage
    | ReactMessage
    | LinesMessage
    | SeatMessage
    | SeenMessage
    | PingMessage
    | SyncMessage
)


_PLAIN: Final[dict[str, Message]] = {
    "ping": PingMessage(),
    "seen": SeenMessage(),
    "sync": SyncMessage(),
}
"""Messages that say nothing more."""


def read_message(text: str | bytes) -> Message:
    """Reads one frame. Raises `BadMessage`."""
    try:
        data = orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        raise BadMessage("expected JSON") from None
    if not isinstance(data, dict):
        raise BadMessage("expected an object")
    match data.get("t"):
        case "move":
            moves = _taken(data, "moves", list)
            return MoveMessage(_id(data), _prompt(data), moves, _seat(data))
        case "form":
            return FormMessage(_id(data), _prompt(data), _fields(data), _seat(data))
        case "do":
            what = _taken(data, "what", str)
            if what not in DEEDS:
                raise BadMessage(f"expected what to be one of {', '.join(DEEDS)}")
            return DeedMessage(_id(data), what, _seat(data), _seat(data, "of"))
        case "reveal":
            return RevealMessage(_taken(data, "r", str))
        case "chat":
            return ChatMessage(_taken(data, "text", str), _own_id(data), _seat(data))
        case "react":
            return ReactMessage(_taken(data, "what", str), _own_id(data), _seat(data))
        case "lines":
            return LinesMessage(_after(data))
        case "seat":
            return SeatMessage(_seat(data))
        case "ping" | "seen" | "sync" as plain:
            return _PLAIN[plain]
    raise BadMessage(
        "expected t to be move, form, do, chat, react, lines, reveal, seat, seen, ping or sync"
    )


def _taken(data: dict[str, Any], key: str, kind: type) -> Any:
    value = data.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadMessage(f"expected {key} to be {'an' if kind is int else 'a'} {kind.__name__}")
    return value


def _id(data: dict[str, Any]) -> str:
    value = data.get("id")
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise BadMessage(f"expected id to be 1 to {MOST_ID} letters, digits, - or _")
    return value


def _own_id(data: dict[str, Any]) -> str | None:
    """Reads an id that may be left out."""
    return None if data.get("id") is None else _id(data)


def _after(data: dict[str, Any]) -> UUID | None:
    if data.get("after") is None:
        return None
    try:
        return UUID(_taken(data, "after", str))
    except ValueError:
        raise BadMessage("expected after to be the id of a line") from None


def _prompt(data: dict[str, Any]) -> int:
    value: int = _taken(data, "prompt", int)
    if not 0 <= value <= MOST_PROMPT:
        raise BadMessage("expected prompt to be the number of a prompt")
    return value


def _seat(data: dict[str, Any], key: str = "seat") -> int | None:
    if data.get(key) is None:
        return None
    value: int = _taken(data, key, int)
    return value


def _fields(data: dict[str, Any]) -> list[tuple[str, str]]:
    fields = _taken(data, "fields", list)
    if len(fields) > MOST_FIELDS:
        raise BadMessage(f"expected at most {MOST_FIELDS} fields")
    read = []
    for field in fields:
        match field:
            case [str(name), str(value)]:
                read.append((name, value))
            case _:
                raise BadMessage("expected each field to be [name, value]")
    return read


def refused(
    move_id: str | None, code: str, message: str, index: int | None = None
) -> dict[str, Json]:
    """Returns a `refused` message."""
    return {"t": "refused", "id": move_id, "code": code, "message": message, "index": index}


def said(message_id: str, line_id: str) -> dict[str, Json]:
    """Returns a `said` message: the client's own message has become this line of the chat."""
    return {"t": "said", "id": message_id, "line": line_id}


def announced(announcement: dict[str, Json] | None) -> dict[str, Json]:
    """Returns an `announced` message: what the host of the house says to everybody, or no more."""
    return {"t": "announced", **(announcement or {"id": None, "text": None, "until": None})}


def state(v: int, r: int, ack: str | None, content: dict[str, Any]) -> bytes:
    """Returns a `state` message; `content` may hold `orjson.Fragment`s.

    `now` is the server's time, from which a client tells how much time is left.
    """
    now = server_now()
    return orjson.dumps({"t": "state", "v": v, "r": r, "ack": ack, "now": now, "d": content})


def written(content: object) -> orjson.Fragment:
    """Returns a part of messages, written out once to be kept.

    orjson leaves a text in the buffer that it wrote into, which is several times as large: what is
    kept is a copy.
    """
    return orjson.Fragment(bytes(memoryview(orjson.dumps(content))))


def server_now() -> int:
    """Returns the server's time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
