"""Templates compiled to what they mean, without Jinja's detours for what ours never do.

Views and events are nearly all that templates ask: plain dicts, lists and text. Jinja has to be
ready for more with each look and each call, and that took most of the time of a page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from keyword import iskeyword
from types import BuiltinFunctionType, CodeType, MethodType
from typing import Any

import jinja2
import jinja2.runtime
from jinja2 import nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.filters import do_join
from jinja2.nodes import EvalContext
from jinja2.utils import missing
from markupsafe import Markup, escape

_DATA_METHODS = frozenset(
    (
        *("append", "count", "extend", "get", "index", "items", "join", "keys", "setdefault"),
        *("split", "update", "values"),
    )
)
_HELPERS = frozenset({"marks", "my_last", "once", "preview_of", "recent", "told"})
"""What templates are given to call that wants nothing of Jinja."""
_SENTENCES = frozenset({"_", "gettext", "ngettext"})
_METHODS = frozenset(dir(dict))
_PLAIN = frozenset({BuiltinFunctionType, MethodType, type})
_TEXT = frozenset({str})
_RECORDS = frozenset({"room", "scene"})
"""Names of what has attributes alone; in tests it may be a dict."""


class Names(dict[str, Any]):
    """Everything that templates are given, the globals among it."""

    def __missing__(self, name: str) -> Any:
        """Answers as Jinja expects it for a name that is not there."""
        return missing


def safe(html: str) -> Markup:
    """Returns HTML of our own as such, in a third of the time that `Markup` takes."""
    return str.__new__(Markup, html)


class Macro(jinja2.runtime.Macro):
    """A macro that is drawn at once where it gets what it asks for, in order."""

    def draw(self, autoescape: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """Returns what the macro draws for a template that escapes, or does not."""
        called = {"caller"} if self.caller and not self.explicit_caller else set()
        if (
            not autoescape
            or len(args) != self._argument_count
            or self.catch_kwargs
            or self.catch_varargs
            or kwargs.keys() != called
        ):
            escaping = EvalContext(self._environment)
            escaping.autoescape = autoescape
            return self(escaping, *args, **kwargs)
        return safe(self._func(*args, *kwargs.values()))


class Context(jinja2.runtime.Context):
    """A context that calls plain functions and macros as they are.

    Jinja looks at everything that is called for a wish to be handed the context, several times:
    that took a tenth of the time of a page. What Python and we define has no such wish.
    """

    @classmethod
    def of(cls, environment: jinja2.Environment, names: Names) -> Context:
        """Returns a context of `names` alone, for any number of templates one after the other.

        Whoever changes `names` in place is understood.
        """
        context = cls(environment, {}, None, {})
        context.parent = names
        return context

    def resolver(self) -> Callable[[str], Any]:
        """Returns what looks names up for a template."""
        if type(self.parent) is Names and not self.vars:
            return self.parent.__getitem__
        return self.resolve_or_missing

    def draw(self, template: jinja2.Template) -> str:
        """Draws a template.

        `Template.new_context` would compare all globals again at every import of macros: that took
        a sixth of the time of a page.
        """
        self.vars = {}
        self.exported_vars = set()
        self.blocks = {name: [block] for name, block in template.blocks.items()}
        html = "".join(template.root_render_func(self))
        # Macros of the template know their context, and are known to it.
        self.vars = {}
        return html

    def call(self, called: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Calls what a template calls."""
        kind = type(called)
        if kind is Macro:
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            return called.draw(self.eval_ctx.autoescape, args, kwargs)
        if kind in _PLAIN and not hasattr(called, "jinja_pass_arg"):
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            return called(*args, **kwargs)
        return super().call(called, *args, **kwargs)


@lru_cache(maxsize=1 << 13)
def _escaped(text: str) -> str:
    return str.__str__(escape(text))


def shown(value: object) -> str:
    """Returns how a value stands in a page, as `markupsafe.escape` writes it."""
    if type(value) is Markup:
        return value
    if type(value) is str:
        return _escaped(value)
    return str(value) if type(value) is int else escape(value)


