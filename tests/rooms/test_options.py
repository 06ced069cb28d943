"""Options and numbers of seats, checked against what the game offers."""

import pytest

from app.games.contract import Json, Meta, Option
from app.rooms.options import checked_options, checked_seats, options_from_text
from app.rooms.room import RoomRefused

META = Meta(
    key="game",
    title="Game",
    line="A game.",
    seats=(2, 4),
    minutes=5,
    rules_version=1,
    options=(
        Option("open", "Open hands", default=False),
        Option("rounds", "Rounds", 1, "choice", choices=((1, "One"), (3, "Three"))),
        Option("deck", "Deck", "short", "choice", choices=(("short", "Short"), ("long", "Long"))),
        Option("spare", "Spare cards", 2, "number", least=0, most=6),
    ),
)
DEFAULTS = {"open": False, "rounds": 1, "deck": "short", "spare": 2}


def test_what_is_not_given_is_the_default_or_stays() -> None:
    assert checked_options(META, {}) == DEFAULTS
    assert checked_options(META, {"open": True}) == {**DEFAULTS, "open": True}
    now = {**DEFAULTS, "deck": "long"}
    assert checked_options(META, {"spare": 6}, now) == {**now, "spare": 6}


def test_an_option_of_an_older_version_is_dropped_and_a_new_one_added() -> None:
    assert checked_options(META, {}, {"gone": 1, "rounds": 3}) == {**DEFAULTS, "rounds": 3}


WRONG: list[tuple[str, Json]] = [
    ("open", 1),
    ("open", "true"),
    ("open", None),
    ("rounds", 2),
    ("rounds", True),
    ("rounds", "1"),
    ("rounds", 1.0),
    ("rounds", [1]),
    ("rounds", {}),
    ("deck", "Short"),
    ("deck", 0),
    ("spare", -1),
    ("spare", 7),
    ("spare", True),
    ("spare", 2.0),
    ("spare", 10**100),
    ("spare", float("nan")),
    ("unknown", 1),
    ("", 1),
    ("\u0000", 1),
]


@pytest.mark.parametrize(("key", "value"), WRONG)
def test_a_wrong_option_is_refused_by_name(key: str, value: Json) -> None:
    with pytest.raises(RoomRefused) as refused:
        checked_options(META, {"spare": 3, key: value})
    assert refused.value.code == "bad_options"
    assert refused.value.facts["option"] == key


def test_a_form_gives_texts_and_leaves_out_what_is_not_ticked() -> None:
    read = options_from_text(META, {"rounds": "3", "deck": "long", "spare": "0"})
    assert read == {"open": False, "rounds": 3, "deck": "long", "spare": 0}
    assert options_from_text(META, {"open": "on"}) == {"open": True}


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("rounds", "2"),
        ("rounds", ""),
        ("rounds", "one"),
        ("spare", "two"),
        ("spare", ""),
        ("spare", "1.5"),
        ("spare", "-"),
        ("spare", "--1"),
        ("spare", "9" * 5000),
        ("spare", "\u0663"),
        ("more", "1"),
    ],
)
def test_a_wrong_field_is_refused_by_name(key: str, text: str) -> None:
    with pytest.raises(RoomRefused) as refused:
        checked_options(META, options_from_text(META, {key: text}))
    assert refused.value.facts["option"] == key


@pytest.mark.parametrize("seats", [1, 5, 0, -2, True, "2", 2.0, None, 10**30])
def test_a_number_of_seats_out_of_range_is_refused_with_the_range(seats: object) -> None:
    with pytest.raises(RoomRefused) as refused:
        checked_seats(META, seats)
    assert refused.value.code == "bad_seats"
    assert refused.value.facts == {"least": 2, "most": 4}
