"""The contract every game keeps.

A game is a set of pure functions over an immutable state. It does no I/O, has no clock and no
random source but the `Chance` it is handed, and imports nothing but the standard library and
this package. The house (tables, pages, bots, records) knows a game only through `Game`.

Wire data is plain JSON data: `None`, `bool`, `int`, `str`, lists and string-keyed dicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Generic, Literal, Protocol, TypeVar

from app.games.chance import Chance
from app.games.value import value

Json = Any
"""Plain JSON data. Typed as `Any` because recursive aliases cost more than they check."""

View = dict[str, Json]
"""What one viewer may know, as plain JSON data."""

Fields = Sequence[tuple[str, str]]
"""The fields of a submitted HTML form, in document order; names may repeat."""

State = TypeVar("State")
M = TypeVar("M", bound="Move")


@value
class Option:
    """One setting of a game that the host chooses before the start.

    `label`, `help` and the labels of `choices` are message ids: English sentences that the page
    translates. A `choice` option takes one of the values of `choices`, a `number` option a whole
    number from `least` to `most`, a `switch` option a bool.
    """

    key: str
    label: str
    default: bool | int | str
    kind: Literal["switch", "choice", "number"] = "switch"
    choices: tuple[tuple[int | str, str], ...] = ()
    least: int = 0
    most: int = 0
    help: str = ""


@value
class Meta:
    """What the house must know of a game before anybody plays it.

    `title` and `line` (one sentence for the home page) are message ids. `seats` is the least and
    the greatest number of players, `minutes` the usual length. `rules_version` goes up with every
    change of the rules that could change a replay.
    """

    key: str
    title: str
    line: str
    seats: tuple[int, int]
    minutes: int
    rules_version: int
    options: tuple[Option, ...] = ()


class Move(Protocol):
    """A decision in its one canonical spelling: a small frozen dataclass."""

    def wire(self) -> dict[str, Json]:
        """Returns the move as wire data; `parse` reads it back to an equal move."""
        ...


@value
class Event:
    """Something that happened, told to people: the source of log lines, marks and speech.

    `facts` are public. `secrets` holds further facts for named seats only. A `fleeting` event is
    sent once, when it happens, and stands in no log, look-back or record before its time.

    `to` are the seats that are told of the event at all, with its facts (None: everybody, with
    spectators); for the others nothing has happened. What an event tells its mover in `facts`
    repeats his own choice to him; what is news to him belongs into `secrets`.
    """

    kind: str
    facts: Mapping[str, Json] = field(default_factory=dict)
    secrets: Mapping[int, Mapping[str, Json]] = field(default_factory=dict)
    fleeting: bool = False
    to: tuple[int, ...] | None = None

    def tells(self, viewer: int | None) -> bool:
        """Returns whether a seat, or a spectator (`None`), is told of the event at all."""
        return self.to is None or viewer in self.to

    def seen_by(self, viewer: int | None) -> dict[str, Json]:
        """Returns the event as wire data for a seat, or a spectator (`None`), that it tells."""
        seen: dict[str, Json] = {"kind": self.kind, **self.facts}
        if viewer is not None and viewer in self.secrets:
            seen.update(self.secrets[viewer])
        return seen


@value
class Step(Generic[State]):
    """The outcome of a set-up or of one accepted move.

    `barrier` says that the move cannot be taken back for a reason only the game knows (an attack
    was declared, a hidden card was turned up for everyone). The house itself adds the other
    reasons: chance was used, the mover was told a secret, another seat was asked.
    """

    state: State
    events: tuple[Event, ...] = ()
    barrier: bool = False


@value
class Prompt(Generic[M]):
    """A question to one seat.

    `legal` are all accepted moves, each once, in a fixed order that depends on nothing hidden
    from this seat. When `open` is true there are too many to list: `apply` accepts more, and
    `legal` holds a few good examples.
    """

    stage: str
    legal: tuple[M, ...]
    open: bool = False


@value
class Outcome:
    """How a game ended.

    `ranking` is the place of each seat (1 is best; equal places are shared). `scores` is, by
    seat, the points by source in the order the sheet shows them, `totals` their sums (`None`
    where a seat has no count). `reason` and `tie_break` are stable codes; `tie_break` names
    the rule that decided between equal totals, if one did.
    """

    ranking: tuple[int, ...]
    totals: tuple[int | None, ...]
    scores: tuple[Mapping[str, int], ...]
    reason: str
    tie_break: str | None = None

    def wire(self) -> dict[str, Json]:
        """Returns the outcome as wire data."""
        return {
            "ranking": list(self.ranking),
            "totals": list(self.totals),
            "scores": [dict(by_source) for by_source in self.scores],
            "reason": self.reason,
            "tie_break": self.tie_break,
        }


class IllegalMove(Exception):
    """A well-formed move that the rules do not allow now.

    `code` is a stable string, `facts` say more (which card, what would be legal). Neither may
    depend on anything the seat does not know.
    """

    def __init__(self, code: str, **facts: Json) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class Malformed(ValueError):
    """Wire data that is no move of this game at all: unknown kind, wrong types, extra fields."""


class UnknownRules(Exception):
    """A game was dealt by a version of its rules that this program cannot play."""

    def __init__(self, game: str, version: int) -> None:
        super().__init__(f"{game}: this program cannot play version {version} of the rules")


class Game(Protocol[State, M]):
    """One game. `State` is immutable, comparable and hides nothing from `dump`."""

    @property
    def meta(self) -> Meta:
        """The fixed facts of the game."""
        ...

    def setup(self, seats: int, options: Mapping[str, Json], chance: Chance) -> Step[State]:
        """Returns the first state. `options` has every key of `meta.options`, checked.

        The public fact `starts` of an event names the seat that begins, where one does: a rematch
        has the next seat begin, by the option `first` if the game has one with that seat.
        """
        ...

    def setup_by(
        self, version: int, seats: int, options: Mapping[str, Json], chance: Chance
    ) -> Step[State]:
        """Returns the first state of a game that goes by `version` of the rules to its end.

        A game whose rules were changed keeps the version in its state and switches by it, so that
        what was played before replays as it was. Raises `UnknownRules`. This default, for games
        that inherit from `Game` and have one version only, calls `setup`.
        """
        if version != self.meta.rules_version:
            raise UnknownRules(self.meta.key, version)
        return self.setup(seats, options, chance)

    def actors(self, state: State) -> tuple[int, ...]:
        """Returns the seats that owe a decision now, ascending; () when the game is over."""
        ...

    def prompt(self, state: State, seat: int) -> Prompt[M] | None:
        """Returns the question to `seat`, or None unless `seat` is an actor."""
        ...

    def parse(self, data: Json) -> M:
        """Reads wire data as a move in canonical spelling. Raises `Malformed`."""
        ...

    def from_form(self, fields: Fields) -> Json:
        """Returns the wire data that the fields of a page's form mean. Raises `Malformed`."""
        ...

    def apply(self, state: State, seat: int, move: M, chance: Chance) -> Step[State]:
        """Plays one move. Never changes `state`. Raises `IllegalMove`."""
        ...

    def settled(self, state: State, seat: int, move: M) -> M:  # noqa: ARG002
        """Returns `move` as `prompt.legal` spells it.

        For moves that may leave something to the rules which only the state can tell, such as how
        to pay. `apply` accepts a move exactly if its settled spelling is legal, and both do the
        same. This default, for games that inherit from `Game`, returns `move`.
        """
        return move

    def view(self, state: State, viewer: int | None) -> View:
        """Returns what `viewer` (None: a spectator) may know, assembled field by field."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """Returns the result once the game is over, else None."""
        ...

    def guess(self, state: State, viewer: int | None, chance: Chance) -> State:
        """Deals the hidden part again: a state that `viewer` cannot tell from the true one."""
        ...

    def taken_back(self, state: State, seat: int, moves: Sequence[M]) -> State:  # noqa: ARG002
        """Returns `state` with what everybody keeps knowing of moves that were taken back.

        `state` is the one before the entry that is removed, `moves` are all moves of that entry in
        their order. The table goes on from the answer; replays do the same. Only what `guess`
        keeps may change: no view, prompt, actor or refusal. Most games have nothing to keep: this
        default, for games that inherit from `Game`, returns `state`.
        """
        return state

    def stopped(self, state: State) -> State:
        """Returns `state` as it is shown once a player gave up or all agreed to end the game.

        For what the rules turn up when a game is over. Nothing more is asked or played then. This
        default, for games that inherit from `Game`, returns `state`.
        """
        return state

    def recalls(self, now: State, then: State) -> bool:  # noqa: ARG002
        """Returns whether players who are in `now` may look again at what they saw in `then`.

        `then` is an earlier state of the same game, which still runs: after its end everything may
        be looked at. For rules by which something may not be looked up later, which also forbids
        what it could be worked out from. This default, for games that inherit from `Game`, forbids
        nothing.
        """
        return True

    def turns_up(self, events: Sequence[Event]) -> bool:  # noqa: ARG002
        """Returns whether the mover wants to see what a move of these events has turned up for all.

        For people who share a device: it is then handed on by a press and not by itself. What only
        the mover is told keeps it by him anyway. This default, for games that inherit from `Game`,
        has nothing to wait for.
        """
        return False

    def preview(self, view: View, move: Json) -> Mapping[str, Json]:  # noqa: ARG002
        """Returns what a legal move of the viewer would do, in numbers, from its own view alone.

        For the page, which shows it before the choice is made. This default, for games that
        inherit from `Game`, has nothing to say.
        """
        return {}

    def components(self) -> Mapping[str, Json]:
        """Returns the printed facts of the pieces, for whoever draws or names them.

        They are the same in all games and at all times. This default, for games that inherit from
        `Game` and whose pieces say everything by their names, has nothing to say.
        """
        return {}

    def dump(self, state: State) -> Json:
        """Returns the whole state, secrets included, as plain JSON data."""
        ...

    def load(self, data: Json) -> State:
        """Reads what `dump` wrote."""
        ...
