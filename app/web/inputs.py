"""What a region's template reads, found in its text before anything is drawn.

A region is a function of what it reads: of the names of `sight`, and of nothing else that ever
changes. So its HTML may be kept for as long as all that it reads stays the same. No author lists
what that is: `Inputs` takes it from the template, as the largest expressions that can be worked out
without drawing (`view.bank`, `names[item]`, `item in scene.actors`). A template in which something
cannot be followed has no `Inputs`, and its region is drawn anew every time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import CodeType
from typing import NamedTuple

import orjson
from jinja2 import ChainableUndefined, Environment, Template, TemplateError, Undefined, nodes

from app.games.contract import Meta
from app.realtime.scene import LogLine
from app.rooms.room import Room, Seated
from app.web.compiled import Context, Reading
from app.web.helpers import SIGHT, Preview, Question, Teller

_ALIKE = frozenset({"caller", "kwargs", "loop", "varargs"})
"""Names that Jinja gives to loops and macros."""
_CHANGING = frozenset({"new_key"})
"""Helpers that answer differently each time."""
_EXPRESSIONS = (
    *(nodes.Const, nodes.TemplateData, nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Tuple),
    *(nodes.List, nodes.Dict, nodes.Pair, nodes.Keyword, nodes.Compare, nodes.Operand),
    *(nodes.UnaryExpr, nodes.BinExpr, nodes.CondExpr, nodes.Concat),
)
_FILTERS = frozenset({"int", "length", "string"})
_TESTS = frozenset({"defined", "none"})
_FUNCTIONS = frozenset({"marks", "my_last", "preview_of", "recent", "told"})
"""Names of `sight` that may be called to learn what is read. They answer with data or text."""
_DATACLASSES = (LogLine, Question, Room, Seated)


class Found(NamedTuple):
    """What was found in the texts of a template and of all that it includes."""

    texts: Mapping[str, str]
    names: frozenset[str]
    code: CodeType


class Inputs:
    """Everything that a region's HTML depends on."""

    def __init__(self, environment: Environment, found: Found) -> None:
        """Takes what was found, in an environment of the same names."""
        self.names = found.names
        """The given names that are read; of the scene its fields, as `scene.online`."""
        template = Template.from_code(_reading(environment), found.code, {})
        self._answers = template.root_render_func

    def read(self, context: Context) -> bytes | None:
        """Returns all inputs as one text, or None where one cannot be worked out or written.

        Equal texts mean equal HTML.
        """
        try:
            answer: object = next(iter(self._answers(context)))
            return orjson.dumps(answer, _plain, _WRITTEN)
        except (TemplateError, TypeError, ValueError, LookupError, AttributeError):
            return None


class Unclear(Exception):
    """A template in which it cannot be told what it reads."""


def inputs_of(environment: Environment, name: str, *more: str) -> Inputs | None:
    """Returns the inputs of a template by its name, None where they cannot be told.

    `more` are names that the template is given beside those of `SIGHT`. What was found once in
    this process is not looked for again: it is the same in all languages.
    """
    key = name, more, frozenset(environment.globals)
    found = _FOUND.get(key)
    if found is None or any(_text(environment, path) != text for path, text in found.texts.items()):
        try:
            found = _FOUND[key] = _find(environment, name, SIGHT | {*more})
        except Unclear:
            return None
    return Inputs(environment, found)


_FOUND: dict[tuple[str, tuple[str, ...], frozenset[str]], Found] = {}


def _find(environment: Environment, name: str, given: frozenset[str]) -> Found:
    texts: dict[str, str] = {}
    trees = list(_parsed(environment, name, texts))
    read = _Reader(environment, trees, given)
    overlay = _reading(environment)
    tree = nodes.Template([*read.aliases, nodes.Output([nodes.List(read.answers())])])
    tree.set_environment(overlay)
    return Found(texts, frozenset(_named(trees, given)), overlay.compile(tree))


