"""Reading a record that may be anything: a file from a stranger, damaged or forged."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.games.contract import Json
from app.play.record import FORMAT

_Hex = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
_NAMED_PROBLEMS = 5


class Unreadable(ValueError):
    """A text that is no record; `problems` says in words why."""

    def __init__(self, *problems: str) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Opening(_Strict):
    """The body of the `start` entry: what the game was dealt from, but the secret."""

    room: str
    game: str
    rules_version: int
    seats: int
    options: dict[str, Any]
    r: list[_Hex | None]


class RecordedEntry(_Strict):
    """One entry of the journal.

    `drawn` is what chance gave; records of older programs do not have it.
    """

    seq: int
    seat: int | None
    kind: str
    at: str
    body: Any
    draws: bool
    drawn: list[Any] | None = None
    actors: list[int]


class Record(_Strict):
    """A complete record, of the right shape and otherwise unchecked."""

    format: Literal["motherlode.record.v1"]
    names: list[str]
    commitment: _Hex
    server_seed: _Hex
    hashes: list[_Hex | None]
    entries: Annotated[list[RecordedEntry], Field(min_length=1)]
    outcome: Any
    digest: _Hex

    def opening(self) -> Opening:
        """Returns the body of the first entry. Raises `Unreadable`."""
        try:
            return Opening.model_validate(self.entries[0].body)
        except ValidationError as wrong:
            raise Unreadable(*_problems(wrong, "entries.0.body.")) from None


def read_json(text: str | bytes) -> Json:
    """Reads the text of a record: JSON without fractions and with each key once.

    Raises `Unreadable`.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_once, parse_float=_no_number, parse_constant=_no_number
        )
    except Unreadable:
        raise
    except (ValueError, RecursionError) as wrong:
        raise Unreadable(f"This is no JSON text: {wrong}.") from None


def read_record(data: Json) -> Record:
    """Reads JSON data as a complete record. Raises `Unreadable`."""
    if isinstance(data, dict) and data.get("format") != FORMAT:
        raise Unreadable(
            f"Expected a complete record ({FORMAT}), got {data.get('format')!r}. A record saved "
            "during a game proves nothing: save it again after the end."
        )
    try:
        return Record.model_validate(data)
    except ValidationError as wrong:
        raise Unreadable(*_problems(wrong)) from None


def _problems(wrong: ValidationError, place: str = "") -> list[str]:
    found = wrong.errors(include_url=False, include_input=False)[:_NAMED_PROBLEMS]
    return [
        f"The record is not of the right shape at {place}{'.'.join(map(str, one['loc']))}: "
        f"{one['msg']}."
        for one in found
    ]


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    read = dict(pairs)
    if len(read) != len(pairs):
        raise Unreadable("A key stands twice in one object.")
    return read


def _no_number(text: str) -> NoReturn:
    raise Unreadable(f"A record has whole numbers only, got {text}.")
