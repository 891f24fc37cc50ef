"""What headers of classes and functions declare, as the index's ``ast`` has it.

Nothing here is run and nothing resolved: names stay as they are written.  libcst is not needed:
what was read is asked again where nothing is interpreted.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from jitlint.foundation.records import Record
from jitlint.project.walks import FunctionNode, dotted

if TYPE_CHECKING:
    from jitlint.project.units import ClassDefinition, Unit


class _Argument(Enum):
    COMPUTED = "computed"


#: among attributes: what a comprehension gets from an object by names that it finds
EVERY_FIELD: Final = "*"
#: likewise, by the names that an attribute or a variable of this name lists
EACH_OF: Final = "*{}"
#: an argument that is neither a constant, nor a name, nor a list or tuple of such
COMPUTED: Final = _Argument.COMPUTED


class Name(Record):
    """A dotted name as an argument."""

    text: str


class Call(Record):
    """A call in a declaration: ``@dataclass(frozen=True)``, ``field(default=3)``.

    ``name`` is empty where something computed is called.  Arguments are constants, tuples, ``Name``
    or ``COMPUTED``; the keyword of ``**options`` is empty.
    """

    name: str
    arguments: Sequence[Any]
    keywords: Mapping[str, Any]
    node: ast.Call


class Field(Record):
    """``name: annotation = default`` in a class body; ``specifier`` is a default that is a call."""

    name: str
    annotation: ast.expr
    unit: Unit
    is_class_variable: bool
    is_static: bool
    has_default: bool
    specifier: Call | None

    @property
    def may_be_none(self) -> bool:
        """Whether the default is None, whatever the annotation says."""
        node = self.unit.node
        default = node.value if isinstance(node, ast.AnnAssign) else None
        return isinstance(default, ast.Constant) and default.value is None


def call_of(node: ast.expr | None) -> Call | None:
    """A call as it is written, None for anything else."""
    if not isinstance(node, ast.Call):
        return None
    keywords = {keyword.arg or "": _argument(keyword.value) for keyword in node.keywords}
    return Call(dotted(node.func) or "", [*map(_argument, node.args)], keywords, node)


def _argument(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, (ast.List, ast.Tuple)):
        return tuple(map(_argument, node.elts))
    name = dotted(node)
    return COMPUTED if name is None else Name(name)


def is_constant(argument: Any) -> bool:
    """Whether an argument is a number, a string, a truth value or None."""
    return argument is not COMPUTED and not isinstance(argument, (Name, tuple))


def _without_arguments(node: ast.expr) -> str | None:
    """The dotted name of ``Name[...]`` or ``Name``."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return dotted(node)


# -- classes --------------------------------------------------------------------------------------


def bases_of(definition: ClassDefinition) -> list[str | None]:
    """The dotted names of the bases, without type arguments; None for one that is computed."""
    return [_without_arguments(base) for base in definition.bases]


def has_keywords(definition: ClassDefinition) -> bool:
    """Whether the header of a class has keywords: ``class A(B, metaclass=M)``."""
    return bool(definition.keywords)


def metaclass_of(definition: ClassDefinition) -> str | None:
    """The dotted name of the metaclass in the header of a class, None where it names none."""
    for keyword in definition.keywords:
        if keyword.arg == "metaclass":
            return dotted(keyword.value) or ""
    return None


def decorators_of(definition: ClassDefinition) -> list[tuple[str | None, Call | None]]:
    """The dotted names of the decorators of a class, with their calls."""
    return [
        (_without_arguments(node.func if isinstance(node, ast.Call) else node), call_of(node))
        for node in definition.decorators
    ]


def decorator_options(definition: ClassDefinition) -> dict[str, bool | None]:
    """The options that the decorators of a class are given; None for what is computed."""
    found: dict[str, bool | None] = {}
    for _, call in decorators_of(definition):
        for name, value in call.keywords.items() if call is not None else ():
            found.setdefault(name, bool(value) if is_constant(value) else None)
    return found


def field_of(unit: Unit) -> Field | None:
    """The field that a statement of a class body declares, None if it declares none."""
    node = unit.node
    if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
        return None
    of_class = is_class_variable(node)
    made = call_of(node.value)
    static = of_class or (made is not None and _says_static(made))
    return Field(
        node.target.id, node.annotation, unit, of_class, static, node.value is not None, made
    )


def fields_of(definition: ClassDefinition) -> list[Field]:
    """The fields that the body of a class declares, in their order."""
    declared = (field_of(unit) for unit in definition.statements)
    return [each for each in declared if each is not None]


def is_class_variable(node: ast.AnnAssign) -> bool:
    """Whether a name in a class body is annotated as one of the class: ``size: ClassVar[int]``."""
    return _without_arguments(node.annotation) in ("ClassVar", "typing.ClassVar")