def _reading(environment: Environment) -> Environment:
    """Returns the environment in which inputs are worked out: what is not there is no error."""
    overlay = environment.overlay(undefined=ChainableUndefined)
    overlay.code_generator_class = Reading
    return overlay


def _text(environment: Environment, name: str) -> str:
    if environment.loader is None:
        raise Unclear("no templates")
    return environment.loader.get_source(environment, name)[0]


def _parsed(environment: Environment, name: str, texts: dict[str, str]) -> Iterator[nodes.Template]:
    """Yields the tree of a template and of all templates that it includes; notes their texts."""
    texts[name] = _text(environment, name)
    tree = environment.parse(texts[name], name)
    yield tree
    for include in tree.find_all(nodes.Include):
        if not isinstance(include.template, nodes.Const) or not include.with_context:
            raise Unclear("an include that is not named, or without context")
        yield from _parsed(environment, include.template.value, texts)


class _Reader:
    """Collects the largest expressions over given names in some trees."""

    def __init__(
        self, environment: Environment, trees: list[nodes.Template], given: frozenset[str]
    ) -> None:
        self._found: list[tuple[nodes.Expr | None, list[nodes.Expr]]] = []
        self.aliases: list[nodes.Assign] = []
        names = [name for tree in trees for name in tree.find_all(nodes.Name)]
        stored = [name.name for name in names if name.ctx != "load"]
        stored += [name for tree in trees for name in _defined(tree)]
        loaded = {name.name for name in names if name.ctx == "load"}
        known = {*stored, *given, *_ALIKE, *environment.globals}
        if loaded - known or loaded & _CHANGING or given & set(stored):
            raise Unclear("a name that nobody gives, that changes, or that is given twice")
        for tree in trees:
            _check(tree)
        self._clear = set(given)
        for statement in (statement for tree in trees for statement in tree.body):
            if isinstance(statement, nodes.Assign) and isinstance(statement.target, nodes.Name):
                self._name(statement, stored)
        for tree in trees:
            self._visit(tree, None)

    def answers(self) -> list[nodes.Expr]:
        """Returns what is to be worked out: `[a, b]`, or `[a, b] if condition else none`."""
        groups = [(when, nodes.List(found)) for when, found in self._found]
        return [
            group if when is None else nodes.CondExpr(when, group, nodes.Const(None))
            for when, group in groups
        ]

    def _name(self, assign: nodes.Assign, stored: list[str]) -> None:
        """Keeps `{% set player = view.players[item] %}`: a short name, not a thing to fill."""
        assert isinstance(assign.target, nodes.Name)
        name = assign.target.name
        fresh = next(assign.node.find_all((nodes.List, nodes.Dict)), None)
        literal = isinstance(assign.node, nodes.List | nodes.Dict) or fresh is not None
        if stored.count(name) == 1 and not literal and self._is_clear(assign.node):
            self._clear.add(name)
            self.aliases.append(assign)

    def _visit(self, node: nodes.Node, when: nodes.Expr | None) -> None:
        """Looks for what a part of the template reads; `when` is the condition to come there."""
        if node in self.aliases:
            return
        if isinstance(node, nodes.If | nodes.CondExpr) and self._is_clear(node.test):
            # A question of yes or no, which more answers have in common.
            assert isinstance(node.test, nodes.Expr)
            self._read(nodes.Not(node.test), when)
            yes, no = _and(when, node.test), _and(when, nodes.Not(node.test))
            for field, condition in (("body", yes), ("expr1", yes), ("expr2", no), ("else_", no)):
                for child in _children(node, field):
                    self._visit(child, condition)
            for child in _children(node, "elif_"):
                self._visit(child, no)
        elif isinstance(node, nodes.Expr) and self._is_clear(node):
            self._read(node, when)
        elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
            # `view.bank.items()` reads `view.bank`.
            self._visit(node.node.node, when)
            for child in node.iter_child_nodes(exclude=("node",)):
                self._visit(child, when)
        else:
            for child in node.iter_child_nodes():
                self._visit(child, when)

    def _read(self, node: nodes.Expr, when: nodes.Expr | None) -> None:
        if next(_with_itself(node, nodes.Name), None) is None:
            return
        for condition, found in self._found:
            if condition in (None, when) and node in found:
                return
            if condition == when:
                found.append(node)
                return
        self._found.append((when, [node]))

    def _is_clear(self, node: nodes.Node) -> bool:
        """Tells whether an expression can be worked out from given names alone."""
        if isinstance(node, nodes.Name):
            return node.ctx == "load" and node.name in self._clear
        if isinstance(node, nodes.Filter):
            allowed = node.name in _FILTERS
        elif isinstance(node, nodes.Test):
            allowed = node.name in _TESTS
        elif isinstance(node, nodes.Call):
            callee = node.node
            allowed = isinstance(callee, nodes.Name) and callee.name in _FUNCTIONS
            allowed = allowed or (isinstance(callee, nodes.Getattr) and _answers(callee))
        else:
            allowed = isinstance(node, _EXPRESSIONS)
        return allowed and all(map(self._is_clear, node.iter_child_nodes()))


