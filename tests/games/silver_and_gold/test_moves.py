"""Moves on the wire and in forms."""

from __future__ import annotations

import pytest

from app.games.contract import Json, Malformed
from app.games.silver_and_gold.moves import Extra, Keep, Mark, TakeMap
from tests.games.silver_and_gold.positions import GAME

WIRES: list[tuple[object, dict[str, Json]]] = [
    (Keep((12, 40)), {"kind": "keep", "maps": [12, 40]}),
    (Mark(12, ((0, 0), (1, 0))), {"kind": "mark", "map": 12, "cells": [[0, 0], [1, 0]]}),
    (Mark(12, ((2, 3),)), {"kind": "mark", "map": 12, "cells": [[2, 3]]}),
    (Extra(40, (2, 0)), {"kind": "extra", "map": 40, "cell": [2, 0]}),
    (TakeMap(33), {"kind": "take_map", "map": 33}),
    (TakeMap(None), {"kind": "take_map", "map": "deck"}),
]


@pytest.mark.parametrize(("move", "wire"), WIRES)
def test_each_move_has_one_spelling(move: object, wire: dict[str, Json]) -> None:
    parsed = GAME.parse(wire)
    assert parsed == move
    assert parsed.wire() == wire


def test_lists_are_sets() -> None:
    assert GAME.parse({"kind": "keep", "maps": [40, 12]}) == Keep((12, 40))
    cells = [[1, 1], [0, 1], [1, 0]]
    wire = {"kind": "mark", "map": 3, "cells": cells}
    assert GAME.parse(wire).wire()["cells"] == [[0, 1], [1, 0], [1, 1]]


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "keep",
        {},
        {"kind": []},
        {"kind": "pass"},
        {"kind": "keep"},
        {"kind": "keep", "maps": 12},
        {"kind": "keep", "maps": [12, 12]},
        {"kind": "keep", "maps": [0, 12]},
        {"kind": "keep", "maps": [12, 48]},
        {"kind": "keep", "maps": [True, 12]},
        {"kind": "keep", "maps": ["12", 13]},
        {"kind": "keep", "maps": [[], 13]},
        {"kind": "keep", "maps": [1, 2, 3, 4, 5]},
        {"kind": "keep", "maps": [1, 2], "more": 0},
        {"kind": "mark", "map": 12},
        {"kind": "mark", "map": "12", "cells": [[0, 0]]},
        {"kind": "mark", "map": 12, "cells": [[0, 0], [0, 0]]},
        {"kind": "mark", "map": 12, "cells": [[0, -1]]},
        {"kind": "mark", "map": 12, "cells": [[0, 10]]},
        {"kind": "mark", "map": 12, "cells": [[0, 0, 0]]},
        {"kind": "mark", "map": 12, "cells": [[0, 0.0]]},
        {"kind": "mark", "map": 12, "cells": [[False, 0]]},
        {"kind": "mark", "map": 12, "cells": [0, 1]},
        {"kind": "mark", "map": 12, "cells": {"0": 1}},
        {"kind": "mark", "map": 12, "cells": [[n // 9, n % 9] for n in range(17)]},
        {"kind": "mark", "map": 12, "cells": [[0, 0]], "cell": [0, 0]},
        {"kind": "extra", "map": 12, "cell": [[0, 0]]},
        {"kind": "extra", "map": 12, "cells": [0, 0]},
        {"kind": "extra", "map": 12},
        {"kind": "take_map", "map": None},
        {"kind": "take_map", "map": "top"},
        {"kind": "take_map", "map": 0},
        {"kind": "take_map", "map": []},
        {"kind": "take_map", "map": 33, "place": 0},
    ],
)
def test_what_is_no_move_is_malformed(data: Json) -> None:
    with pytest.raises(Malformed):
        GAME.parse(data)


@pytest.mark.parametrize(
    ("fields", "wire"),
    [
        ([("kind", "keep"), ("maps", "12"), ("maps", "40")], WIRES[0][1]),
        ([("maps", "12 40"), ("kind", "keep")], WIRES[0][1]),
        ([("kind", "keep")], {"kind": "keep", "maps": []}),
        ([("kind", "mark"), ("place", "12 00 10")], WIRES[1][1]),
        ([("kind", "mark"), ("place", " 12  23 ")], WIRES[2][1]),
        ([("kind", "mark"), ("place", "12")], {"kind": "mark", "map": 12, "cells": []}),
        ([("kind", "extra"), ("place", "40 20")], WIRES[3][1]),
        ([("kind", "take_map"), ("map", "33")], WIRES[4][1]),
        ([("kind", "take_map"), ("map", "deck")], WIRES[5][1]),
    ],
)
def test_forms(fields: list[tuple[str, str]], wire: Json) -> None:
    assert GAME.from_form(fields) == wire
    GAME.parse(wire)


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [("kind", "keep"), ("maps", "x")],
        [("kind", "keep"), ("maps", "1"), ("place", "1")],
        [("kind", "keep"), ("kind", "keep")],
        [("kind", "keep"), ("maps", "123")],
        [("maps", "1"), ("maps", "2")],
        [("kind", "mark")],
        [("kind", "mark"), ("map", "12")],
        [("kind", "mark"), ("place", "")],
        [("kind", "mark"), ("place", "12 0")],
        [("kind", "mark"), ("place", "12 001")],
        [("kind", "mark"), ("place", "12 0x")],
        [("kind", "mark"), ("place", "12 00"), ("place", "12 01")],
        [("kind", "mark"), ("kind", "mark"), ("place", "12 00")],
        [("kind", "extra"), ("place", "40")],
        [("kind", "extra"), ("place", "40 20 21")],
        [("kind", "take_map"), ("map", "")],
        [("kind", "take_map"), ("map", "top")],
        [("kind", "take_map"), ("place", "33")],
        [("kind", "pass"), ("place", "33")],
        [("kind", "mark"), ("place", "\uff11\uff12 00")],
    ],
)
def test_other_forms_are_malformed(fields: list[tuple[str, str]]) -> None:
    with pytest.raises(Malformed):
        GAME.parse(GAME.from_form(fields))
