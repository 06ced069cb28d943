"""What pages are drawn with is freed with them: under load nothing else frees it for long."""

from __future__ import annotations

import gc

from app.players.service import Player
from app.web.render import Renderer
from tests.web.scenes import ANN, URL, games


def test_a_page_leaves_no_cycles(renderer: Renderer) -> None:
    player = Player(ANN, "Ann")
    gc.collect()
    gc.disable()
    try:
        for now in games(30):
            scene = now.scene(0)
            renderer.room_page(scene, "en", url=URL, player=player, refused=None)
            renderer.log_page(scene, "en", lines=scene.log, more=True, player=player)
            del scene
        assert gc.collect() == 0
    finally:
        gc.enable()
