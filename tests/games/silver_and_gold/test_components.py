"""The maps and expeditions are those of the box."""

from __future__ import annotations

from collections import Counter

from app.games.silver_and_gold.maps import COLOURS, EXPEDITIONS, MAPS, cells_of, mask_of
from tests.games.silver_and_gold.positions import GAME, squares

POINTS = {"purple": 14, "orange": 12, "green": 10, "grey": 8}
FORMS = {
    "domino": 2,
    "line3_a": 2,
    "line3_b": 2,
    "corner3_a": 4,
    "corner3_b": 4,
    "tee4": 4,
    "ell4": 8,
    "square4": 1,
}


def test_there_are_47_maps_of_four_colours() -> None:
    assert list(MAPS) == list(range(1, 48))
    colours = Counter(it.colour for it in MAPS.values())
    assert colours == {"purple": 12, "orange": 12, "green": 12, "grey": 11}


def test_a_map_is_worth_its_number_of_squares() -> None:
    for number, it in MAPS.items():
        assert it.points == POINTS[it.colour] == len(squares(number))
        assert it.points == it.squares.bit_count()


def test_masks_of_symbols_are_what_the_grid_shows() -> None:
    for number, it in MAPS.items():
        assert list(cells_of(it.crosses)) == squares(number, "x")
        assert list(cells_of(it.coins)) == squares(number, "c")
        assert list(cells_of(it.palms)) == squares(number, "p")
        assert {len(row) for row in it.rows} == {len(it.rows[0])}
        assert len(it.rows) <= 4 >= len(it.rows[0])


def test_twelve_maps_have_a_seal() -> None:
    seals = {number: it.seal for number, it in MAPS.items() if it.seal is not None}
    assert len(seals) == 12
    assert all(seal.colour in COLOURS and seal.points in {1, 2} for seal in seals.values())
    assert all(seal.colour != MAPS[number].colour for number, seal in seals.items())


def test_cells_and_masks_are_the_same() -> None:
    for cells in (((0, 0),), ((0, 3), (1, 0), (3, 3)), ()):
        assert cells_of(mask_of(cells)) == cells


def test_components_have_grids_seals_and_forms() -> None:
    printed = GAME.components()
    assert printed["colours"] == ["grey", "green", "orange", "purple"]
    assert len(printed["maps"]) == 47
    assert printed["maps"]["1"] == {
        "colour": "purple",
        "points": 14,
        "seal": {"colour": "orange", "points": 2},
        "rows": ["xooo", ".oo.", "xoox", "oooo"],
    }
    assert printed["maps"]["47"]["seal"] is None
    assert tuple(printed["expeditions"]) == EXPEDITIONS
    for name, it in printed["expeditions"].items():
        forms = it["orientations"]
        assert len(forms) == FORMS[name]
        assert it["cells"] in forms
        assert all(form == sorted(form) and len(form) == len(it["cells"]) for form in forms)
