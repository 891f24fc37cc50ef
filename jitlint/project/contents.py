"""What the statements of a module define and import, found by a walk down to class bodies."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from jitlint.project.fallbacks import runs_with_jax
from jitlint.project.import_targets import ImportTarget
from jitlint.project.units import Binding, ClassDefinition, Unit, Way
from jitlint.project.walks import DEFINITIONS, FunctionNode, blocks_of, bound_names, dotted

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex


class Contents(Struct):
    """What a module lists, each in the order of the source.

    Args:
      module: the module.
      units: its units.
      bindings: how its names get their values.
      classes: its classes, by name.
      every_class: these and those in other classes.
      star_imports: the modules from which it imports all that they export.
    """

    module: ModuleIndex
    units: list[Unit] = field(default_factory=list)
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    classes: dict[str, ClassDefinition] = field(default_factory=dict)
    every_class: list[ClassDefinition] = field(default_factory=list)
    star_imports: list[str] = field(default_factory=list)
    #: whether what is walked runs only where the file itself is started
    _started: bool = False
    #: the ways of the ``if``s around what is walked
    _ways: tuple[Way, ...] = ()
    #: whether what is walked runs whenever the module does
    _certain: bool = True

    @classmethod
    def of(cls, module: ModuleIndex, tree: ast.Module) -> Contents:
        """What is in the tree of a module."""
        found = cls(module)
        found._collect(tree.body, indented=False)
        number(found.units)
        number(found.every_class)
        return found

    @classmethod
    def of_local(cls, known: ClassDefinition, base: int) -> Contents:
        """What is in a class that a function makes.

        Args:
          known: the class.
          base: where its numbers begin; no listed unit or class has such.
        """
        found = cls(known.module)
        found.every_class.append(known)
        found._class_body(known, known.tree.body)
        number(found.units, base)
        number(found.every_class, base)
        for unit in found.units:
            unit.within = known.within
        for inner in found.every_class:
            inner.within = known.within
        return found

    def _bind(self, name: str, binding: Binding) -> None:
        self.bindings.setdefault(name, []).append(binding)

    def _unit(
        self,
        node: ast.stmt,
        qualname: str,
        indented: bool,
        cls: ClassDefinition | None = None,
        label: str = "",
    ) -> Unit:
        first = node.lineno
        if isinstance(node, DEFINITIONS):
            for decorator in node.decorator_list:
                first = min(first, decorator.lineno)
        unit = Unit(self.module, node, qualname, first, node.end_lineno or first, indented, cls)
        unit.label = label
        unit.started = self._started or _is_main_block(node)
        unit.ways = self._ways
        unit.certain = self._certain and cls is None
        self.units.append(unit)
        return unit

    def _collect(
        self, body: list[ast.stmt], *, indented: bool, around: ast.stmt | None = None
    ) -> None:
        for node in body:
            if isinstance(node, FunctionNode):
                unit = self._unit(node, node.name, indented)
                self._bind(node.name, Binding(unit))
            elif isinstance(node, ast.ClassDef):
                cls = self._class(node, node.name, indented)
                self.classes.setdefault(node.name, cls)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self._import(node, indented)
            elif isinstance(node, (ast.If, ast.Try, ast.With, ast.TryStar)):
                # Definitions under `if TYPE_CHECKING`, `try: import` and the like.
                if _defines(node) or _is_elif(node, around):
                    before, ways, certain = self._started, self._ways, self._certain
                    always = isinstance(node, ast.Try) and runs_with_jax(node)
                    self._certain = certain and always
                    for block in self._live_blocks(node):
                        self._started = before or (_is_main_block(node) and block is node.body)
                        if isinstance(node, ast.If):
                            self._ways = (*ways, (node.lineno, block is node.body))
                        self._collect(block, indented=True, around=node)
                    self._started, self._ways, self._certain = before, ways, certain
                else:
                    self._statement(node, indented)
            else:
                self._statement(node, indented)

    def _live_blocks(self, node: ast.stmt) -> Iterator[list[ast.stmt]]:
        """The blocks of a compound statement, without what a constant test switches off.

        Nor what only a missing JAX would switch on.
        """
        if isinstance(node, ast.If):
            test = node.test
            if isinstance(test, ast.Name):
                bound = self.bindings.get(test.id, [])
                setting = bound[0].unit.tree if len(bound) == 1 else None
                if isinstance(setting, ast.Assign) and isinstance(setting.value, ast.Constant):
                    test = setting.value
            if node.orelse and dotted(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
                # What runs; without an `else`, what annotations mean.
                yield node.orelse
                return
            if isinstance(test, ast.Constant) and isinstance(test.value, bool):
                yield from [node.body] if test.value else [node.orelse]
                return
        if isinstance(node, ast.Try) and runs_with_jax(node):
            yield from (node.body, node.orelse, node.finalbody)
            return
        yield from blocks_of(node)

    def _import(self, node: ast.Import | ast.ImportFrom, indented: bool) -> None:
        targets = [*import_targets(node, self.module)]
        unit = self._unit(node, "", indented, label=_label(node, [name for name, _ in targets]))
        for name, target in targets:
            if name == "*":
                self.star_imports.append(target.module)
            else:
                self._bind(name, Binding(unit, target=target))

    def _statement(self, node: ast.stmt, indented: bool) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        names = sorted(bound_names(node))
        unit = self._unit(node, "", indented, label=_label(node, names))
        for name in names:
            self._bind(name, Binding(unit))

    def _class(self, node: ast.ClassDef, qualname: str, indented: bool) -> ClassDefinition:
        cls = ClassDefinition(node.name, qualname, node, self.module)
        self.every_class.append(cls)
        if "." not in qualname:
            header = Unit(self.module, node, qualname, node.lineno, node.lineno, indented, cls)
            header.certain = self._certain
            self._bind(node.name, Binding(header, cls=cls))
        self._class_body(cls, node.body)
        return cls

    def _class_body(self, cls: ClassDefinition, body: list[ast.stmt]) -> None:
        members = cls.listed
        for node in body:
            if isinstance(node, FunctionNode):
                unit = self._unit(node, f"{cls.qualname}.{node.name}", True, cls)
                members.methods.setdefault(node.name, []).append(unit)
            elif isinstance(node, ast.ClassDef):
                members.classes[node.name] = self._class(node, f"{cls.qualname}.{node.name}", True)
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                for block in blocks_of(node):
                    self._class_body(cls, block)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            elif not isinstance(node, ast.Pass):
                names = sorted(bound_names(node))
                unit = self._unit(node, cls.qualname, True, cls, _label(node, names))
                members.statements.append(unit)
                for name in names:
                    members.attributes[name] = unit


def _label(node: ast.stmt, names: Sequence[str]) -> str:
    """What a statement is called: by the names that it binds, else by what it calls or is."""
    if names:
        return ",".join(names)
    called = (
        node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    )
    return (called and dotted(called)) or type(node).__name__


def bound_by(unit: Unit) -> frozenset[str]:
    """The names that a statement of a class binds there."""
    return frozenset(bound_names(unit.node))


def import_targets(
    node: ast.Import | ast.ImportFrom, module: ModuleIndex
) -> Iterator[tuple[str, ImportTarget]]:
    """The names that an import statement binds, with what they stand for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                yield alias.asname, ImportTarget(alias.name)
            else:
                top = alias.name.partition(".")[0]
                yield top, ImportTarget(top)
        return
    source = module.absolute(node.module, node.level)
    for alias in node.names:
        yield alias.asname or alias.name, ImportTarget(source, alias.name)


