"""What is kept of a log from entry to entry is what it would be if it were found anew."""

from __future__ import annotations

import pytest

from app.games.registry import GAMES
from app.play.table import TOLD_KEPT
from app.realtime.scene import LINES, lines
from bench.walks import Walk, default_options


@pytest.mark.parametrize("skipped", [1, 7, LINES + 5])
def test_a_log_that_grows_is_the_log_found_anew(skipped: int) -> None:
    """Viewers look after each entry, or come back after some."""
    game = GAMES["lost_cities"]
    walk = Walk(game, 2, {**default_options(game), "rounds": 3}, 3, undo=0.1)
    for live in walk.states():
        if live.v % skipped:
            continue
        told = walk.table.told()
        for seat, player in walk.viewers:
            scene = live.scene(seat, player)
            own = [line.seq for line in told if line.seat == seat is not None]
            assert list(scene.log) == lines(told, seat, LINES)
            assert scene.own == max(own, default=-1)
    assert walk.table.v > TOLD_KEPT + LINES


def test_a_line_that_viewers_are_told_alike_is_kept_once() -> None:
    game = GAMES["lost_cities"]
    walk = Walk(game, 2, default_options(game), 3, undo=0.1)
    alike = own = 0
    for live in walk.states():
        mine, theirs, everybodys = (
            {line.seq: line for line in live.scene(*viewer).log} for viewer in walk.viewers
        )
        for seq, line in everybodys.items():
            assert line is mine[seq] or line is theirs[seq] or mine[seq] != line != theirs[seq]
            alike += mine[seq] is theirs[seq]
            own += mine[seq] != theirs[seq]
    assert alike, "of most moves everybody is told the same"
    assert own, "who draws is told the card"
