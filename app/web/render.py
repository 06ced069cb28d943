"""Scenes and pages to HTML.

A room's page is a layout with *regions*: flat, named pieces that the hub sends again when they
change. Which regions there are is read from the folders of templates:

* `templates/rooms/lobby/regions/` while the room is open, `rooms/starting/regions/` while it is
  starting;
* `templates/rooms/curtain/regions/`, and those of `rooms/game/regions/` that they do not replace,
  while a device that several people share is handed over;
* `templates/rooms/game/regions/` and `templates/games/<game>/regions/` from the deal on. A file
  of the game replaces one of the house with the same name.

`board.html` is the region `board`. `column@colours.html` is drawn once for each item of
`view["colours"]`, as `item`, and gives the regions `column-Y`, `column-B`, ...; `hand@seats.html`
once for each seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from markupsafe import Markup

from app.chat.lines import Line, mark_of
from app.games.contract import Json
from app.games.registry import Registry
from app.players.alike import told_apart
from app.players.service import Player
from app.realtime.kept import Kept, Shown
from app.realtime.looking import Past
from app.realtime.scene import LogLine, Scene
from app.rooms.room import Room
from app.web.assets import Assets
from app.web.templates import Templates
from app.web.text import SOURCE_LANGUAGE, Texts

Frame = Mapping[str, object]
"""What the frame of every page shows: `keeping` (`Keeping`) and `announced` (`Announcement`)."""

_BARE: Frame = MappingProxyType({})


class Renderer:
    """Draws everything people see. One for the process; holds no state of any room."""

    def __init__(
        self, games: Registry, *, texts: Texts | None = None, assets: Assets | None = None
    ) -> None:
        self.games = games
        self.texts = texts or Texts()
        self.assets = assets or Assets()
        self._languages = {
            lang: Templates(games, self.texts, self.assets, lang) for lang in self.texts.languages
        }

    # Rooms

    def layout(self, scene: Scene) -> str:
        """Returns which page a room is: `lobby`, `starting`, `curtain`, or the key of its game."""
        if scene.curtain:
            return "curtain"
        if scene.view is not None:
            return scene.room.game
        return "lobby" if scene.room.status == "open" else "starting"

    def regions(self, scene: Scene, lang: str) -> dict[str, str]:
        """Returns the inner HTML of each region of the viewer's page, by region id."""
        return self._language(lang).regions(scene, self.layout(scene))

    def changes(
        self, scene: Scene, lang: str, kept: Kept, shown: Shown
    ) -> tuple[dict[str, str], Shown]:
        """Returns those of the regions that differ from what is shown, and what is shown with them.

        What would be the same is not drawn again, nor what `kept` has from other viewers.
        """
        return self._language(lang).changes(scene, self.layout(scene), kept, shown)

    def room_page(
        self,
        scene: Scene,
        lang: str,
        *,
        url: str,
        player: Player | None = None,
        refused: str | None = None,
        elsewhere: bool = False,
        frame: Frame = _BARE,
        typed: Mapping[str, Sequence[str]] = MappingProxyType({}),
        chat: Sequence[Line] = (),
    ) -> str:
        """Returns the whole page of a room for one viewer.

        `url` is the absolute invite link, `player` who looks (None: no name yet), `refused` the
        sentence of a form that was refused (answer 4xx with it), `elsewhere` whether another game
        waits for the player, `typed` what that form said, by the names of its fields,
        `chat` the newest lines, oldest first.
        """
        language = self._language(lang)
        layout = self.layout(scene)
        regions = {
            name: Markup(html)  # noqa: S704 made by our own escaping templates
            for name, html in language.regions(scene, layout, typed=typed).items()
        }
        return language.draw_room(
            [
                f"{folder}/layout.html"
                for folder in (f"rooms/{layout}", f"games/{layout}", "rooms/game")
            ],
            scene,
            layout=layout,
            regions=regions,
            url=url,
            player=player,
            refused=refused,
            elsewhere=elsewhere,
            **frame,
            chat=chat,
            own_mark=mark_of(player.id) if player else None,
        )

    def back_page(
        self,
        room: Room,
        seen: Past,
        index: int,
        lang: str,
        *,
        own: int | None,
        player: Player | None = None,
        frame: Frame = _BARE,
    ) -> str:
        """Returns the page of one step of a game; `own` is the seat of who looks."""
        language = self._language(lang)
        scene = seen.scene(room, index)
        board = language.board(scene, room.game)
        regions = {name: Markup(html) for name, html in board.items()}  # noqa: S704 ours
        looks = seen.looks
        back = {
            "seen": seen,
            "index": index,
            "said": language.told(scene, looks[index].line),
            "first": looks[0].seq,
            "before": looks[index - 1].seq if index else None,
            "after": looks[index + 1].seq if index + 1 < len(looks) else None,
            "last": looks[-1].seq,
            "own": own,
        }
        return language.draw_room(
            [f"{folder}/layout.html" for folder in (f"games/{room.game}", "rooms/game")],
            scene,
            regions=regions,
            back=back,
            player=player,
            **frame,
        )

    def step(
        self, room: Room, seen: Past, index: int, lang: str, shown: Shown
    ) -> tuple[str, dict[str, str], Shown]:
        """Returns one step: the sentence of what happened, as HTML, and what of the board changed.

        `shown` is what the step before showed; the last of the answer is what this one does.
        """
        language = self._language(lang)
        scene = seen.scene(room, index)
        said = language.told(scene, seen.looks[index].line)
        return said, *language.board_changes(scene, room.game, shown)

    def log_page(
        self,
        scene: Scene,
        lang: str,
        *,
        lines: Sequence[LogLine],
        more: bool,
        player: Player | None = None,
        frame: Frame = _BARE,
    ) -> str:
        """Returns the page of older log lines, newest on top. `lines` come oldest first.

        `more`: there are still older ones.
        """
        return self._language(lang).draw_room(
            "pages/log.html", scene, lines=lines, more=more, player=player, **frame
        )

    def refusal(self, game_key: str | None, code: str, facts: Mapping[str, Json], lang: str) -> str:
        """Returns the plain-text sentence for a refused move or form: why, and what would do.

        Codes of a game are looked up in `games/<game>/refusal.txt`, then, like all others, in
        `rooms/refusal.txt`; an unknown code gets a general sentence.
        """
        return self._language(lang).refusal(game_key, code, facts)

    def turn(self, room: Room, seat: int, lang: str = SOURCE_LANGUAGE) -> tuple[str, str]:
        """Returns title and text, as plain text, that tell who holds a seat of their turn.

        They name the game and who plays: nothing that happened in it, which may be hidden.
        """
        people = sorted(room.people, key=lambda one: one.seat)
        names = told_apart([one.name for one in people])
        text = self._language(lang).draw(
            "rooms/push.txt",
            game=self.games[room.game].meta,
            names=[name for one, name in zip(people, names, strict=True) if one.seat != seat],
        )
        title, _, body = text.partition("\n")
        return title.strip(), body.strip()

    # Other pages

    def page(self, name: str, lang: str, **context: object) -> str:
        """Returns `templates/pages/<name>.html`.

        Every page takes `player` (`Player | None`), `refused` (a sentence or None) and what a
        `Frame` has, which all may be left out. Besides:

        * `home`: nothing more; the games come from the registry.
        * `new`: `game` (`Meta`), `values` (the posted fields as a dict, {} at first), `house_key`
          (whether a key is needed).
        * `games`: `mine` (`Overview`), `number` (of the page of finished ones), `shown` (names by
          seat of a listed room), `titles` by game, `friends` (names, each with its results),
          `soon` (games kept no longer than until then are offered as a record).
        * `error`: `code`, `message` (the sentence for a code not listed here). Codes: `not_found`,
          `unknown_room`, `no_such_game`, `forbidden`, `too_many`, `too_large`, `unavailable`,
          `server_error`, `bad_request`, `house_key`, `removed`, `room_removed` (with `at`).
        """
        return self._language(lang).draw(f"pages/{name}.html", **context)

    def rules_page(
        self, game_key: str, lang: str, *, player: Player | None = None, frame: Frame = _BARE
    ) -> str:
        """Returns the rules of a game. Raises KeyError for a game there is not."""
        meta = self.games[game_key].meta
        text = self._language(lang).rules(game_key)
        return self.page("rules", lang, game=meta, text=text, player=player, **frame)

    def _language(self, lang: str) -> Templates:
        return self._languages.get(lang) or next(iter(self._languages.values()))