def _says_static(made: Call) -> bool:
    """``field(static=True)``, ``struct.field(pytree_node=False)``, static metadata."""
    given = made.keywords
    if given.get("static") is True or given.get("pytree_node") is False:
        return True
    if "field" in made.name and any(argument is False for argument in made.arguments[:1]):
        # `flax.struct.field(False)`; no other function of that name takes a position.
        return True
    for keyword in made.node.keywords:
        if keyword.arg == "metadata" and "static" in ast.unparse(keyword.value):
            return True
    return made.name.rpartition(".")[2] in ("static_field", "static")


def makes_static_fields(function: Unit) -> bool:
    """Whether a function only returns static fields: ``return field(metadata={"static": True})``.

    Args:
      function: a function of the project that a class body calls for a default.
    """
    if not isinstance(function.node, FunctionNode):
        return False
    returned = [node.value for node in ast.walk(function.node) if isinstance(node, ast.Return)]
    calls = [call_of(value) for value in returned]
    return bool(calls) and all(
        call is not None and "field" in call.name and _says_static(call) for call in calls
    )


def flattened_by(function: Unit) -> tuple[set[str], set[str]] | None:
    """The attributes in the children and in the auxiliary data that a flatten function returns.

    Returns:
      Their names, ``EVERY_FIELD`` and ``EACH_OF`` some that are listed; None if it returns no pair.
    """
    for node in ast.walk(function.node):
        if isinstance(node, ast.Return) and (pair := _pair(node.value)) is not None:
            return _attributes_in(function, pair[0]), _attributes_in(function, pair[1])
    return None


def flattened_by_lambda(node: ast.expr) -> set[str] | None:
    """The attributes in the children that ``lambda x: (children, data)`` gives."""
    pair = _pair(node.body) if isinstance(node, ast.Lambda) else None
    return None if pair is None else _attributes(pair[0])


def _pair(node: ast.expr | None) -> list[ast.expr] | None:
    return node.elts if isinstance(node, ast.Tuple) and len(node.elts) == 2 else None


def _attributes_in(function: Unit, node: ast.expr) -> set[str]:
    """The attributes in an expression; for a variable, in what it was given."""
    assigned = {
        statement.targets[0].id: statement.value
        for statement in ast.walk(function.node)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }
    found = _attributes(assigned.get(node.id, node) if isinstance(node, ast.Name) else node)
    for name, value in assigned.items():
        listed = _listed(value)
        if listed is not None and EACH_OF.format(name) in found:
            found = (found - {EACH_OF.format(name)}) | listed
    return found


def _attributes(node: ast.expr) -> set[str]:
    found = {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    return found.union(*map(_read_by_name, ast.walk(node)))


def _read_by_name(node: ast.AST) -> set[str]:
    """What ``getattr(self, name) for name in names`` reads: no ``if`` leaves one out."""
    if not isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        return set()
    read = node.elt
    if (
        not isinstance(read, ast.Call)
        or not isinstance(read.func, ast.Name)
        or read.func.id != "getattr"
        or any(isinstance(argument, ast.Constant) for argument in read.args)
        or any(generator.ifs for generator in node.generators)
    ):
        return set()
    names = node.generators[0].iter
    match names:
        case ast.Attribute(attr=name) | ast.Name(id=name) if not name.startswith("__"):
            return {EACH_OF.format(name)}
    listed = _listed(names)
    return {EVERY_FIELD} if listed is None else listed


def listed_by(unit: Unit) -> set[str] | None:
    """The texts that an assignment of a tuple or list writes out; None for anything else."""
    node = unit.node
    return _listed(node.value) if isinstance(node, (ast.Assign, ast.AnnAssign)) else None


def _listed(node: ast.AST | None) -> set[str] | None:
    if not isinstance(node, (ast.Tuple, ast.List)):
        return None
    texts = {each.value for each in node.elts if isinstance(each, ast.Constant)}
    written = len(texts) == len(node.elts) and all(isinstance(text, str) for text in texts)
    return {str(text) for text in texts} if written else None


def returned_attributes(function: Unit) -> set[str]:
    """The attributes in what a function returns."""
    values = (node.value for node in ast.walk(function.node) if isinstance(node, ast.Return))
    return {name for value in values if value is not None for name in _attributes(value)}


# -- functions ------------------------------------------------------------------------------------


def decorator_names(unit: Unit) -> list[str | None]:
    """The dotted names of the decorators of a function; None for those that are calls."""
    return [dotted(node) for node in unit.decorators]


def calls_in(unit: Unit) -> list[Call]:
    """The calls in a function of what it does not bind, with what is written of their arguments."""
    nodes = (node for node in ast.walk(unit.node) if isinstance(node, ast.expr))
    calls = [call for node in nodes if (call := call_of(node)) is not None]
    own = unit.own_names
    return [call for call in calls if call.name and call.name.partition(".")[0] not in own]


def is_overload(unit: Unit) -> bool:
    """Whether a function only declares a signature: ``@typing.overload``."""
    return any((name or "").rpartition(".")[2] == "overload" for name in decorator_names(unit))


def is_declaration(unit: Unit) -> bool:
    """Whether a method only says what subclasses define.

    It is abstract, or it does nothing but raise NotImplementedError, or there is nothing in it but
    a docstring or ``...``; one that passes is a hook that may be left as it is.
    """
    node = unit.node
    if not isinstance(node, FunctionNode):
        return False
    if any((name or "").rpartition(".")[2] in _ABSTRACT for name in decorator_names(unit)):
        return True
    *before, last = node.body
    if not all(isinstance(statement, _BEFORE_RAISE) for statement in before):
        return False
    if isinstance(last, ast.Raise):
        raised = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    return isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant)


