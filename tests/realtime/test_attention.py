"""Who looks at a page of the house."""

from __future__ import annotations

from uuid import UUID

from app.realtime.attention import LOOK_SECONDS, Attention

ANN, BO = UUID(int=1), UUID(int=2)


def test_a_look_counts_for_half_a_minute_or_until_the_last_page_is_closed() -> None:
    now = 0.0
    attention = Attention(lambda: now)
    for player in (ANN, ANN, BO):
        attention.opened(player)
    attention.seen(ANN)
    attention.seen(None)
    assert (attention.lately(ANN), attention.lately(BO)) == (True, False)
    now = LOOK_SECONDS - 1
    attention.closed(ANN)
    assert attention.lately(ANN), "another page is open"
    now = LOOK_SECONDS
    assert not attention.lately(ANN), "it has not said so again"
    attention.seen(ANN)
    attention.closed(ANN)
    assert not attention.lately(ANN)
