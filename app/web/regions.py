"""The regions of one kind of page, drawn only where something changed that they read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jinja2 import Environment

from app.play.ending import AGREED
from app.realtime.kept import Kept
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

    def draw(self, context: Context, kept: Kept | None) -> str:
        """Returns the HTML, kept from earlier if all inputs are as they were then.

        `context` has everything that the template may use.
        """
        if kept is None or self.inputs is None or (read := self.inputs.read(context)) is None:
            return context.draw(self._template)
        place = (*self._place, read)
        html = kept.get(place)
        if html is None:
            html = kept[place] = context.draw(self._template)
        return html


class Regions:
    """All regions of one kind of page in one language."""

    def __init__(self, environment: Environment, *folders: str) -> None:
        """Takes folders below `templates/`; later ones replace files of the same name."""
        files = {name: path for folder in folders for name, path in _files(folder).items()}
        self._environment = environment
        self._key = folders
        self.all = [Region(environment, name, path) for name, path in files.items()]
        self.board = [
            region
            for region in self.all
            if region.name not in PRESENT
            and (region.path.startswith("games/") or region.name == "players")
        ]
        """Those that show the pieces and the players."""
        self._agreed = Region(environment, "result", AGREED_RESULT)

    def draw(
        self, names: Names, kept: Kept | None, some: Sequence[Region] | None = None
    ) -> dict[str, str]:
        """Returns the inner HTML of each region by its id; without `kept` all is drawn.

        `names` has all that templates may use, `some` are those that are asked for (None: all).
        """
        # One set of names for all regions: `Template.render` would copy it for each of them.
        context = Context.of(self._environment, names)
        outcome = names["outcome"]
        agreed = outcome is not None and outcome["reason"] == AGREED
        html: dict[str, str] = {}
        still: dict[str, str] = {}
        scene: Scene = names["scene"]
        if kept is not None and some is None and scene.seat is not None:
            # Asked once for all of them, and for a seat alone: of watchers there may be many.
            place = (self._environment.globals["lang"], self._key, scene.seat, scene.player_id)
            now = _quiet(scene)
            before, still = kept.quiet.get(place, ((), {}))
            if before != now:
                still = {}
                kept.quiet[place] = now, still
        for each in self.all if some is None else some:
            if each.quiet and each.name in still:
                html[each.name] = still[each.name]
                continue
            region = self._agreed if agreed and each.name == "result" else each
            for item in region.items(names):
                names["item"] = item
                name = f"{region.name}-{item}" if region.each else region.name
                html[name] = region.draw(context, kept)
            if each.quiet:
                still[each.name] = html[each.name]
        return html


def _files(folder: str) -> dict[str, str]:
    """Returns the region templates of a folder: path below `templates/` by file name."""
    found = sorted((TEMPLATES / folder).glob("*.html"))
    return {path.stem: path.relative_to(TEMPLATES).as_posix() for path in found}