_ABSTRACT: Final = frozenset({"abstractmethod", "abstractproperty"})
#: a docstring, names that are not used, a message
_BEFORE_RAISE: Final = (ast.Expr, ast.Delete, ast.Assign)


def makes_coroutine(unit: Unit) -> bool:
    """Whether a call of a function of the index gives what is to be awaited."""
    return isinstance(unit.node, ast.AsyncFunctionDef)


def alias_of(unit: Unit) -> ast.expr | None:
    """What a name is another name for: ``Name = Union[...]``, ``type Name = ...``."""
    node = unit.node
    if isinstance(node, ast.Assign):
        return node.value if len(node.targets) == 1 else None
    return node.value if isinstance(node, _ALIASES) else None


if sys.version_info >= (3, 12):
    _ALIASES: Final = (ast.AnnAssign, ast.TypeAlias)
else:
    _ALIASES: Final = (ast.AnnAssign,)


def binds_once_to_a_name(cls: ClassDefinition, name: str) -> bool:
    """Whether a class binds an attribute of its objects in one place, to ``module.name`` or a text.

    A field with an annotation is an option: whoever makes an object may pass it.
    """
    values = [
        inner.value
        for inner in ast.walk(cls.node)
        if isinstance(inner, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        for target in (inner.targets if isinstance(inner, ast.Assign) else [inner.target])
        if name == getattr(target, "attr", getattr(target, "id", None))
    ]
    is_field = any(
        isinstance(inner, ast.AnnAssign) and getattr(inner.target, "id", None) == name
        for inner in cls.node.body
    )
    plain = len(values) == 1 and isinstance(values[0], (ast.Attribute, ast.Constant))
    return plain and not is_field


def makers_of_attribute(unit: Unit, name: str) -> list[str | None]:
    """What is called for each value that a method assigns to an attribute; None for any other."""
    return [
        dotted(node.value.func) if isinstance(node.value, ast.Call) else None
        for node in ast.walk(unit.node)
        if isinstance(node, ast.Assign)
        and any(isinstance(to, ast.Attribute) and to.attr == name for to in node.targets)
    ]


def starts_as_none(unit: Unit, name: str) -> bool | None:
    """Whether a method gives an attribute nothing but None, at first; None if it does not bind it.

    ``getattr(self, name, None)`` is what was there before, if anything was.
    """
    values = [inner.value for inner in ast.walk(unit.node) if _binds(inner, name)]
    if not values:
        return None
    return all(_is_none(value) or _is_none_by_default(value, name) for value in values)


def _is_none_by_default(value: ast.expr | None, name: str) -> bool:
    if not isinstance(value, ast.Call) or len(value.args) != 3:
        return False
    asked = value.args[1]
    return (
        dotted(value.func) == "getattr"
        and isinstance(asked, ast.Constant)
        and asked.value == name
        and _is_none(value.args[2])
    )


def makes_on_demand(unit: Unit, name: str) -> bool:
    """Whether a method makes an attribute on demand, so that it is not None afterwards.

    ``if self.table is None: self.table = make()``
    """
    return any(
        _asks_for(test.test, name) and any(_makes(inner, name) for inner in test.body)
        for test in ast.walk(unit.node)
        if isinstance(test, ast.If)
    )


def _asks_for(test: ast.expr, name: str) -> bool:
    """Whether a condition is ``self.name is None`` or ``not self.name``."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _is_attribute(test.operand, name)
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], ast.Is)
        and _is_attribute(test.left, name)
        and _is_none(test.comparators[0])
    )


def _makes(statement: ast.stmt, name: str) -> bool:
    """Whether a statement gives an attribute something."""
    return _binds(statement, name) and not _is_none(statement.value)


def _binds(node: ast.AST, name: str) -> TypeGuard[ast.Assign | ast.AnnAssign]:
    """Whether a node assigns ``self.name``."""
    if isinstance(node, ast.AnnAssign):
        return _is_attribute(node.target, name)
    return isinstance(node, ast.Assign) and any(_is_attribute(to, name) for to in node.targets)


def _is_attribute(node: ast.expr, name: str) -> bool:
    """Whether an expression is ``self.name``."""
    if not isinstance(node, ast.Attribute) or node.attr != name:
        return False
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _is_none(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is None)
