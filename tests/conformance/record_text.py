"""A game as readable text: moves, events, every viewer's view, prompts, and what guesses vary."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from app.games.chance import Chance
from app.games.contract import Event, Json, Move
from tests.conformance.driver import Position, barrier

GUESSES = 8
GONE = "gone"
Viewer = int | None


def compact(data: Json) -> str:
    """Returns JSON data on one line, with spaces to read it by."""
    return json.dumps(data, ensure_ascii=False)


def record_text(positions: Iterable[Position]) -> str:
    """Returns the text of a whole game, from its set-up to its end."""
    lines: list[str] = []
    views: dict[Viewer, Json] = {}
    varied: dict[Viewer, Json] = {}
    last = None
    for position in positions:
        lines += _header(position) if last is None else ["", _move_line(position)]
        lines += [f"  event {_event_text(event)}" for event in position.events]
        now = {viewer: position.game.view(position.state, viewer) for viewer in position.viewers}
        lines += _changes("view", views, now)
        lines += _prompts(position)
        guessed = {viewer: {"varies": _varied(position, viewer)} for viewer in position.viewers}
        lines += _changes("guess", varied, guessed)
        views, varied, last = now, guessed, position
    assert last is not None
    outcome = last.game.outcome(last.state)
    assert outcome is not None, "a golden record goes to the end of the game"
    lines += ["", f"{OUTCOME}{compact(outcome.wire())}", *_changes("view", {}, views)]
    return "\n".join(lines) + "\n"


OUTCOME = "outcome "
MOVE = "move "


def _header(position: Position) -> list[str]:
    meta = position.game.meta
    return [
        f"game {meta.key}",
        f"rules {position.rules}",
        f"seats {position.seats}",
        f"options {compact(dict(position.options))}",
        f"seed {position.seed.decode()}",
        "",
        f"set-up{_marks(drew=position.drew, barrier=False)}",
    ]


def _move_line(position: Position) -> str:
    assert position.move is not None
    assert position.before is not None
    marks = _marks(drew=position.drew, barrier=barrier(position.before, position))
    return f"{MOVE}{position.number} seat {position.seat} {compact(position.move.wire())}{marks}"


def _marks(*, drew: bool, barrier: bool) -> str:
    names = [name for name, holds in (("drew", drew), ("barrier", barrier)) if holds]
    return f" [{', '.join(names)}]" if names else ""


def _event_text(event: Event) -> str:
    parts = [f"{event.kind} {compact(dict(event.facts))}"]
    parts += [f"{seat} learns {compact(dict(facts))}" for seat, facts in event.secrets.items()]
    if event.to is not None:
        parts.append(f"to {_names(list(event.to), everybody=-1)} alone")
    return " · ".join([*parts, *(["fleeting"] if event.fleeting else [])])


def _prompts(position: Position) -> Iterator[str]:
    for seat in position.game.actors(position.state):
        prompt = position.game.prompt(position.state, seat)
        assert prompt is not None
        more = ", ..." if prompt.open else ""
        legal = ", ".join(_move_words(move) for move in prompt.legal)
        yield f"  asked {seat} {prompt.stage}: {legal}{more}"


def _move_words(move: Move) -> str:
    values = move.wire().values()
    return " ".join(value if isinstance(value, str) else compact(value) for value in values)


def _changes(label: str, old: Mapping[Viewer, Json], new: Mapping[Viewer, Json]) -> Iterator[str]:
    """Yields a line for each place that changed, viewers with equal new values together."""
    by_place: dict[str, dict[str, list[Viewer]]] = {}
    for viewer, data in new.items():
        for place, value in _differences(old.get(viewer, {}), data, ""):
            text = GONE if value is GONE else compact(value)
            by_place.setdefault(place, {}).setdefault(text, []).append(viewer)
    for place, by_value in by_place.items():
        told = [
            f"{_names(viewers, everybody=len(new))} {value}" for value, viewers in by_value.items()
        ]
        yield f"  {label} {place}: {' · '.join(told)}"


def _names(viewers: list[Viewer], *, everybody: int) -> str:
    if len(viewers) == everybody:
        return "all"
    return ",".join("watcher" if viewer is None else str(viewer) for viewer in viewers)


def _differences(old: Json, new: Json, place: str) -> Iterator[tuple[str, Json]]:
    """Yields each place that differs, and what is there now."""
    if type(old) is type(new) and old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*new, *(key for key in old if key not in new)]:
            inner = f"{place}.{key}" if place else key
            if key not in new:
                yield inner, GONE
            elif key not in old:
                yield inner, new[key]
            else:
                yield from _differences(old[key], new[key], inner)
    elif isinstance(old, list) and isinstance(new, list) and _as_long_lists_of_parts(old, new):
        for at, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _differences(before, after, f"{place}[{at}]")
    else:
        yield place, new


def _as_long_lists_of_parts(old: list[Json], new: list[Json]) -> bool:
    return len(old) == len(new) and any(isinstance(item, dict | list) for item in new)


def _varied(position: Position, viewer: Viewer) -> list[str]:
    game = position.game
    true = game.dump(position.state)
    seed = f"golden {position.number} {viewer}".encode()
    places: set[str] = set()
    for k in range(GUESSES):
        guessed = game.dump(game.guess(position.state, viewer, Chance(seed, k)))
        places.update(place for place, _ in _differences(true, guessed, ""))
    return sorted(places)
