"""What the HTTP API takes and gives. docs/protocol.md explains each field."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.play.table import MOST_MOVES
from app.realtime.protocol import MOST_PROMPT, MOVE_ID

Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="32 bytes in hexadecimal.")]


class Body(BaseModel):
    """What a program sends: nothing else, and every value of exactly its type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewRoom(Body):
    """A room to be opened; its maker is the host and sits down on the first seat."""

    game: str = Field(max_length=40)
    seats: int | None = Field(None, description="Number of seats; the game's most if left out.")
    options: dict[str, bool | int | str] = Field(default_factory=dict, max_length=40)
    clock: int | None = Field(None, description="Seconds for a move; null for no clock.")
    hash: Hex32 | None = Field(None, description="SHA-256 of the host's share of the shuffle.")
    key: str | None = Field(None, max_length=200, description="The house key, where one is set.")


class RoomMade(BaseModel):
    """The room's code, and the link to send to others."""

    code: str
    url: str


class Watching(Body):
    """Who may look on, beside those at the table."""

    watching: bool = Field(description="Whether who has no seat may watch.")
    watchers_chat: bool = Field(False, description="Whether those may write in the chat.")


class Clock(Body):
    """The time for a move."""

    seconds: int | None = Field(description="One of the times on offer; null for no clock.")


class NewLine(Body):
    """Something to be said in the chat: a line of text, or a reaction."""

    text: str | None = Field(None, max_length=10_000, description="1 to 300 characters.")
    what: str | None = Field(None, max_length=40, description="A reaction, where there is no text.")
    id: str | None = Field(None, pattern=f"^{MOVE_ID}$", description="Mine; safe again.")
    seat: int | None = Field(None, ge=0, le=100, description="Which of my seats, if several.")


class LineShown(BaseModel):
    """Something that was said. `who` stands for its writer under whatever name.

    `seat` is where they sat then, null for who only watched. `text` is the reaction, if `kind` is.
    """

    id: str
    kind: Literal["text", "reaction"]
    who: str
    seat: int | None
    name: str
    text: str
    at: str


class LinesShown(BaseModel):
    """What was said lately, oldest first."""

    lines: list[LineShown]


class NewSeat(Body):
    """A seat to be taken."""

    hash: Hex32 | None = Field(None, description="SHA-256 of this player's share of the shuffle.")


class WishedSeat(NewSeat):
    """A seat to be taken, for oneself or for somebody who plays on the same device."""

    name: str | None = Field(
        None, max_length=200, description="Of somebody else on my device: one more seat of mine."
    )


class SeatTaken(BaseModel):
    """The seat that is mine now."""

    seat: int


class OpenSeat(Body):
    """A seat to be opened by a link of its own."""

    seat: int = Field(ge=0, le=100)


class SeatOpened(BaseModel):
    """The secret that opens the seat, and the link that has it after its #."""

    secret: str
    url: str


class TakeSeat(Body):
    """The secret of an open seat."""

    secret: str = Field(max_length=100)


class RematchMade(BaseModel):
    """The room where the same people play again, and my seat there, null for a spectator."""

    code: str
    url: str
    seat: int | None


class Reveal(Body):
    """A player's share of the shuffle."""

    r: Hex32


class Person(BaseModel):
    """Who holds a seat. `open`: it can be taken over by its link; `bot`: a bot plays it now."""

    seat: int
    name: str
    online: bool
    host: bool
    held: bool
    hash: str | None
    open: bool
    bot: bool


class Missing(BaseModel):
    """A seat that is away, or whose time is over (`late`), about which the others may decide."""

    seat: int
    late: bool


class RoomShown(BaseModel):
    """A room as everybody in it may know it. `you` is my seat, null for a spectator.

    `yours` are all seats that I play on; `you` is the one whose view is sent.
    `agreed` are the seats that would end the game without a winner, `next` is the code of the room
    where the same people play again.
    """

    code: str
    game: str
    status: Literal["open", "running", "finished"]
    seats: int
    options: dict[str, Any]
    watching: bool
    watchers_chat: bool
    clock: int | None
    commitment: str
    people: list[Person]
    watchers: int
    starting: bool
    you: int | None
    yours: list[int]
    missing: list[Missing]
    agreed: list[int]
    next: str | None
    outcome: dict[str, Any] | None


