"""The moves. Their spelling on the wire is read in `spelling`."""

from __future__ import annotations

from app.games.contract import Json
from app.games.splendor.gems import Count, some
from app.games.value import value


@value
class Take:
    """Takes tokens from the bank: colours in their order, one named twice for two of it."""

    gems: tuple[str, ...]

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "take", "gems": ["white", "blue", "red"]}`."""
        return {"kind": "take", "gems": list(self.gems)}


@value
class Reserve:
    """Reserves a card of the market."""

    card: int

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "reserve", "card": 17}`."""
        return {"kind": "reserve", "card": self.card}


@value
class ReserveBlind:
    """Reserves the top card of a deck, unseen by the others."""

    level: int

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "reserve", "deck": 2}`."""
        return {"kind": "reserve", "deck": self.level}


@value
class Buy:
    """Buys a card of the market or a reserved one.

    `gold` says by colour how much is paid with gold; None leaves it to the rules: as little as
    possible. Among legal moves it is always spelled out.
    """

    card: int
    gold: Count | None = None

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "buy", "card": 17, "gold": {"red": 1}}`, without `gold` if None."""
        if self.gold is None:
            return {"kind": "buy", "card": self.card}
        return {"kind": "buy", "card": self.card, "gold": some(self.gold)}


@value
class Return:
    """Gives tokens back to the bank, down to ten."""

    tokens: Count

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "return", "tokens": {"red": 1, "gold": 1}}`."""
        return {"kind": "return", "tokens": some(self.tokens)}


@value
class ChooseNoble:
    """Chooses between several nobles that would come."""

    noble: int

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "choose_noble", "noble": 3}`."""
        return {"kind": "choose_noble", "noble": self.noble}


@value
class Pass:
    """Does nothing, where nothing else is possible."""

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "pass"}`."""
        return {"kind": "pass"}


Move = Take | Reserve | ReserveBlind | Buy | Return | ChooseNoble | Pass