class Code(CodeGenerator):
    """Compiled templates that look into dicts and call plain functions without detours.

    Jinja first tries the attribute of that name, and a failed try costs as much as ten lookups.
    Methods still come before keys.
    """

    def write_commons(self) -> None:
        """Writes the names that all functions use."""
        super().write_commons()
        self.writeline("resolve = context.resolver()")
        self.writeline("shown = environment.shown")

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        """Writes a macro as one of ours."""
        self.write("environment.")
        super().macro_def(macro_ref, frame)

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 Jinja's name
        """Writes `object.attribute`."""
        it, key = self.temporary_identifier(), repr(node.attr)
        if node.attr in _METHODS:
            self.write(f"({it}.{node.attr} if type({it} := ")
            self.visit(node.node, frame)
            self.write(f") is dict else environment.getattr({it}, {key}))")
            return
        if isinstance(node.node, nodes.Name) and node.node.name in _RECORDS:
            self.write(f"({it}.{node.attr} if type({it} := ")
            self.visit(node.node, frame)
            self.write(f") is not dict else {it}[{key}])")
            return
        self.write(f"({it}[{key}] if type({it} := ")
        self.visit(node.node, frame)
        self.write(f") is dict and {key} in {it} else environment.getattr({it}, {key}))")

    def visit_Test(self, node: nodes.Test, frame: Frame) -> None:  # noqa: N802 Jinja's name
        """Writes a test: whether something is none is asked of Python."""
        if node.name != "none":
            super().visit_Test(node, frame)
            return
        self.write("(")
        self.visit(node.node, frame)
        self.write(" is None)")

    def visit_Call(  # noqa: N802 Jinja's name
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        """Writes a call, of a helper or a method of data as Python does it."""
        called = node.node
        if isinstance(called, nodes.Name) and called.name in _SENTENCES:
            self._visit_sentence(called, node, frame)
            return
        plain = isinstance(called, nodes.Name) and called.name in _HELPERS
        plain = plain or (isinstance(called, nodes.Getattr) and called.attr in _DATA_METHODS)
        if not plain or forward_caller or node.dyn_args or node.dyn_kwargs:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(called, frame)
        self.write("(")
        self._visit_arguments(node, frame)

    def _visit_sentence(self, called: nodes.Name, node: nodes.Call, frame: Frame) -> None:
        """Writes a sentence in the reader's language. It wants of Jinja only how to escape.

        Jinja would copy all names there are for each sentence in a loop.
        """
        facts = {keyword.key for keyword in node.kwargs}
        if node.dyn_args or node.dyn_kwargs or any(map(iskeyword, facts)):
            super().visit_Call(node, frame)
            return
        self.visit(called, frame)
        self.write("(context, ")
        self._visit_arguments(node, frame)

    def _visit_arguments(self, node: nodes.Call, frame: Frame) -> None:
        """Writes what a call is given, and its end."""
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> None:
        """Writes where the macros of another file come from: they are found once."""
        if node.with_context or not isinstance(node.template, nodes.Const):
            super()._import_common(node, frame)
            return
        self.write(f"environment.macros({node.template.value!r})")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        """Writes how what is put out is escaped."""
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
            return
        self.write("shown(")


class Reading(Code):
    """Compiles a template of some short names and one answer to what gives the answer itself."""

    def pop_assign_tracking(self, _frame: Frame) -> None:
        """Short names are of use here alone."""
        self._assign_stack.pop()

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        """Puts the answer out as it is."""

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        """Puts the answer out as it is."""


class Environment(jinja2.Environment):
    """Templates that are compiled by `Code`."""

    code_generator_class = Code
    context_class = Context
    Macro = Macro
    shown = staticmethod(shown)

    def __init__(self, **options: Any) -> None:
        """Takes what Jinja does."""
        super().__init__(**options)
        self._macros: dict[str, Any] = {}
        self.filters["join"] = joined

    def macros(self, name: str) -> Any:
        """Returns the macros of a file that is imported without context."""
        found = self._macros.get(name)
        if found is None:
            found = self._macros[name] = self.get_template(name).module
        return found


@jinja2.pass_eval_context
def joined(
    context: EvalContext, value: Any, between: str = "", attribute: str | int | None = None
) -> str:
    """Returns what Jinja's `join` does; plain texts are joined at once."""
    if type(value) is list and attribute is None and _TEXT.issuperset(map(type, value)):
        return between.join(value)
    text: str = do_join(context, value, between, attribute)
    return text


class Compiled(jinja2.BytecodeCache):
    """What was compiled in this process: the code of a template is the same in all languages."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Gives a template the code of its text, if that is known."""
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps the code of a template."""
        self._codes[bucket.key, bucket.checksum] = bucket.code


COMPILED = Compiled()