class PromptShown(BaseModel):
    """A question to me. `open`: more is accepted than `legal` lists."""

    n: int
    stage: str
    open: bool
    legal: list[dict[str, Any]]


class Shown(BaseModel):
    """What I may know: `view` is null before the start, `prompt` while I owe nothing.

    `v` is the number of the last journal entry (-1 before the start), `r` counts the room's
    changes. `ack` is the id of the move that this answers. `due` is, by seat, until when it has to
    decide, in milliseconds since 1970 by the server's clock, null without a clock.
    """

    v: int
    r: int
    ack: str | None
    room: RoomShown
    view: dict[str, Any] | None
    prompt: PromptShown | None
    due: list[int | None] | None


class Step(BaseModel):
    """What I saw after one entry: `events` is what it told me, `view` what I knew then.

    `seat` is null and `entry` empty where an entry told nothing and only showed something.
    """

    seq: int
    seat: int | None
    entry: str
    events: list[dict[str, Any]]
    view: dict[str, Any]


class Steps(BaseModel):
    """A game again, step by step, as a seat saw it (null: as everybody did), oldest first.

    `more`: there are older ones than these. `closed`: there are older ones that may not be looked
    up while the game runs. `own` is the seq of the seat's newest move (-1: none).
    """

    v: int
    seat: int | None
    over: bool
    closed: bool
    own: int
    more: bool
    steps: list[Step]


class MySeat(BaseModel):
    """Who holds a seat in a list of games. `place` and `total` are null until the end.

    After it they are null where nobody won, or where nothing was counted.
    """

    seat: int
    name: str
    held: bool
    place: int | None
    total: int | None


class MyGame(BaseModel):
    """A room where I have a seat (`you`), or where one is `held` for me.

    `actors` are the seats that owe a decision, `since` is the time of the last entry. The room is
    cleared away at `kept_until` if nothing happens there (null: never).
    """

    code: str
    game: str
    status: Literal["open", "running", "finished"]
    seats: int
    you: int
    held: bool
    host: bool
    actors: list[int]
    people: list[MySeat]
    since: str | None
    ended_at: str | None
    kept_until: str | None


class MyResult(BaseModel):
    """My finished games of one kind against one other player.

    `points` and `their_points` are sums over those `counted` games in which both had a total.
    """

    name: str
    game: str
    games: int
    won: int
    lost: int
    drawn: int
    counted: int
    points: int
    their_points: int


class MyGames(BaseModel):
    """My games: running ones that wait for me first, then waiting rooms, then finished ones."""

    running: list[MyGame]
    waiting: list[MyGame]
    finished: list[MyGame]
    older: bool
    against: list[MyResult]


class NextGame(BaseModel):
    """The game that has waited longest for me, null if none does, and how many do."""

    code: str | None
    waiting: int


class Announced(BaseModel):
    """What the host of the house says to everybody; all null where that is nothing."""

    id: str | None
    text: str | None
    until: str | None


class NewMoves(Body):
    """1 to 8 moves of one seat, applied in order, all or none, as one entry."""

    id: str = Field(pattern=f"^{MOVE_ID}$", description="Mine; the same is safe again.")
    prompt: int = Field(ge=0, le=MOST_PROMPT, description="The `n` of the prompt I answer.")
    moves: list[Any] = Field(min_length=1, max_length=MOST_MOVES)
    seat: int | None = Field(None, ge=0, le=100, description="Which of my seats, if several.")


class Deed(Body):
    """Something done that is no move."""

    id: str = Field(pattern=f"^{MOVE_ID}$", description="Mine; the same is safe again.")
    what: Literal["undo", "concede", "end", "play_on", "back", "bot", "wait"]
    of: int | None = Field(None, ge=0, le=100, description="The seat that bot or wait is about.")
    seat: int | None = Field(None, ge=0, le=100, description="Which of my seats, if several.")


class Wrong(BaseModel):
    """A refusal: a stable code and a sentence. `index` names the refused move of a list."""

    code: str
    message: str
    index: int | None = None
