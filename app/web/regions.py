"""The regions of one kind of page, drawn only where something changed that they read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jinja2 import Environment

from app.play.ending import AGREED
from app.realtime.kept import NOTHING, Kept, Mark, Shown
from app.realtime.scene import Scene
from app.web.compiled import Context, Names
from app.web.inputs import Inputs, inputs_of
from app.web.text import TEMPLATES

AGREED_RESULT = "rooms/game/regions/result.html"
"""The sheet of a game that everybody agreed to end: no game has points or a winner to show then."""
PRESENT = frozenset(("build", "log", "menu", "notice", "result", "speech", "turn", "undo"))
"""What a game has regions of that belong to the present moment and are never looked back at.

The bar is not among them: without a question it shows what the viewer holds.
"""
QUIET = frozenset(
    (
        *("game", "host", "me", "names", "outcome", "plain", "rivals", "room"),
        *("scene.agreed", "scene.bots", "scene.broken", "scene.mine"),
        *("scene.online", "scene.past", "scene.player_id", "scene.seat", "scene.shared"),
        "scene.watchers",
    )
)
"""What `_quiet` holds, or what follows from that: moves change it seldom.

Who is missing and until when somebody has time is not among it: each move may change that.
"""


def _quiet(scene: Scene) -> tuple[object, ...]:
    return (
        *(scene.room, scene.seat, scene.player_id, scene.outcome, scene.agreed, scene.bots),
        *(scene.broken, scene.mine, scene.online, scene.past, scene.watchers),
        scene.view is None,
    )


class Region:
    """One template of a region, or of many: `row@market` gives a region for each row."""

    def __init__(self, environment: Environment, file: str, path: str) -> None:
        self.name, _, self.each = file.partition("@")
        self.path = path
        self.inputs: Inputs | None = inputs_of(environment, path)
        self._template = environment.get_template(path)
        self._place = (environment.globals["lang"], path)
        self.quiet = not self.each and self.inputs is not None and self.inputs.names <= QUIET

    def items(self, names: Mapping[str, Any]) -> Iterable[Any]:
        """Returns what there is a region for each of."""
        if self.each == "seats":
            return range(names["room"].seats)
        return (names["view"] or {})[self.each] if self.each else (None,)

    def draw(self, context: Context) -> str:
        """Returns the HTML. `context` has everything that the template may use."""
        return context.draw(self._template)

    def change(self, context: Context, kept: Kept, before: Mark | None) -> tuple[Mark, str | None]:
        """Returns the region's mark, and its HTML where that differs from what was shown `before`.

        It is not drawn if all inputs are as they were then, or as they are for somebody else.
        """
        read = self.inputs.read(context) if self.inputs is not None else None
        if read is None:
            made, html = None, self.draw(context)
        else:
            key = (*self._place, read)
            made = hash(key)
            if before is not None and before[0] == made:
                return before, None
            known = kept.get(key)
            if known is None:
                known = kept[key] = self.draw(context)
            html = known
        mark = made, hash(html)
        return mark, None if before is not None and before[1] == mark[1] else html


class Regions:
    """All regions of one kind of page in one language."""

    def __init__(self, environment: Environment, *folders: str) -> None:
        """Takes folders below `templates/`; later ones replace files of the same name."""
        files = {name: path for folder in folders for name, path in _files(folder).items()}
        self._environment = environment
        self.all = [Region(environment, name, path) for name, path in files.items()]
        self.board = [
            region
            for region in self.all
            if region.name not in PRESENT
            and (region.path.startswith("games/") or region.name == "players")
        ]
        """Those that show the pieces and the players."""
        self._agreed = Region(environment, "result", AGREED_RESULT)

    def draw(self, names: Names, some: Sequence[Region] | None = None) -> dict[str, str]:
        """Returns the inner HTML of each region by its id.

        `names` has all that templates may use, `some` are those that are asked for (None: all).
        """
        context = Context.of(self._environment, names)
        return {name: region.draw(context) for name, region in self._each(names, some)}

    def change(
        self, names: Names, kept: Kept, shown: Shown, some: Sequence[Region] | None = None
    ) -> tuple[dict[str, str], Shown]:
        """Returns those regions that differ from what a page shows, and what it shows with them."""
        # One set of names for all regions: `Template.render` would copy it for each of them.
        context = Context.of(self._environment, names)
        quiet = self, *_quiet(names["scene"])
        before = shown.marks
        # Asked once for all of them.
        still = before if quiet == shown.quiet else NOTHING.marks
        html: dict[str, str] = {}
        marks: dict[str, Mark] = {}
        for name, region in self._each(names, some):
            if region.quiet and name in still:
                marks[name] = still[name]
                continue
            marks[name], changed = region.change(context, kept, before.get(name))
            if changed is not None:
                html[name] = changed
        return html, Shown(marks, quiet)

    def _each(self, names: Names, some: Sequence[Region] | None) -> Iterator[tuple[str, Region]]:
        """Yields regions with their ids, while `names` has the `item` that each is of."""
        outcome = names["outcome"]
        agreed = outcome is not None and outcome["reason"] == AGREED
        for region in self.all if some is None else some:
            drawn = self._agreed if agreed and region.name == "result" else region
            for item in region.items(names):
                names["item"] = item
                yield f"{region.name}-{item}" if region.each else region.name, drawn


def _files(folder: str) -> dict[str, str]:
    """Returns the region templates of a folder: path below `templates/` by file name."""
    found = sorted((TEMPLATES / folder).glob("*.html"))
    return {path.stem: path.relative_to(TEMPLATES).as_posix() for path in found}
