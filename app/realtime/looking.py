"""Looking back: what one viewer was shown after each entry of a game, and may look at again now.

It is made of one replay, as a live page is made of the table: the view of that moment and what the
entry told. Nothing here is shown that the viewer was not shown then; what the rules forbid to look
up again (`Game.recalls`), and what was told for a moment only, is left out until the game is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.games.contract import Json, View
from app.play.history import Replayed
from app.play.position import Position
from app.realtime.scene import LINES, PLAYED, LogLine, Scene, line
from app.rooms.room import Room


@dataclass(frozen=True, slots=True)
class Look:
    """What a viewer saw after one entry. `line` is what the entry told, `view` what was known."""

    line: LogLine
    view: View
    position: Position

    @property
    def seq(self) -> int:
        """The seq of the entry."""
        return self.line.seq

    def wire(self) -> dict[str, Json]:
        """Returns the step as wire data."""
        return {**self.line.wire(), "view": self.view}


@dataclass(frozen=True, slots=True)
class Past:
    """All that a viewer may look at again.

    `viewer` is a seat, None for what everybody saw; `v` the game's last entry; `over` whether the
    game has ended. `looks` are the entries that told or showed the viewer something, oldest first.
    `closed` says that there are more which may not be looked up while the game runs. `own` is the
    seq of the viewer's newest move (-1: none).
    """

    viewer: int | None
    v: int
    over: bool
    closed: bool
    own: int
    looks: tuple[Look, ...]

    def at(self, seq: int) -> int:
        """Returns the index of the step of an entry, else of the last step before it, or 0."""
        return max((at for at, look in enumerate(self.looks) if look.seq <= seq), default=0)

    def scene(self, room: Room, index: int) -> Scene:
        """Returns a step as a scene without questions, for whoever draws it.

        What the entry changed counts as new, so that it is marked.
        """
        look = self.looks[index]
        position, mine = look.position, look.line.seat == self.viewer and look.line.kind in PLAYED
        told = [each.line for each in self.looks[: index + 1] if each.line.events]
        return Scene(
            room=room,
            online=frozenset(range(room.seats)),
            watchers=0,
            seat=self.viewer,
            player_id=None,
            v=look.seq,
            view=look.view,
            actors=position.actors,
            done=position.done,
            own=look.seq if mine else look.seq - 1,
            log=tuple(told[-LINES:]),
            outcome=None if position.outcome is None else position.outcome.wire(),
            past=True,
        )


def past(replayed: Sequence[Replayed], viewer: int | None) -> Past:
    """Returns what `viewer` may look at of a game, given all its entries."""
    now = replayed[-1].position
    game, over = now.game, now.over
    looks: list[Look] = []
    own, closed = -1, False
    for entry in replayed:
        position, told = entry.position, entry.told
        if viewer is not None and told.seat == viewer and told.kind in PLAYED and not told.bot:
            own = told.seq
        if not over and not game.recalls(now.state, position.state):
            closed = True
            continue
        said = line(told, viewer, now=over)
        view = game.view(position.state, viewer)
        if said.events or not looks or view != looks[-1].view:
            if not said.events and told.seat != viewer:
                # Somebody's secret answer: only what it changed for everybody's eyes is seen.
                said = LogLine(told.seq, None, "", ())
            looks.append(Look(said, view, position))
    return Past(viewer, now.v, over, closed, own, tuple(looks))
