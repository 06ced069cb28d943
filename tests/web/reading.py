"""Pages as their readers get them: elements, texts, and texts in a made-up language."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

from babel.messages.pofile import read_po, write_po

from app.games.contract import Json
from app.realtime.scene import LogLine, Scene
from app.web.messages import POT
from app.web.render import Renderer
from app.web.text import Texts

HOSTILE = (
    "<svg/onload=alert()>",
    '"><img src=x onerror=alert()>',
    "{{7*7}}",
    "</script><script>x",
    "%(name)s",
    "a' onfocus='x",
)
"""Names that would do harm where they are not escaped."""


def held(regions: Mapping[str, str]) -> list[str]:
    """Returns the regions with controls, but for those about friends who come and go."""
    return [
        name
        for name, drawn in regions.items()
        if name != "friends" and re.search("<(form|input|button)", drawn)
    ]


class _Reading(HTMLParser):
    """What a parser of HTML finds."""

    READ = ("alt", "aria-label", "title", "placeholder")
    SAID_LATER = (
        *("data-offline", "data-reload", "data-gone", "data-removed", "data-copied", "data-select"),
        *("data-title", "data-title-turn", "data-same", "data-differs", "data-none"),
    )

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.elements: list[tuple[str, ...]] = []
        self.texts: list[str] = []
        self.attributes: list[str] = []
        self._code = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, *(name for name, _ in attrs)))
        self._code += tag == "code"
        for name, value in attrs:
            described = name == "content" and ("name", "description") in attrs
            if described or name in self.READ or name in self.SAID_LATER:
                self.attributes.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag == "code"

    def handle_data(self, data: str) -> None:
        if not self._code:
            self.texts.append(data)


_numbers = itertools.count(1)


def sentences(renderer: Renderer, events: Iterable[Mapping[str, Json]], scene: Scene) -> list[str]:
    """Returns the HTML by which the page of the log tells each event as a line of its own."""
    # A line is known by its number: none is told from what was drawn of another one.
    lines = [LogLine(next(_numbers), None, "move", (dict(event),)) for event in events]
    page = renderer.log_page(scene, "en", lines=lines, more=False)
    items = page.partition('<ol class="lines" reversed>')[2].partition("</ol>")[0]
    return [item.removeprefix("<li>") for item in items.split("</li>")[:-1]][::-1]


_DRAWINGS = re.compile(r'(<svg class="vh faces".*?</svg>)', re.DOTALL)
"""What most pages of a game begin with, the same on all of them."""
_read_once = cache(_Reading)


class Shape(_Reading):
    """The elements of a page with the names of their attributes, and what a reader gets."""

    def __init__(self, page: str) -> None:
        super().__init__()
        for part in _DRAWINGS.split(page):
            if _DRAWINGS.fullmatch(part):
                drawing = _read_once(part)
                self.elements += drawing.elements
                self.texts += drawing.texts
                self.attributes += drawing.attributes
            else:
                self.feed(part)


def in_brackets(tmp_path: Path) -> Texts:
    """Returns a made-up language that puts each collected sentence in brackets."""
    catalog = read_po(BytesIO(POT.read_bytes()), locale="eo")
    for message in catalog:
        several = isinstance(message.id, tuple)
        texts = [f"[[{text}]]" for text in (message.id if several else (message.id,))]
        if message.id:
            message.string = tuple(texts) if several else texts[0]
    folder = tmp_path / "eo" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "motherlode.po").open("wb") as target:
        write_po(target, catalog)
    return Texts(tmp_path)


def outside_brackets(text: str) -> str:
    """Returns what of a text stands outside all brackets; they must be in pairs."""
    depth, kept = 0, []
    for part in re.split(r"(\[\[|\]\])", text):
        depth += (part == "[[") - (part == "]]")
        if not depth and part != "]]":
            kept.append(part)
    assert depth == 0
    return "".join(kept)


def change_sizes(
    renderer: Renderer,
    moments: Iterable[Callable[[int | None], Scene]],
    viewers: Iterable[int | None],
) -> list[int]:
    """Returns how many bytes of HTML differ for each viewer from each moment to the next one.

    A moment gives the scene of a seat.
    """
    sizes = []
    last: dict[int | None, dict[str, str]] = {}
    seats = tuple(viewers)
    for scene in moments:
        for seat in seats:
            drawn = renderer.regions(scene(seat), "en")
            if seat in last:
                changed = [html for name, html in drawn.items() if last[seat][name] != html]
                sizes.append(sum(len(html.encode()) for html in changed))
            last[seat] = drawn
    return sizes


def assert_names_are_text(
    pages: Callable[[tuple[str, ...]], Mapping[str, str]], seats: int
) -> None:
    """Hostile names change no element of any page, and stand there as text.

    `pages` draws each page for the names at the seats; every seat gets another hostile name. The
    first one is at each table, the others need not be.
    """
    harmless = {page: _elements(drawn) for page, drawn in pages(("Ann",) * seats).items()}
    for first in range(0, len(HOSTILE), seats):
        names = tuple(HOSTILE[(first + seat) % len(HOSTILE)] for seat in range(seats))
        drawn = pages(names)
        assert {page: _elements(text) for page, text in drawn.items()} == harmless
        assert all(as_text(names[0]) in text for page, text in drawn.items() if page != "home")
        assert all(any(as_text(name) in text for text in drawn.values()) for name in names)


def _elements(drawn: str) -> list[tuple[str, ...]]:
    """Returns the elements of a page without its drawings, which hold most of them and no name."""
    return Shape(_DRAWINGS.sub("", drawn)).elements


def as_text(name: str) -> str:
    """Returns a name as it stands in a page where it is only text."""
    return html.escape(name).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")


def assert_self_contained(page: str, drawn: str) -> None:
    """Nothing needs a looser policy, ids are unique, what is pointed at is there.

    The home page draws pieces that are pointed at from elsewhere.
    """
    for tag, *attributes in Shape(drawn).elements:
        assert tag != "style", page
        assert not [name for name in attributes if name == "style" or name[:2] == "on"], page
    ids = re.findall(r' id="([^"]+)"', drawn)
    assert len(ids) == len(set(ids)), page
    if page != "home":
        assert set(re.findall(r'<use href="#([^"]+)"', drawn)) <= set(ids), page
        for named in re.findall(r'(?:aria-(?:labelledby|describedby)|for)="([^"]+)"', drawn):
            assert named in ids, page