def number(subjects: Sequence[Unit] | Sequence[ClassDefinition], base: int = 0) -> None:
    """Count what has one title, in its order."""
    counts: Counter[str] = Counter()
    for subject in subjects:
        _, title, _ = subject.key
        subject.number = base + counts[title]
        counts[title] += 1


def _defines(node: ast.stmt) -> bool:
    """Whether a compound statement of a module body defines or imports something.

    What a ``with`` only assigns is found in the statement as a whole, which also says under what;
    and ``x[0] = 1`` gives no name a value.
    """
    assigns = not isinstance(node, ast.With)
    return any(
        isinstance(inner, (*DEFINITIONS, ast.Import, ast.ImportFrom))
        or (assigns and isinstance(inner, ast.Assign) and any(map(_names, inner.targets)))
        or (isinstance(inner, (ast.If, ast.Try, ast.With)) and _defines(inner))
        for block in blocks_of(node)
        for inner in block
    )


def _names(target: ast.expr) -> bool:
    """Whether an assignment to a target gives a name a value."""
    return any(
        isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
        for inner in ast.walk(target)
    )


def _is_main_block(node: ast.stmt) -> bool:
    """Whether the body of a statement runs only where its file is started.

    What stands in an ``else`` of it runs where the file is imported, and is not looked at here.
    """
    if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare):
        return False
    sides = [node.test.left, *node.test.comparators]
    texts = {side.value for side in sides if isinstance(side, ast.Constant)}
    names = {side.id for side in sides if isinstance(side, ast.Name)}
    is_equal = [type(operator) for operator in node.test.ops] == [ast.Eq]
    return is_equal and "__name__" in names and "__main__" in texts


def _is_elif(node: ast.stmt, around: ast.stmt | None) -> bool:
    """Whether a statement is the ``elif`` of the one around it: by itself it is no statement."""
    ifs = isinstance(node, ast.If) and isinstance(around, ast.If)
    return ifs and around is not None and node.col_offset == around.col_offset
