"""Places where a silent fault may be that nobody has reported, by what stands there.

For audits: each place is watched like one that is reported, and judged by the same oracles.  All of
it is read from the text of a module.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from jitlint.jaxmodel.effects import FROZEN_KINDS, host_call, method_kind, object_made
from jitlint.verify.recording.instrument import rows_of_statements
from jitlint.verify.recording.records import Report
from jitlint.verify.recording.sites import node_span

#: methods that change the container or object that they are called on
_CHANGING: Final = frozenset(
    """append appendleft extend insert add update setdefault pop popleft popitem remove discard
    clear""".split()
)
#: what an object whose origin is not seen is called, where its methods have effects
_LOGGERS: Final = frozenset({"log", "logger", "_log", "_logger", "LOG", "LOGGER"})
_KEYS: Final = frozenset({"jax.random.PRNGKey", "jax.random.key"})
_JITS: Final = frozenset({"jax.jit", "jax.pmap", "equinox.filter_jit", "flax.nnx.jit"})
#: methods in which an object gets what it starts with
_MAKERS: Final = frozenset({"__init__", "__post_init__", "setup"})
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def suspicions(
    tree: ast.Module,
    lines: Sequence[str],
    filename: str,
    taken: Collection[int],
    first: int,
) -> list[Report]:
    """The places of a module where a silent fault may be, as reports.

    Args:
      tree: the module as written.
      lines: its text.
      filename: its file.
      taken: the rows that something is reported at; there nothing is suspected.
      first: the number of the first report.
    """
    rows = rows_of_statements(tree)
    found: list[Report] = []
    for node, code, kind, function in _Reader(tree).read():
        span = node_span(node, lines)
        if span is None:
            continue
        here = rows.get(span[0], frozenset({span[0]}))
        if here.isdisjoint(taken):
            number = first + len(found)
            found.append(Report(number, code, kind, (), filename, span, function, suspected=True))
    return found


#: a node, the rule that would report it, the kind of its hazard, the function it stands in
_Place = tuple[ast.expr, str, str, str]


class _Reader:
    """Goes through a module."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._names: dict[str, str] = {}
        self._objects: dict[str, str] = {}
        self._globals: set[str] = set()
        self._nonlocals: set[str] = set()
        #: names that stand for something else later on, or for something that changes
        self._unsteady: set[str] = set()
        self._changed: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    head = alias.name.partition(".")[0]
                    self._names[alias.asname or head] = alias.name if alias.asname else head
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    self._names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif isinstance(node, ast.Global):
                self._globals.update(node.names)
                self._unsteady.update(node.names)
            elif isinstance(node, ast.Nonlocal):
                self._nonlocals.update(node.names)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                self._unsteady.add(node.target.id)
        self._owners: set[int] = set()
        for node in ast.walk(tree):
            self._learn(node)
        self._locals = {id(f): _bound_in(f) for f in ast.walk(tree) if isinstance(f, _FUNCTIONS)}

    def _learn(self, node: ast.AST) -> None:
        """Which objects have methods with effects, and which attributes are set later on."""
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            made = object_made(self._dotted(node.value.func))
            for target in node.targets if made else ():
                self._objects[ast.unparse(target)] = str(made)
        elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            self._change(node)
        elif isinstance(node, ast.Call) and _changes(node):
            self._change(node.func)
        if isinstance(node, ast.FunctionDef) and node.name not in _MAKERS:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
                    self._changed.add(inner.attr)

    def _change(self, node: ast.AST) -> None:
        """What a chain begins with is changed there, which is no reading of it."""
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        if isinstance(node, ast.Name):
            self._unsteady.add(node.id)
            self._owners.add(id(node))

    def read(self) -> Iterator[_Place]:
        """All places, each node once."""
        stack: list[tuple[ast.AST, str | None, frozenset[str]]] = [(self._tree, None, frozenset())]
        while stack:
            node, function, bound = stack.pop()
            if function is not None and isinstance(node, ast.FunctionDef):
                for decorator in node.decorator_list:
                    if self._jits(decorator):
                        yield decorator, "JIT303", "recompiles", node.name
            if isinstance(node, ast.expr):
                place = self._judge(node, function, bound)
                if place is not None:
                    yield (node, *place, function or "")
            for name, value in ast.iter_fields(node):
                inside, known = function, bound
                if isinstance(node, _FUNCTIONS) and name == "body":
                    inside, known = getattr(node, "name", "<lambda>"), self._locals[id(node)]
                if name in ("annotation", "returns"):
                    continue
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        stack.append((child, inside, known))

    def _judge(
        self, node: ast.expr, function: str | None, bound: frozenset[str]
    ) -> tuple[str, str] | None:
        if isinstance(node, ast.Call):
            return self._call(node, function)
        if function is None:
            return None
        context = getattr(node, "ctx", None)
        if isinstance(context, ast.Store):
            own = isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self"
            if own and function in _MAKERS:
                # The object is new, whoever makes it.
                return None
            if isinstance(node, ast.Attribute | ast.Subscript):
                return ("JIT204" if isinstance(node, ast.Attribute) else "JIT202"), "runs-once"
            if isinstance(node, ast.Name) and node.id in self._globals:
                return "JIT203", "runs-once"
            if isinstance(node, ast.Name) and node.id in self._nonlocals - bound:
                # The variable may be one of the trace itself, so that only what stays counts.
                return "JIT203", "leaks"
        if isinstance(context, ast.Load) and id(node) not in self._owners:
            if isinstance(node, ast.Name) and node.id in self._unsteady - bound - {"self", "cls"}:
                return "JIT208", "silently-wrong"
            if (
                isinstance(node, ast.Attribute)
                and node.attr in self._changed
                and isinstance(node.value, ast.Name)
                and node.value.id == "self"
            ):
                return "JIT208", "silently-wrong"
        return None

    def _call(self, node: ast.Call, function: str | None) -> tuple[str, str] | None:
        name = self._dotted(node.func)
        effect = host_call(name) or host_call(f"builtins.{name}")
        kind = None if effect is None else effect.kind
        if kind is None and isinstance(node.func, ast.Attribute):
            owner = ast.unparse(node.func.value)
            made = self._objects.get(owner)
            if isinstance(node.func.value, ast.Call):
                made = object_made(self._dotted(node.func.value.func))
            if made is None and owner.rpartition(".")[2] in _LOGGERS:
                made = "logging.Logger"
            kind = None if made is None else method_kind(made, node.func.attr)
        if kind in FROZEN_KINDS:
            return "JIT207", "stale"
        if function is None or kind == "seeding":
            return None
        if kind is not None:
            return ("JIT201" if kind == "print" else "JIT206"), "runs-once"
        if name in _KEYS:
            return "JIT213", "silently-wrong"
        if name in _JITS:
            return "JIT303", "recompiles"
        if name == "next":
            return "JIT210", "stale"
        return ("JIT202", "runs-once") if _changes(node) else None

    def _jits(self, decorator: ast.expr) -> bool:
        """Whether a decorator jits, and is not told as a call already."""
        if isinstance(decorator, ast.Call):
            partial = self._dotted(decorator.func) == "functools.partial"
            return partial and bool(decorator.args) and self._jits(decorator.args[0])
        return self._dotted(decorator) in _JITS

    def _dotted(self, node: ast.expr) -> str:
        """The qualified name of what is called, as far as the imports tell."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        head = self._names.get(node.id, node.id)
        return ".".join([head, *reversed(parts)])


def _changes(call: ast.Call) -> bool:
    """Whether a call may change what it is called on."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in _CHANGING


def _bound_in(function: ast.AST) -> frozenset[str]:
    """The names that are variables of a function itself."""
    assert isinstance(function, _FUNCTIONS)
    found = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
    body = function.body if isinstance(function.body, list) else [function.body]
    outside: set[str] = set()
    stack: list[ast.AST] = [*body]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Global | ast.Nonlocal):
            outside.update(node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            stack += ast.iter_child_nodes(node)
    return frozenset(found - outside)