def _answers(method: nodes.Getattr) -> bool:
    """Tells whether a method answers with plain data or text: `get` of a dict, `told.items`."""
    told = isinstance(method.node, nodes.Name) and method.node.name == "told"
    return method.attr == "get" or (told and method.attr == "items")


def _and(first: nodes.Expr | None, second: nodes.Expr) -> nodes.Expr:
    return second if first is None else nodes.And(first, second)


def _children(node: nodes.Node, field: str) -> list[nodes.Node]:
    """Returns the nodes in one field of a node, none where it has no such field."""
    found = getattr(node, field, None)
    return found if isinstance(found, list) else [] if found is None else [found]


def _check(tree: nodes.Template) -> None:
    for node in tree.find_all((nodes.Import, nodes.FromImport)):
        if isinstance(node, nodes.Import | nodes.FromImport) and node.with_context:
            raise Unclear("macros that may read anything")
    if tree.find(nodes.Extends) or any(
        each.name == "random" for each in tree.find_all(nodes.Filter)
    ):
        raise Unclear("a part of another template, or chance")


def _defined(tree: nodes.Template) -> Iterator[str]:
    """Yields the names of macros, imported ones among them, and of imported files."""
    for node in tree.find_all((nodes.Macro, nodes.Import, nodes.FromImport)):
        if isinstance(node, nodes.Macro):
            yield node.name
        elif isinstance(node, nodes.Import):
            yield node.target
        elif isinstance(node, nodes.FromImport):
            yield from (name if isinstance(name, str) else name[1] for name in node.names)


def _named(trees: list[nodes.Template], given: frozenset[str]) -> Iterator[str]:
    fields = 0
    for tree in trees:
        for field in tree.find_all(nodes.Getattr):
            if isinstance(field.node, nodes.Name) and field.node.name == "scene":
                fields += 1
                yield f"scene.{field.attr}"
    names = [name.name for tree in trees for name in tree.find_all(nodes.Name)]
    yield from given.intersection(names) - {"scene"}
    if names.count("scene") != fields:
        yield "scene"


def _with_itself(node: nodes.Node, kind: type[nodes.Name]) -> Iterator[nodes.Name]:
    if isinstance(node, kind):
        yield node
    yield from node.find_all(kind)


_WRITTEN = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_NON_STR_KEYS


def _plain(value: object) -> object:
    """Writes what is no JSON data. Moves are none: different ones may look alike."""
    if isinstance(value, _DATACLASSES):
        return [getattr(value, name) for name in value.__slots__]
    if isinstance(value, Undefined):
        return {"undefined": True}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Meta):
        return value.key
    if isinstance(value, Teller):
        return value.reader
    if isinstance(value, Preview):
        return value.game.meta.key
    raise TypeError(type(value).__name__)
