"""The rules: hide, bid, then raid each other until somebody is rich or ruined or time is up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import (
    Event,
    Game,
    IllegalMove,
    Json,
    Meta,
    Outcome,
    Prompt,
    Step,
    UnknownRules,
)
from tests.tiny.torture import moves
from tests.tiny.torture import state as states
from tests.tiny.torture import view as views
from tests.tiny.torture.meta import META
from tests.tiny.torture.moves import Bid, Hide, Move, Peek, Raid, Respond, Shift
from tests.tiny.torture.state import BIDS, BOXES, EVERYBODY, NUGGETS, State

DIE = 6
HIT = {1: 3, 2: 4}
"""The least throw with which an unanswered raid takes the box, by version of the rules.

Version 2 also tells whoever hides, and nobody else, what is in the boxes.
"""


class Strongbox(Game[State, Move]):
    """The game, as the contract asks for it."""

    meta: Meta = META

    def setup(self, seats: int, options: Mapping[str, Json], chance: Chance) -> Step[State]:
        """Deals by the newest rules."""
        return self.setup_by(self.meta.rules_version, seats, options, chance)

    def setup_by(
        self, version: int, seats: int, options: Mapping[str, Json], chance: Chance
    ) -> Step[State]:
        """Gives each seat one token of as many shields and blanks as there are seats."""
        if version not in HIT:
            raise UnknownRules(self.meta.key, version)
        tokens = chance.shuffled(["blank"] * seats + ["shield"] * seats)
        state = State(
            rules=version,
            rounds=options["rounds"],
            boxes=(None,) * seats,
            bids=(None,) * seats,
            tokens=tokens[:seats],
            rest=tokens[seats:],
            loot=(0,) * seats,
            left=options["rounds"] * seats,
        )
        secrets = {seat: {"token": tokens[seat]} for seat in range(seats)}
        return Step(state, (Event("dealt", secrets=secrets),))

    def actors(self, state: State) -> tuple[int, ...]:
        """All who have not hidden, then all who have not bid, then one after the other."""
        match state.stage:
            case "hide":
                return tuple(seat for seat, boxes in enumerate(state.boxes) if boxes is None)
            case "bid":
                return tuple(seat for seat, bid in enumerate(state.bids) if bid is None)
            case "act":
                return (state.turn,)
            case "answer" if state.attack is not None:
                return (state.attack[1],)
        return ()

    def prompt(self, state: State, seat: int) -> Prompt[Move] | None:
        """Lists what `apply` accepts; only hiding is open."""
        if seat not in self.actors(state):
            return None
        match state.stage:
            case "hide":
                return Prompt("hide", tuple(Hide(boxes) for boxes in views.examples()), open=True)
            case "bid":
                return Prompt("bid", tuple(Bid(bid) for bid in range(BIDS)))
            case "act":
                return Prompt("act", (*_shifts(state, seat), *_aimed(state, seat)))
        shields = (False, True) if state.tokens[seat] == "shield" else (False,)
        return Prompt("answer", tuple(Respond(shield) for shield in shields))

    def apply(self, state: State, seat: int, move: Move, chance: Chance) -> Step[State]:
        """Plays one move."""
        if seat not in self.actors(state):
            raise IllegalMove("not_your_turn")
        match state.stage, move:
            case "hide", Hide(boxes):
                if min(boxes) < 0 or sum(boxes) != NUGGETS:
                    raise IllegalMove("wrong_sum", expected=NUGGETS, got=sum(boxes))
                return _hide(state, seat, boxes)
            case "bid", Bid(bid) if 0 <= bid < BIDS:
                return _bid(replace(state, bids=_put(state.bids, seat, bid)), seat, chance)
            case "act", Shift() if move in _shifts(state, seat):
                return _shift(state, seat, move)
            case "act", Peek() | Raid() if move in _aimed(state, seat):
                return _peek(state, seat, move) if isinstance(move, Peek) else _raid(state, move)
            case "answer", Respond(shield):
                if shield and state.tokens[seat] != "shield":
                    raise IllegalMove("no_shield")
                return _respond(state, shield, chance)
        raise IllegalMove("not_now", stage=state.stage)

    def outcome(self, state: State) -> Outcome | None:
        """Most nuggets wins; on a tie whoever still has a token that was never shown."""
        if state.stage != "over":
            return None
        unused = [token != "used" for token in state.tokens]
        totals = tuple(state.wealth(seat) for seat in range(state.seats))
        keys = list(zip(totals, unused, strict=True))
        best = max(totals)
        decided = totals.count(best) > 1 and keys.count(max(keys)) < totals.count(best)
        return Outcome(
            ranking=tuple(sorted(keys, reverse=True).index(key) + 1 for key in keys),
            totals=totals,
            scores=tuple(
                {"boxes": total - loot, "loot": loot}
                for total, loot in zip(totals, state.loot, strict=True)
            ),
            reason=state.reason or "",
            tie_break="token" if decided else None,
        )

    parse = staticmethod(moves.parse)
    from_form = staticmethod(moves.from_form)
    view = staticmethod(views.view)
    guess = staticmethod(views.guess)
    dump = staticmethod(states.dump)
    load = staticmethod(states.load)


def _put(items: tuple[Json, ...], at: int, item: Json) -> tuple[Json, ...]:
    return (*items[:at], item, *items[at + 1 :])


def _hide(state: State, seat: int, boxes: tuple[int, ...]) -> Step[State]:
    told = Event("hid", {"seat": seat})
    if state.rules > 1:
        facts = {"seat": seat, "boxes": list(boxes)}
        told = Event("hid", facts, fleeting=True, to=(seat,))
    return Step(replace(state, boxes=_put(state.boxes, seat, boxes)), (told,))


def _shifts(state: State, seat: int) -> tuple[Shift, ...]:
    boxes = state.boxes[seat]
    if state.shifted or boxes is None:
        return ()
    pairs = [(a, b) for a in range(BOXES) for b in range(BOXES) if a != b]
    return tuple(Shift(source, target) for source, target in pairs if boxes[source] > 0)


def _aimed(state: State, seat: int) -> tuple[Move, ...]:
    others = [(other, box) for other in range(state.seats) for box in range(BOXES) if other != seat]
    return (*(Peek(*at) for at in others), *(Raid(*at) for at in others))


def _bid(state: State, seat: int, chance: Chance) -> Step[State]:
    told = Event("bid", {"seat": seat})
    bids = [bid for bid in state.bids if bid is not None]
    if len(bids) < state.seats:
        return Step(state, (told,))
    first = chance.pick([at for at, bid in enumerate(bids) if bid == max(bids)])
    return Step(replace(state, turn=first), (told, Event("began", {"bids": bids, "seat": first})))


def _shift(state: State, seat: int, move: Shift) -> Step[State]:
    boxes = list(state.boxes[seat] or ())
    boxes[move.source] -= 1
    boxes[move.target] += 1
    # The others no longer know what is in the two boxes, and may not learn it from the sum.
    known = frozenset(entry for entry in state.known if entry[1] != seat)
    after = replace(state, boxes=_put(state.boxes, seat, tuple(boxes)), known=known, shifted=True)
    return Step(after, (Event("shifted", {"seat": seat}),))


def _ended(state: State) -> State:
    turn = (state.turn + 1) % state.seats
    return replace(state, left=state.left - 1, turn=turn, attack=None, shifted=False)


def _peek(state: State, seat: int, move: Peek) -> Step[State]:
    found = (state.boxes[move.seat] or ())[move.box]
    known = state.known | {(seat, move.seat, move.box)}
    facts = {"seat": seat, "target": move.seat, "box": move.box}
    event = Event("peeked", facts, {seat: {"found": found}})
    return Step(_ended(replace(state, known=known)), (event,))


def _raid(state: State, move: Raid) -> Step[State]:
    facts = {"seat": state.turn, "target": move.seat, "box": move.box}
    after = replace(state, attack=(state.turn, move.seat, move.box))
    return Step(after, (Event("raided", facts),), barrier=True)


def _respond(state: State, shield: bool, chance: Chance) -> Step[State]:
    attacker, target, box = state.attack or (0, 0, 0)
    if shield:
        tokens = _put(state.tokens, target, "used")
        stopped = Event("stopped", {"seat": target})
        # A token turned up for everybody cannot be turned down again.
        return Step(_ended(replace(state, tokens=tokens)), (stopped,), barrier=True)
    thrown = chance.below(DIE) + 1
    die = Event("thrown", {"seat": attacker, "die": thrown}, fleeting=True)
    if thrown < HIT[state.rules]:
        return Step(_ended(state), (die, Event("missed", {"seat": attacker})))
    boxes = state.boxes[target] or ()
    after = replace(
        state,
        boxes=_put(state.boxes, target, _put(boxes, box, 0)),
        loot=_put(state.loot, attacker, state.loot[attacker] + boxes[box]),
        known=state.known | {(EVERYBODY, target, box)},
    )
    return Step(_ended(after), (die, Event("took", {"seat": attacker, "nuggets": boxes[box]})))
