"""Static files under names that carry a hash of what they hold.

A page of an older server asks for older names, gets 404 and says "reload"; a name never changes
its content, so browsers keep it for ever. References between static files (`"./sha256.js"` in a
script, `url("./back.svg")` in a style) are rewritten to the hashed names.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from posixpath import normpath

STATIC = Path(__file__).resolve().parents[2] / "static"

_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
}
_REFERENCE = re.compile(r"""(?<=["'(])\./([\w./-]+)(?=["')])""")


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is served: `url` has the hash, `body` the hashed references."""

    url: str
    body: bytes
    media_type: str


class Assets:
    """All files of the static folder, read once.

    Raises ValueError for a file of an unknown kind or a reference to a missing file.
    """

    def __init__(self, folder: Path = STATIC) -> None:
        self._folder = folder
        self._by_name: dict[str, Asset] = {}
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.name.startswith("."):
                self._load(path.relative_to(folder).as_posix())
        self._by_url = {asset.url: asset for asset in self._by_name.values()}
        urls = "\n".join(sorted(self._by_url))
        self.build = hashlib.sha256(urls.encode()).hexdigest()[:10]

    def __iter__(self) -> Iterator[Asset]:
        return iter(self._by_name.values())

    def url(self, name: str) -> str:
        """Returns the address of `app.css` or `games/x.css`. Raises KeyError if there is none."""
        return self._by_name[name].url

    def has(self, name: str) -> bool:
        """Tells whether there is a file of that name."""
        return name in self._by_name

    def find(self, url: str) -> Asset | None:
        """Returns what to serve for an address path (`/static/app.0f12ab.css`), None for 404."""
        return self._by_url.get(url)

    def _load(self, name: str) -> Asset:
        if name in self._by_name:
            return self._by_name[name]
        path = PurePosixPath(name)
        if path.suffix not in _MEDIA_TYPES:
            raise ValueError(f"static/{name}: expected one of {sorted(_MEDIA_TYPES)}")
        source = self._folder / name
        if not source.is_file():
            raise ValueError(f"static/{name}: there is no such file, but another one names it")
        body = source.read_bytes()
        if path.suffix in {".css", ".js"}:
            body = _REFERENCE.sub(
                lambda found: self._load(normpath(path.parent / found[1])).url, body.decode()
            ).encode()
        digest = hashlib.sha256(body).hexdigest()[:10]
        url = f"/static/{path.with_suffix('')}.{digest}{path.suffix}"
        asset = Asset(url, body, _MEDIA_TYPES[path.suffix])
        self._by_name[name] = asset
        return asset
