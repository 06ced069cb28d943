"""A game as a file: all of it after the end, what one viewer may know before that."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from app.games.canonical import canonical_json
from app.games.chance import Draw
from app.games.contract import Json, Outcome
from app.play.history import Told
from app.play.journal import Entry

FORMAT = "motherlode.record.v1"
PARTIAL_FORMAT = "motherlode.record.v1.partial"


@dataclass(frozen=True, slots=True)
class Cast:
    """What a record says beside the journal: by seat the names and the promised hashes.

    `commitment` and `hashes` are 64 hexadecimal digits; a seat that promised nothing has None.
    """

    names: tuple[str, ...]
    hashes: tuple[str | None, ...]
    commitment: str


def full_record(
    cast: Cast,
    entries: Sequence[Entry],
    drawn: Sequence[Sequence[Draw]],
    server_seed: bytes,
    outcome: Outcome,
) -> dict[str, Json]:
    """Returns the record of a game that is over: nothing is left out, everything is revealed.

    `drawn` is what chance gave in each entry, one for one with `entries`. The caller answers for
    the end: this gives the secret away.
    """
    record: dict[str, Json] = {
        "format": FORMAT,
        "names": list(cast.names),
        "commitment": cast.commitment,
        "server_seed": server_seed.hex(),
        "hashes": list(cast.hashes),
        "entries": [
            {
                **_dated(entry),
                "body": json.loads(entry.body),
                "draws": entry.draws,
                **({"drawn": list(gave)} if entry.draws else {}),
                "actors": list(entry.actors),
            }
            for entry, gave in zip(entries, drawn, strict=True)
        ],
        "outcome": outcome.wire(),
    }
    return {**record, "digest": digest_of(record)}


def partial_record(
    cast: Cast, entries: Sequence[Entry], told: Sequence[Told], viewer: int | None
) -> dict[str, Json]:
    """Returns what one seat, or a spectator (None), may know of a game that goes on.

    That is what each entry told this viewer, and no more: an entry that told nothing is left out,
    and so are fleeting events, the bodies of all moves, the `r` of the shuffle and all seeds.
    `told` goes with `entries`, one for one.
    """
    opening = json.loads(entries[0].body)
    return {
        "format": PARTIAL_FORMAT,
        "viewer": viewer,
        **{key: opening[key] for key in ("room", "game", "rules_version", "seats", "options")},
        "names": list(cast.names),
        "commitment": cast.commitment,
        "hashes": list(cast.hashes),
        "entries": [
            {**_dated(entry), "events": events}
            for entry, said in zip(entries, told, strict=True)
            if (events := said.seen_by(viewer))
        ],
    }


def digest_of(record: Mapping[str, Json]) -> str:
    """Returns the SHA-256, in hexadecimal, of a record without its `digest`.

    It finds accidents and careless changes; whoever forges a record can write a new one.
    """
    rest = {key: value for key, value in record.items() if key != "digest"}
    return hashlib.sha256(canonical_json(rest).encode("ascii")).hexdigest()


def _dated(entry: Entry) -> dict[str, Json]:
    return {"seq": entry.seq, "seat": entry.seat, "kind": entry.kind, "at": _moment(entry.at)}


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
