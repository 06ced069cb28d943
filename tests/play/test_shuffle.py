"""The provable shuffle: recipe, word list, and the worked examples of the documentation."""

import hashlib
import hmac
import json
import re
from pathlib import Path

from app.games.chance import Chance
from app.games.contract import Json
from app.play.shuffle import (
    commitment,
    digest,
    game_seed,
    new_server_seed,
    read_hex,
    seed_text,
    word_list,
    words,
)

ROOT = Path(__file__).resolve().parent.parent.parent
PROTOCOL = ROOT / "docs" / "protocol.md"


def vectors() -> dict[str, Json]:
    """Returns the worked example: the one JSON block marked as such in docs/protocol.md."""
    found = re.search(r"```json shuffle-vectors\n(.*?)```", PROTOCOL.read_text("utf-8"), re.S)
    assert found is not None
    read: dict[str, Json] = json.loads(found[1])
    return read


def test_the_worked_example_of_the_documentation_holds() -> None:
    example = vectors()
    server_seed = bytes.fromhex(example["server_seed"])
    assert commitment(server_seed) == example["commitment"]
    assert list(words(example["commitment"])) == example["words"]
    hashes = [None if r is None else digest(bytes.fromhex(r)).hex() for r in example["r"]]
    assert hashes == example["hashes"]
    ingredients = {key: example[key] for key in ("room", "game", "rules_version", "options", "r")}
    assert seed_text(**ingredients) == example["text"]
    assert game_seed(server_seed, **ingredients).hex() == example["game_seed"]


def test_the_draws_of_the_documentation_hold() -> None:
    example = vectors()
    seed = bytes.fromhex(example["game_seed"])
    for case in example["chance"]:
        chance = Chance(seed, case["k"])
        for draw in case["draws"]:
            if "below" in draw:
                got: Json = chance.below(draw["below"])
            elif "shuffled" in draw:
                got = list(chance.shuffled(draw["shuffled"]))
            else:
                got = list(chance.sample(draw["of"], draw["sample"]))
            assert got == draw["gives"]


def test_the_recipe_needs_nothing_of_the_house() -> None:
    """Written out by hand, as another program would."""
    server_seed, r = bytes(range(32)), "ab" * 32
    text = (
        '{"game":"g","options":{"a":1,"b":"\\u00e4"},"r":["' + r + '",null],'
        '"room":"bado-keli-mofu-tasi","rules_version":3}'
    )
    assert (
        game_seed(
            server_seed,
            room="bado-keli-mofu-tasi",
            game="g",
            rules_version=3,
            options={"b": "ä", "a": 1},
            r=[r, None],
        )
        == hmac.new(server_seed, text.encode(), hashlib.sha256).digest()
    )


def test_the_game_seed_depends_on_everything() -> None:
    base: dict[str, Json] = {
        "room": "bado-keli-mofu-tasi",
        "game": "lost_cities",
        "rules_version": 1,
        "options": {"colours": 5},
        "r": ["00" * 32, None],
    }
    others: list[dict[str, Json]] = [
        {"room": "bado-keli-mofu-taso"},
        {"game": "splendor"},
        {"rules_version": 2},
        {"options": {"colours": 6}},
        {"r": [None, None]},
        {"r": [None, "00" * 32]},
        {"r": ["00" * 31 + "01", None]},
    ]
    seeds = {game_seed(bytes(32), **base), game_seed(bytes(31) + b"\1", **base)}
    seeds |= {game_seed(bytes(32), **{**base, **other}) for other in others}
    assert len(seeds) == len(others) + 2


def test_a_thousand_rooms_have_a_thousand_secrets() -> None:
    seeds = {new_server_seed() for _ in range(1000)}
    assert len(seeds) == 1000
    assert {len(seed) for seed in seeds} == {32}


def test_the_word_list_has_one_clear_word_for_each_byte() -> None:
    listed = word_list()
    assert len(set(listed)) == 256
    assert list(listed) == sorted(listed)
    assert all(re.fullmatch("[a-z]{3,10}", word) for word in listed)
    # No word begins like another whole word: said aloud it cannot be cut short into it.
    assert not [(a, b) for a in listed for b in listed if a != b and b.startswith(a)]


def test_words_are_the_first_four_bytes() -> None:
    assert words("00ff01fe" + "77" * 28) == tuple(word_list()[at] for at in (0, 255, 1, 254))


def test_only_64_lower_case_hexadecimal_digits_are_32_bytes() -> None:
    assert read_hex("0a" * 32) == b"\n" * 32
    wrong: list[object] = ["", "0A" * 32, "0a" * 31, "0a" * 33, "0g" * 32, "0a" * 32 + "\n"]
    wrong += ["\u0660a" * 32, " " + "0a" * 32, None, 5, ["0a" * 32], b"0a" * 32]
    assert [read_hex(text) for text in wrong] == [None] * len(wrong)
