"""What is secret in Gold Hunting, and what it looks like: stacks of bars, numbers of tokens.

A stack is named by its mountain and its bars from bottom to top: `0: 2 1`; a token is `token 3`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random

from app.games.contract import Json
from app.games.gold_hunting.state import State
from tests.secrets.reading import texts

SEATS = 2
OPTIONS = {"bust_min": 3, "first": 0}
OPEN: frozenset[str] = frozenset()
TRIES = ({"kind": "dig", "mountain": 0, "size": 3}, {"kind": "rush", "mountain": 1})
MOUNTAINS = 4
SAFE = {"kind": "safe"}
_STACK = re.compile(r'data-mountain="\d(\d)"><span class="gh-stack"[^>]*>(.*?)</span>', re.DOTALL)
_BAR = re.compile(r'href="#gh-(\d)"')
_TOKEN = re.compile(r'href="#gh-t([1-3])"')


def in_text(text: str) -> set[str]:
    """Returns the open stacks and tokens in a piece of a page, where the top bar comes first."""
    found = {f"token {number}" for number in _TOKEN.findall(text)}
    for mountain, bars in _STACK.findall(text):
        found |= _stack(int(mountain), reversed(_BAR.findall(bars)))
    return found


def in_json(data: Json) -> set[str]:
    """Returns the stacks and tokens in JSON data; ready-made ways to build are no secret."""
    return {name for text in texts(data) for name in in_text(text)} | set(_names(data))


def known(state: State, viewer: int | None) -> set[str]:
    """Returns the own stacks, the own token, and tokens that were used to rush."""
    seen: set[str] = set()
    for seat, player in enumerate(state.players):
        if seat == viewer or state.stage == "over" or player.token.use == "rush":
            seen.add(f"token {player.token.number}")
        if seat == viewer:
            for mountain, bars in enumerate(player.mountains):
                seen |= _stack(mountain, bars)
    return seen


def choose(random: Random, stage: str, legal: list[Json]) -> list[Json]:
    """Returns any move, often the safe: after it the turn goes on and may be taken back."""
    return [SAFE if SAFE in legal and random.random() < 0.5 else random.choice(legal)]


def _stack(mountain: int, bars: Iterable[int | str]) -> set[str]:
    named = " ".join(map(str, bars))
    return {f"{mountain}: {named}"} if named else set()


def _names(data: Json) -> Iterator[str]:
    if isinstance(data, dict):
        if type(data.get("number")) is int:
            yield f"token {data['number']}"
        for key, value in data.items():
            if key != "legal":
                yield from _names(value)
    elif isinstance(data, list):
        if len(data) == MOUNTAINS and all(isinstance(bars, list) for bars in data):
            for mountain, bars in enumerate(data):
                yield from _stack(mountain, bars)
        for value in data:
            yield from _names(value)
