"""The regions of one kind of page, drawn only where something changed that they read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jinja2 import Environment

from app.play.ending import AGREED
from app.realtime.kept import Kept
from app.web.compiled import Context, Names
from app.web.inputs import Inputs, inputs_of
from app.web.text import TEMPLATES

AGREED_RESULT = "rooms/game/regions/result.html"
"""The sheet of a game that everybody agreed to end: no game has points or a winner to show then."""
PRESENT = frozenset(("build", "log", "menu", "notice", "result", "speech", "turn", "undo"))
"""What a game has regions of that belong to the present moment and are never looked back at.

The bar is not among them: without a question it shows what the viewer holds.
"""


class Region:
    """One template of a region, or of many: `row@market` gives a region for each row."""

    def __init__(self, environment: Environment, file: str, path: str) -> None:
        self.name, _, self.each = file.partition("@")
        self.path = path
        self.inputs: Inputs | None = inputs_of(environment, path)
        self._template = environment.get_template(path)
        self._place = (environment.globals["lang"], path)

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
        html: dict[str, str] = {}
        outcome = names["outcome"]
        agreed = outcome is not None and outcome["reason"] == AGREED
        for each in self.all if some is None else some:
            region = self._agreed if agreed and each.name == "result" else each
            for item in region.items(names):
                names["item"] = item
                name = f"{region.name}-{item}" if region.each else region.name
                html[name] = region.draw(context, kept)
        return html


def _files(folder: str) -> dict[str, str]:
    """Returns the region templates of a folder: path below `templates/` by file name."""
    found = sorted((TEMPLATES / folder).glob("*.html"))
    return {path.stem: path.relative_to(TEMPLATES).as_posix() for path in found}
