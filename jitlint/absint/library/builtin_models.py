"""Builtins and the parts of the standard library that matter for tracing, one function each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import (
    BuiltinComparison,
    Conversion,
    Hash,
    PythonIndex,
    TypeTest,
)
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import AttributeSet, Kept
from jitlint.absint.machine.tracers import comparable_tracer, find_traced, sure_array
from jitlint.absint.python import operations
from jitlint.absint.python.calls import constant, dict_contents
from jitlint.absint.python.special_methods import call_special
from jitlint.absint.python.types import expected_scalars, type_test
from jitlint.absint.values.domain import (
    BOOL,
    FALSE,
    INT,
    NONE,
    SHAPE_STRUCT,
    STATIC,
    STR,
    TRUE,
    UNKNOWN,
    Array,
    BoundMethod,
    Cached,
    Class,
    Const,
    Descriptor,
    External,
    ExternalInstance,
    Function,
    Level,
    Partial,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join, join_all, type_name

Model = Callable[[Interpreter, Arguments, cst.CSTNode], Value]
BUILTIN_MODELS: Final[dict[str, Model]] = {}

CONVERSION_ERRORS = ("jax.errors.ConcretizationTypeError", "TypeError")


def model(*names: str) -> Callable[[Model], Model]:
    """Register a model under qualified names; a bare name is a builtin."""

    def register(function: Model) -> Model:
        for name in names:
            BUILTIN_MODELS[name if "." in name else f"builtins.{name}"] = function
        return function

    return register


def _first(args: Arguments) -> Value:
    return args.positional[0] if args.positional else UNKNOWN


def _node(args: Arguments, node: cst.CSTNode, index: int = 0) -> cst.CSTNode:
    return args.nodes[index] if index < len(args.nodes) else node


def _has_unknown(args: Arguments) -> bool:
    return args.star is not None or UNKNOWN in args.positional


# -- conversions ----------------------------------------------------------------------------------


def _converts(name: str, result: Value) -> Model:
    def convert(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
        value = _first(args)
        special = call_special(it, value, f"__{name}__", node)
        if special is not None:
            value = special
        least = Level.ABSTRACT if name == "int" else Level.VALUE
        traced: Array | Tree | None = sure_array(value, least)
        if traced is None and isinstance(value, Tree) and value.level >= least:
            traced = None if value.container else value
        if traced is not None and not args.star:
            it.emit(
                Conversion,
                node,
                traced,
                operand=_node(args, node),
                exceptions=CONVERSION_ERRORS,
                callee=name,
            )
            return UNKNOWN
        if isinstance(value, Const) and len(args.positional) == 1:
            try:
                return Const(_CONVERTERS[name](value.value))
            except (TypeError, ValueError, OverflowError):
                return result
        return result

    return convert


_CONVERTERS: Final[dict[str, Callable[[Any], Any]]] = {
    "int": int,
    "float": float,
    "complex": complex,
}
for _name, _static in (("int", INT), ("float", Static("float")), ("complex", Static("complex"))):
    BUILTIN_MODELS[f"builtins.{_name}"] = _converts(_name, _static)


@model("bool")
def _bool(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value = _first(args)
    traced = sure_array(value)
    if traced is not None:
        it.emit(
            Conversion,
            node,
            traced,
            operand=_node(args, node),
            exceptions=operations.BOOL_ERRORS,
            callee="bool",
        )
        return UNKNOWN
    from jitlint.absint.values.domain import known_bool

    known = known_bool(value)
    if known is None and isinstance(value, Ref):
        where = _node(args, node)
        known = operations.truth(it, value, where, Conversion, callee="bool")
    return BOOL if known is None else (TRUE if known else FALSE)


@model("str", "repr", "ascii")
def _text(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value = _first(args)
    if isinstance(value, Const) and isinstance(value.value, (str, int)):
        return Const(str(value.value)) if len(str(value.value)) < 200 else STR
    text = operations.text_of(it, value, node)
    return operations.shown(it, value if text is None else text)


@model("format")
def _format(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    traced = sure_array(_first(args))
    spec = args.get(1, "format_spec")
    if traced is not None and spec is not None and spec != Const(""):
        it.emit(
            Conversion, node, traced, operand=_node(args, node), exceptions=("TypeError",),
            callee="format specification",
        )  # fmt: skip
    return operations.shown(it, _first(args))


@model("operator.truth", "operator.not_")
def _truth(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    traced = sure_array(_first(args))
    if traced is not None:
        it.emit(
            Conversion, node, traced, operand=_node(args, node),
            exceptions=operations.BOOL_ERRORS, callee=it.text(node.func),  # type: ignore[attr-defined]
        )  # fmt: skip
        return UNKNOWN
    return BOOL


@model("range")
def _range(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    for index, value in enumerate(args.positional):
        traced: Array | Tree | None = sure_array(value)
        if traced is None and isinstance(value, Tree) and value.level is Level.ABSTRACT:
            traced = None if value.container else value
        if traced is not None:
            it.emit(
                PythonIndex,
                node,
                traced,
                operand=_node(args, node, index),
                exceptions=operations.INDEX_ERRORS,
                construct="range",
            )
            return UNKNOWN
    bounds = [constant(value) for value in args.positional]
    if bounds and all(type(bound) is int for bound in bounds):
        try:
            numbers = range(*bounds)
        except (ValueError, TypeError):
            return Static("range")
        if len(numbers) <= 4:
            return Tuple(tuple(Const(number) for number in numbers), External("builtins.range"))
    return Static("range")


@model("slice")
def _slice(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    from jitlint.absint.values.domain import Slice

    parts = [*args.positional, NONE, NONE, NONE][:3]
    if len(args.positional) == 1:
        parts = [NONE, args.positional[0], NONE]
    return Slice((parts[0], parts[1], parts[2]))


# -- methods of builtin types, called as functions ------------------------------------------------

_METHOD_OWNERS: Final = frozenset(
    f"builtins.{name}" for name in ("list", "dict", "set", "frozenset", "tuple", "str")
) | {"collections.deque", "collections.OrderedDict"}


def unbound_method(it: Interpreter, name: str, args: Arguments, node: cst.CSTNode) -> Value | None:
    """``list.append(values, x)``; None if the name is no method of a builtin type."""
    from jitlint.absint.python.attributes import get_attribute

    owner, _, method = name.rpartition(".")
    if owner not in _METHOD_OWNERS or not args.positional:
        return None
    kinds = (Array, Const, Static, Tree, Tuple, Ref)
    receivers = [m for m in members_of(args.positional[0]) if isinstance(m, kinds)]
    bound = [get_attribute(it, receiver, method, node) for receiver in receivers]
    return join_all(it.call(each, args.dropped(1), node) for each in bound)


# -- questions ------------------------------------------------------------------------------------


@model("len")
def _len(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    found = operations.sequence_items(it, _first(args))
    if found is not None and found[1] is not None:
        return Const(len(found[1]))
    contents = dict_contents(it, _first(args))
    if contents is not None and contents.rest is None:
        return Const(len(contents.items))
    length = call_special(it, _first(args), "__len__", node)
    traced = None if length is None else sure_array(length)
    if traced is not None:
        it.emit(
            Conversion, node, traced, operand=_node(args, node),
            exceptions=operations.INDEX_ERRORS, callee="len",
        )  # fmt: skip
        return UNKNOWN
    return length if isinstance(length, Const) else INT


@model("isinstance")
def _isinstance(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if len(args.positional) != 2:
        return BOOL
    value, types = args.positional
    outcome = type_test(it, value, types)
    check_type_test(it, value, types, node)
    return BOOL if outcome is None else (TRUE if outcome else FALSE)


def check_type_test(it: Interpreter, value: Value, types: Value, node: cst.CSTNode) -> None:
    """Report a type test that a Python scalar would pass and the tracer it became does not."""
    if not isinstance(value, Array) or value.level is not Level.ABSTRACT:
        return
    passed = value.python_type
    if passed is not None and passed in expected_scalars(types):
        tested: cst.CSTNode = node
        if isinstance(node, cst.Call) and node.args:
            tested = node.args[0].value
        elif isinstance(node, cst.Comparison):
            asked = node.left
            tested = asked.args[0].value if isinstance(asked, cst.Call) and asked.args else asked
        it.emit(TypeTest, node, value, operand=tested, test=it.text(node), python_type=passed)


@model("type")
def _type(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value = _first(args)
    if isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, Instance):
            return contents.cls
    if isinstance(value, Array):
        return ExternalInstance("jitlint.type", (("of", value),))
    if isinstance(value, (Const, Static)):
        kind = type_name(value)
        if kind in ("int", "float", "bool", "str"):
            return External(f"builtins.{kind}")
    return STATIC


@model("hasattr")
def _hasattr(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value, name = _first(args), constant(args.get(1, "name"))
    if isinstance(value, Array) and isinstance(name, str):
        from jitlint.jaxmodel import functions

        known = functions.array_attribute(name) is not None
        known = known or functions.array_method(name) is not None
        return TRUE if known else BOOL
    if isinstance(value, Ref) and isinstance(name, str):
        contents = it.contents(value)
        if isinstance(contents, Instance) and name in contents.attributes:
            # What is not known yet may be set by another method later.
            return BOOL if contents.attributes[name] == UNKNOWN else TRUE
    return BOOL


@model("callable")
def _callable(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    kinds: set[bool | None] = set()
    for member in members_of(_first(args)):
        if isinstance(member, (Function, BoundMethod, Partial, Transformed, Class, Cached)):
            kinds.add(True)
        elif isinstance(member, (Array, Const, Tuple)) or (
            isinstance(member, Static) and member.type is not None
        ):
            kinds.add(False)
        else:
            kinds.add(None)
    if kinds == {True}:
        return TRUE
    return FALSE if kinds == {False} else BOOL


@model("issubclass", "id")
def _some_static(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return STATIC


@model("hash")
def _hash(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    traced = operations.hashed_tracer(it, _first(args))
    if traced is not None:
        it.emit(
            Hash, node, traced, operand=_node(args, node),
            exceptions=operations.HASH_ERRORS, construct="hash()",
        )  # fmt: skip
        return UNKNOWN
    call_special(it, _first(args), "__hash__", node)
    return INT


@model("getattr")
def _getattr(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    from jitlint.absint.python.attributes import get_attribute

    name = constant(args.get(1, "name"))
    if isinstance(name, str):
        values = [get_attribute(it, m, name, node) for m in members_of(_first(args))]
        found = join_all(values)
        if len(args.positional) > 2 and found == UNKNOWN:
            return UNKNOWN
        return found
    return UNKNOWN


@model("setattr", "builtins.object.__setattr__")
def _setattr(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    name = constant(args.get(1, "name"))
    receiver = _first(args)
    if isinstance(receiver, Ref) and isinstance(name, str) and len(args.positional) > 2:
        contents = it.edit(receiver)
        if isinstance(contents, Instance):
            contents.attributes[name] = args.positional[2]
    if len(args.positional) > 2:
        it.signal(Kept(args.positional[2]))
        it.signal(AttributeSet(receiver, args.positional[2], node))
    return NONE


@model("print", "delattr", "breakpoint")
def _nothing(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return NONE


@model("super")
def _super(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    frame = it.frame
    code = frame.code
    unit = frame.parsed.unit
    if code is None or unit.cls is None or code.node is None or not code.parameters:
        return UNKNOWN
    variables = it.contents(frame.env)
    receiver = (variables or {}).get(code.parameters[0].name, UNKNOWN)
    owner = Class(unit.cls, frame.module)
    return ExternalInstance("builtins.super", (("<owner>", owner), ("<receiver>", receiver)))


# -- comparisons ----------------------------------------------------------------------------------


@model("min", "max")
def _extreme(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    assert isinstance(node, cst.Call)
    name = it.text(node.func)
    if "key" in args.keywords:
        return _by_key(it, args, node, name)
    if len(args.positional) == 1:
        value = args.positional[0]
        if isinstance(value, Array):
            if value.level is Level.ABSTRACT:
                return _asked(it, node, value, _node(args, node), name)
            return operations.array_result(it, (value,), rank=0, node=node)
        element, items = operations.iterate(it, value, node)
        candidates = list(items) if items is not None else [element, element]
    else:
        candidates = list(args.positional)
        if args.star is not None:
            candidates.extend([args.star] if candidates else [args.star, args.star])
    if len(candidates) > 1:
        known = [c for c in candidates if c != UNKNOWN]
        for candidate in known:
            traced = comparable_tracer(candidate)
            if traced is not None:
                return _asked(it, node, traced, _where(args, candidate, node), name)
        compare_objects(it, candidates, node, name)
    constants = [constant(candidate) for candidate in candidates]
    if constants and all(isinstance(c, (int, float)) for c in constants):
        return Const((min if name == "min" else max)(constants))
    joined = join_all(candidates)
    if isinstance(joined, (Const, Static)) and type_name(joined) != "ndarray":
        return Static(type_name(joined))
    return UNKNOWN if UNKNOWN in members_of(joined) else joined


def compare_objects(
    it: Interpreter, candidates: Sequence[Value], node: cst.CSTNode, name: str
) -> None:
    """Compare objects of the project's classes as ``max``, ``min`` and sorting do."""
    if len(candidates) < 2 or not all(isinstance(c, Ref) for c in candidates[:2]):
        return
    left, right = candidates[1], candidates[0]
    if isinstance(it.contents(left), Instance):  # type: ignore[arg-type]
        op = cst.GreaterThan if name == "max" else cst.LessThan
        result = operations.compare(it, op, left, right, node, node, node)
        operations.truth(it, result, node, BuiltinComparison, builtin=name)


def _asked(
    it: Interpreter,
    node: cst.CSTNode,
    traced: Array | Tree,
    operand: cst.CSTNode | None,
    builtin: str,
) -> Value:
    """A builtin asks a traced value, or a comparison of two, for its truth."""
    it.emit(
        BuiltinComparison,
        node,
        traced,
        operand=operand,
        exceptions=operations.BOOL_ERRORS,
        builtin=builtin,
    )
    return UNKNOWN


def _where(args: Arguments, value: Value, node: cst.CSTNode) -> cst.CSTNode:
    for index, candidate in enumerate(args.positional):
        if candidate is value and index < len(args.nodes):
            return args.nodes[index]
    return _node(args, node)


def _by_key(it: Interpreter, args: Arguments, node: cst.CSTNode, name: str) -> Value:
    element, items = (
        operations.iterate(it, args.positional[0], node)
        if len(args.positional) == 1
        else (join_all(args.positional), args.positional)
    )
    ranked = it.call(args.keywords["key"], Arguments([element]), node)
    traced = comparable_tracer(ranked)
    if traced is not None and (items is None or len(items) > 1):
        return _asked(it, node, traced, _node(args, node), name)
    return element


@model("sorted")
def _sorted(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value = _first(args)
    if "key" in args.keywords and args.keywords["key"] != NONE:
        result = _by_key(it, args, node, "sorted")
        return it.allocate(node, ListObject(None, result))
    element, items = operations.iterate(it, value, node)
    traced = operations.sorted_tracer(element, items)
    if traced is not None:
        return _asked(it, node, traced, _node(args, node), "sorted")
    if items is None or len(items) > 1:
        compare_objects(it, list(items or (element, element)), node, "sorted")
    # The order of static things is not followed, their kinds are.
    return it.allocate(node, ListObject(None, element, mutable=True))


@model("any", "all")
def _any_all(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    assert isinstance(node, cst.Call)
    value = _first(args)
    element, items = operations.iterate(it, value, node)
    for candidate in items if items is not None else (element,):
        traced = sure_array(candidate)
        if traced is not None:
            return _asked(it, node, traced, _node(args, node), it.text(node.func))
    stops = it.text(node.func) == "any"
    known = [constant(candidate) for candidate in (items if items is not None else (element,))]
    if all(truth is (not stops) for truth in known):
        return FALSE if stops else TRUE
    if items is not None and any(truth is stops for truth in known):
        return TRUE if stops else FALSE
    if stops and known == [True] and "Tracer" in it.frame.parsed.source(node):
        # Without a leaf there is no tracer to be kept either.
        return TRUE
    return BOOL


@model("filter", "itertools.filterfalse", "itertools.takewhile", "itertools.dropwhile")
def _filter(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if len(args.positional) < 2 or not isinstance(node, cst.Call):
        return UNKNOWN
    function, iterable = args.positional[:2]
    element, _ = operations.iterate(it, iterable, node)
    kept = element if function == NONE else it.call(function, Arguments([element]), node)
    traced = sure_array(kept)
    if traced is not None:
        return _asked(it, node, traced, _node(args, node, 1), it.text(node.func))
    return it.allocate(node, ListObject(None, element), "filter")


@model("itertools.compress")
def _compress(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    data, selectors = args.get(0, "data"), args.get(1, "selectors")
    if data is None or selectors is None or args.star is not None:
        return UNKNOWN
    traced = sure_array(operations.iterate(it, selectors, node)[0])
    if traced is not None:
        return _asked(it, node, traced, args.node(1, "selectors"), "itertools.compress")
    element, _ = operations.iterate(it, data, node)
    return it.allocate(node, ListObject(None, element), "compress")


@model("itertools.groupby")
def _groupby(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, items = operations.iterate(it, _first(args), node)
    function = args.get(1, "key")
    key = element
    if function is not None and function != NONE:
        key = it.call(function, Arguments([element]), node)
    traced = sure_array(key)
    if traced is not None and (items is None or len(items) > 1):
        return _asked(it, node, traced, _node(args, node), "itertools.groupby")
    group = it.allocate(node, ListObject(None, element), "group")
    return it.allocate(node, ListObject(None, Tuple((key, group))), "groupby")


@model("itertools.pairwise")
def _pairwise(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, _ = operations.iterate(it, _first(args), node)
    return it.allocate(node, ListObject(None, Tuple((element, element))), "pairwise")


@model("itertools.combinations", "itertools.permutations",
       "itertools.combinations_with_replacement")  # fmt: skip
def _combinations(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, _ = operations.iterate(it, _first(args), node)
    size = constant(args.get(1, "r"))
    if type(size) is not int or not 0 < size <= 8:
        row: Value = it.allocate(node, ListObject(None, element), "row")
    else:
        row = Tuple((element,) * size)
    return it.allocate(node, ListObject(None, row), "combinations")


@model("itertools.starmap")
def _starmap(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    row, _ = operations.iterate(it, args.positional[1], node)
    element, items = operations.iterate(it, row, node)
    given = Arguments(star=element) if items is None else Arguments(list(items))
    it.frame.turns.append(node)
    try:
        result = it.call(args.positional[0], given, node)
    finally:
        it.frame.turns.pop()
    return it.allocate(node, ListObject(None, result), "starmap")


# -- iteration ------------------------------------------------------------------------------------


@model("enumerate")
def _enumerate(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, items = operations.iterate(it, _first(args), node)
    start = constant(args.get(1, "start")) if args.get(1, "start") is not None else 0
    if items is not None and isinstance(start, int):
        pairs = tuple(Tuple((Const(i + start), item)) for i, item in enumerate(items))
        return it.allocate(node, ListObject(pairs, join_all(pairs)), "enumerate")
    return it.allocate(node, ListObject(None, Tuple((INT, element))), "enumerate")


@model("zip", "itertools.product", "itertools.zip_longest")
def _zip(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if args.star is not None:
        return UNKNOWN
    parts = [operations.iterate(it, value, node) for value in args.positional]
    product = isinstance(node, cst.Call) and it.text(node.func).endswith("product")
    if not product and parts and all(items is not None for _, items in parts):
        rows = tuple(
            Tuple(tuple(row)) for row in zip(*(items or () for _, items in parts), strict=False)
        )
        return it.allocate(node, ListObject(rows, join_all(rows)), "zip")
    element = Tuple(tuple(element for element, _ in parts))
    return it.allocate(node, ListObject(None, element), "zip")


@model("map")
def _map(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    function = args.positional[0]
    parts = [operations.iterate(it, value, node) for value in args.positional[1:]]
    it.frame.turns.append(node)
    try:
        if all(items is not None and len(items) <= 8 for _, items in parts):
            rows = zip(*(items or () for _, items in parts), strict=False)
            results = tuple(
                _made_apart(it, function, it.call(function, Arguments(list(row)), node), node, at)
                for at, row in enumerate(rows)
            )
            return it.allocate(node, ListObject(results, join_all(results)), "map")
        result = it.call(function, Arguments([element for element, _ in parts]), node)
        return it.allocate(node, ListObject(None, result), "map")
    finally:
        it.frame.turns.pop()


def _made_apart(
    it: Interpreter, function: Value, made: Value, node: cst.CSTNode, index: int
) -> Value:
    """A container that a builtin made for one element: ``map(list, rows)`` makes many."""
    contents = it.contents(made) if isinstance(made, Ref) else None
    if not isinstance(function, External) or not isinstance(contents, (ListObject, DictObject)):
        return made
    return it.allocate(node, contents.copy(), f"map {index}")


@model("reversed")
def _reversed(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    made = call_special(it, _first(args), "__reversed__", node)
    if made is not None:
        return made
    element, items = operations.iterate(it, _first(args), node)
    return it.allocate(
        node, ListObject(None if items is None else tuple(items)[::-1], element), "reversed"
    )


@model(
    "iter", "itertools.accumulate", "itertools.chain.from_iterable", "itertools.cycle",
    "itertools.islice",
)  # fmt: skip
def _iter(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, _ = operations.iterate(it, _first(args), node)
    return it.allocate(node, ListObject(None, element), "iterator")


@model("next")
def _next(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, _ = operations.iterate(it, _first(args), node)
    return element if len(args.positional) < 2 else join(element, args.positional[1])


@model("itertools.chain")
def _chain(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    elements = [operations.iterate(it, value, node)[0] for value in args.positional]
    return it.allocate(node, ListObject(None, join_all(elements)), "chain")


@model("itertools.count", "itertools.repeat")
def _count(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return it.allocate(node, ListObject(None, INT), "iterator")


@model("sum")
def _sum(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, items = operations.iterate(it, _first(args), node)
    parts = list(items) if items is not None else [element]
    if any(isinstance(part, Array) for part in parts):
        return operations.array_result(it, parts, node=node)
    known = [part for part in parts if isinstance(part, (Const, Static))]
    if parts and len(known) == len(parts):
        kinds = {type_name(part) for part in known}
        return Static(kinds.pop() if len(kinds) == 1 else None)
    return INT if not parts else UNKNOWN


@model("tuple")
def _tuple(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if not args.positional:
        return Tuple(())
    value = args.positional[0]
    element, items = operations.iterate(it, value, node)
    if items is not None:
        return Tuple(tuple(items))
    if isinstance(value, Static):
        return Static("shape") if value.type in ("shape", "range") else STATIC
    if value == UNKNOWN or element == UNKNOWN:
        return UNKNOWN
    return it.allocate(node, ListObject(None, element), "tuple")


@model("list", "collections.deque")
def _list(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if not args.positional:
        return it.allocate(node, ListObject((), UNKNOWN, mutable=True))
    element, items = operations.iterate(it, args.positional[0], node)
    return it.allocate(
        node, ListObject(None if items is None else tuple(items), element, mutable=True)
    )


@model("set")
def _set(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return _make_set(it, args, node, mutable=True)


@model("frozenset")
def _frozenset(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return _make_set(it, args, node, mutable=False)


def _make_set(it: Interpreter, args: Arguments, node: cst.CSTNode, *, mutable: bool) -> Value:
    if not args.positional:
        return it.allocate(node, SetObject(UNKNOWN, mutable=mutable))
    element, items = operations.iterate(it, args.positional[0], node)
    if operations.hashes_element(it, element, items, node, _node(args, node)):
        return UNKNOWN
    return it.allocate(node, SetObject(element, mutable=mutable))


@model("copy.copy", "copy.deepcopy")
def _copy(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    name = it.text(node.func) if isinstance(node, cst.Call) else ""
    return _copied(it, _first(args), node, 6 if "deep" in name else 1)


def _copied(it: Interpreter, value: Value, node: cst.CSTNode, depth: int, role: str = "") -> Value:
    """A value with its mutable objects made anew, some levels down."""
    if depth == 0:
        return value
    if isinstance(value, Tuple) and depth > 1:
        parts = enumerate(value.items)
        items = tuple(_copied(it, item, node, depth - 1, f"{role}.{i}") for i, item in parts)
        return Tuple(items, value.cls)
    contents = it.contents(value) if isinstance(value, Ref) else None
    if contents is None:
        return value
    new = contents.copy()

    def inner(part: Value, name: object) -> Value:
        return _copied(it, part, node, depth - 1, f"{role}.{name}")

    if isinstance(new, ListObject) and depth > 1:
        new.element = inner(new.element, "*")
        if new.items is not None:
            new.items = tuple(inner(item, i) for i, item in enumerate(new.items))
    elif isinstance(new, DictObject) and depth > 1:
        new.items = {key: inner(item, key) for key, item in new.items.items()}
        new.rest = None if new.rest is None else inner(new.rest, "*")
    elif isinstance(new, Instance) and depth > 1:
        new.attributes = {name: inner(item, name) for name, item in new.attributes.items()}
    return it.allocate(node, new, f"copy{role}")


@model("dict", "collections.OrderedDict", "collections.defaultdict", "flax.core.freeze",
       "types.MappingProxyType", "collections.Counter", "flax.core.unfreeze",
       "flax.core.FrozenDict")  # fmt: skip
def _dict(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    items: dict[Any, Value] = {}
    rest: Value | None = args.star_keywords
    name = it.text(node.func) if isinstance(node, cst.Call) else ""
    for value in args.positional if not name.endswith("defaultdict") else args.positional[1:]:
        contents = dict_contents(it, value)
        if contents is not None:
            items.update(contents.items)
            rest = contents.rest if rest is None else rest
            continue
        element, pairs = operations.iterate(it, value, node)
        if pairs is not None and all(
            isinstance(p, Tuple) and len(p.items) == 2 and isinstance(p.items[0], Const)
            for p in pairs
        ):
            for pair in pairs:
                assert isinstance(pair, Tuple) and isinstance(pair.items[0], Const)
                items[pair.items[0].value] = pair.items[1]
        elif isinstance(element, Tuple) and len(element.items) == 2:
            rest = element.items[1] if rest is None else join(rest, element.items[1])
        elif isinstance(value, Tree):
            return value
        else:
            rest = UNKNOWN
    items.update(args.keywords)
    if name.endswith(("defaultdict", "Counter")):
        rest = _missing_value(it, _first(args), node) if rest is None else rest
    return it.allocate(node, DictObject(items, rest))


def _missing_value(it: Interpreter, factory: Value, node: cst.CSTNode) -> Value:
    """What a defaultdict holds for a key that it did not have: one object stands for all."""
    if factory == External("builtins.list"):
        return it.allocate(node, ListObject(None, UNKNOWN), "missing")
    if factory == External("builtins.dict"):
        return it.allocate(node, DictObject({}, UNKNOWN), "missing")
    if factory == External("builtins.set"):
        return it.allocate(node, SetObject(UNKNOWN), "missing")
    return UNKNOWN


@model("abs")
def _abs(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value = _first(args)
    if isinstance(value, (Array, Tree)):
        return operations.array_result(it, (value,), node=node)
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        return Const(abs(value.value))
    special = call_special(it, value, "__abs__", node)
    if special is not None:
        return special
    return value if isinstance(value, Static) else UNKNOWN


@model("round", "pow", "divmod")
def _arithmetic(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if any(isinstance(value, (Array, Tree)) for value in args.positional):
        array = operations.array_result(it, args.positional, node=node)
        divides = isinstance(node, cst.Call) and it.text(node.func) == "divmod"
        return Tuple((array, array)) if divides else array
    if _has_unknown(args):
        return UNKNOWN
    return STATIC


# -- functools and friends ------------------------------------------------------------------------


@model("functools.partial", "functools.partialmethod")
def _partial(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return _make_partial(it, args, pytree=False)


@model("jax.tree_util.Partial", "equinox.Partial")
def _partial_pytree(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return _make_partial(it, args, pytree=True)


def _make_partial(it: Interpreter, args: Arguments, *, pytree: bool) -> Value:
    if not args.positional or args.star is not None:
        return UNKNOWN
    function = args.positional[0]
    if function == UNKNOWN or args.star_keywords is not None:
        return UNKNOWN
    made = Partial(
        function, tuple(args.positional[1:]), tuple(args.keywords.items()), pytree=pytree
    )
    if it.trace is None:
        it.made_here(made)
    return made


@model("functools.reduce")
def _reduce(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    function, iterable = args.positional[:2]
    element, items = operations.iterate(it, iterable, node)
    if items is not None and len(items) <= 4:
        parts = [*args.positional[2:3], *items]
        result = parts[0] if parts else UNKNOWN
        for part in parts[1:]:
            result = it.call(function, Arguments([result, part]), node)
        return result
    value = args.positional[2] if len(args.positional) > 2 else element
    return _folded(it, function, value, element, node)


def _folded(
    it: Interpreter, function: Value, start: Value, element: Value, node: cst.CSTNode
) -> Value:
    """The result of folding at least one element into a start value."""
    value = start
    for _ in range(2):
        result = it.call(function, Arguments([value, element]), node)
        value = result if isinstance(result, Array) else join(value, result)
    return value


@model("functools.wraps")
def _wraps(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return Partial(External("jitlint.wrapped"), (_first(args),), ())


@model("jitlint.wrapped")
def _wrapped(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    """``@wraps(f)``: the wrapper, which stands for a function with the signature of ``f``."""
    if len(args.positional) < 2:
        return UNKNOWN
    original, wrapper = args.positional[:2]
    if isinstance(wrapper, Function):
        it.reads.changed(wrapper.code.module)
        it.registered[("wraps", wrapper)] = original
    return wrapper


@model("contextlib.contextmanager")
def _contextmanager(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return Partial(External("jitlint.managed"), (_first(args),), ())


@model("jitlint.managed")
def _managed(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    """A call of a ``@contextmanager`` function: what ``as`` binds is what it yields."""
    made = it.call(_first(args), args.dropped(1), node)
    element, _ = operations.iterate(it, made, node)
    return ExternalInstance("jitlint.managed", (("value", element),))


@model("jax.ensure_compile_time_eval", "jax.disable_jit")
def _eager_context(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    assert isinstance(node, cst.Call)
    last = it.text(node.func).rpartition(".")[2]
    return ExternalInstance(f"jax.{last}")


@model(
    "jitlint.keep",
    "atexit.register",
    "jax.tree_util.register_pytree_node_class",
    "jax.block_until_ready",
    "jax.device_get",
)
def _keep(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return _first(args)


@model("typing.cast")
def _cast(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return args.positional[1] if len(args.positional) > 1 else UNKNOWN


@model("functools.lru_cache", "functools.cache")
def _lru_cache(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if args.positional and not isinstance(args.positional[0], (Const, Static)):
        return Cached(args.positional[0])
    return External("functools.cache")


@model("property")
def _property(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return Descriptor("property", _first(args))


@model("staticmethod")
def _staticmethod(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return Descriptor("staticmethod", _first(args))


@model("classmethod")
def _classmethod(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return Descriptor("classmethod", _first(args))


@model("dataclasses.replace", "jitlint.replace")
def _replace(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    from jitlint.absint.program.construction import replace

    return replace(it, _first(args), args, node)


@model("jitlint.create")
def _create(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    """``State.create(**fields)`` of a class that derives from Flax's ``TrainState``."""
    cls = _first(args)
    if not isinstance(cls, Class):
        return UNKNOWN
    return it.allocate(node, Instance(cls, dict(args.keywords)), "create")


_OPERATORS: Final[dict[str, type]] = {
    "add": cst.Add,
    "iadd": cst.Add,
    "sub": cst.Subtract,
    "mul": cst.Multiply,
    "truediv": cst.Divide,
    "floordiv": cst.FloorDivide,
    "mod": cst.Modulo,
    "pow": cst.Power,
    "matmul": cst.MatrixMultiply,
    "and_": cst.BitAnd,
    "or_": cst.BitOr,
    "xor": cst.BitXor,
}
_COMPARISONS: Final[dict[str, type]] = {
    "lt": cst.LessThan,
    "le": cst.LessThanEqual,
    "gt": cst.GreaterThan,
    "ge": cst.GreaterThanEqual,
    "eq": cst.Equal,
    "ne": cst.NotEqual,
}


def _operator_model(op: type, apply: Callable[..., Value]) -> Model:
    """``operator.add(a, b)`` is ``a + b``."""

    def operate(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
        if len(args.positional) != 2:
            return UNKNOWN
        return apply(it, op, *args.positional, node, node, node)

    return operate


for _name, _op in _OPERATORS.items():
    BUILTIN_MODELS[f"operator.{_name}"] = _operator_model(_op, operations.binary)
for _name, _op in _COMPARISONS.items():
    BUILTIN_MODELS[f"operator.{_name}"] = _operator_model(_op, operations.compare)


@model("operator.getitem")
def _getitem(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if len(args.positional) != 2:
        return UNKNOWN
    return operations.get_item(it, args.positional[0], args.positional[1], node)


BUILTIN_MODELS["operator.abs"] = _abs


@model("operator.neg", "operator.pos", "operator.invert")
def _unary_operator(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value = _first(args)
    return _abs(it, args, node) if isinstance(value, (Array, Tree, Static)) else UNKNOWN


@model("operator.itemgetter", "operator.attrgetter", "operator.methodcaller")
def _getter(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    """A function that takes an item or attribute, or calls a method, of what it is given."""
    if args.star is not None or args.star_keywords is not None or not isinstance(node, cst.Call):
        return UNKNOWN
    kind = it.text(node.func).rpartition(".")[2]
    wanted = Tuple(tuple(args.positional))
    return Partial(External(f"jitlint.{kind}"), (wanted,), tuple(args.keywords.items()))


@model("jitlint.itemgetter")
def _item_got(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    wanted, receiver = args.positional[0], args.get(1, "obj")
    if not isinstance(wanted, Tuple) or receiver is None:
        return UNKNOWN
    parts = tuple(
        join_all(operations.get_item(it, member, index, node) for member in members_of(receiver))
        for index in wanted.items
    )
    return parts[0] if len(parts) == 1 else Tuple(parts)


@model("jitlint.attrgetter")
def _attribute_got(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    from jitlint.absint.python.attributes import get_attribute

    wanted, receiver = args.positional[0], args.get(1, "obj")
    if not isinstance(wanted, Tuple) or receiver is None:
        return UNKNOWN
    parts = []
    for name in map(constant, wanted.items):
        value = receiver
        for step in name.split(".") if isinstance(name, str) else ():
            value = join_all(get_attribute(it, m, step, node) for m in members_of(value))
        parts.append(value if isinstance(name, str) else UNKNOWN)
    return parts[0] if len(parts) == 1 else Tuple(tuple(parts))


@model("jitlint.methodcaller")
def _method_called(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    from jitlint.absint.python.attributes import get_attribute

    wanted, receiver = args.positional[0], args.get(1, "obj")
    if not isinstance(wanted, Tuple) or not wanted.items or receiver is None:
        return UNKNOWN
    name = constant(wanted.items[0])
    if not isinstance(name, str):
        return UNKNOWN
    rest = Arguments(list(wanted.items[1:]), dict(args.keywords))
    return join_all(
        it.call(get_attribute(it, member, name, node), rest, node)
        for member in members_of(receiver)
    )


# -- pytrees --------------------------------------------------------------------------------------


def leaf_of(it: Interpreter, value: Value, depth: int = 6) -> Value:
    """One value that stands for every leaf of a pytree."""
    if isinstance(value, Tree):
        return Array(value.level, certainty=value.certainty, origin=value.origin)
    if depth == 0:
        return UNKNOWN
    if isinstance(value, Union):
        return join_all(leaf_of(it, member, depth) for member in value.members if member != NONE)
    if isinstance(value, Tuple):
        leaves = [leaf_of(it, item, depth - 1) for item in value.items if item != NONE]
        return join_all(leaves)
    if isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, ListObject):
            parts = contents.items if contents.items is not None else (contents.element,)
            return join_all(leaf_of(it, part, depth - 1) for part in parts if part != NONE)
        if isinstance(contents, DictObject):
            values = [*contents.items.values(), *([contents.rest] if contents.rest else [])]
            return join_all(leaf_of(it, part, depth - 1) for part in values if part != NONE)
        if isinstance(contents, Instance):
            from jitlint.absint.program.classes import class_info

            info = class_info(it, contents.cls)
            if info.pytree == "leaves":
                parts_ = [v for k, v in contents.attributes.items() if k not in info.static]
                return join_all(leaf_of(it, part, depth - 1) for part in parts_ if part != NONE)
        return UNKNOWN
    return value


@model("jax.tree.leaves", "jax.tree_util.tree_leaves", "jax.tree_leaves")
def _leaves(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return it.allocate(node, ListObject(None, leaf_of(it, _first(args))))


@model("jax.tree.leaves_with_path", "jax.tree_util.tree_leaves_with_path")
def _leaves_with_path(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    pair = Tuple((STATIC, leaf_of(it, _first(args))))
    return it.allocate(node, ListObject(None, pair, mutable=True))


@model("jax.tree.flatten_with_path", "jax.tree_util.tree_flatten_with_path")
def _flatten_with_path(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return Tuple((_leaves_with_path(it, args, node), STATIC))


@model("jax.tree.flatten", "jax.tree_util.tree_flatten", "jax.tree_flatten")
def _flatten(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    leaves = it.allocate(node, ListObject(None, leaf_of(it, _first(args))))
    return Tuple((leaves, STATIC))


@model("jax.tree.unflatten", "jax.tree_util.tree_unflatten", "jax.tree_unflatten")
def _unflatten(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    leaves = args.positional[1] if len(args.positional) > 1 else UNKNOWN
    traced = find_traced(it, leaves, 2)
    if traced is None:
        return UNKNOWN
    return Tree(traced.level, certainty=traced.certainty, origin=traced.origin)


@model("jax.tree.reduce", "jax.tree_util.tree_reduce", "jax.tree_reduce")
def _tree_reduce(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    leaf = leaf_of(it, args.positional[1])
    start = args.positional[2] if len(args.positional) > 2 else leaf
    return _folded(it, args.positional[0], start, leaf, node)


@model("jax.tree.all", "jax.tree_util.tree_all")
def _tree_all(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    leaf = leaf_of(it, _first(args))
    traced = sure_array(leaf)
    if traced is not None:
        return _asked(it, node, traced, _node(args, node), "jax.tree.all")
    return BOOL


@model("jax.tree.structure", "jax.tree_util.tree_structure")
def _structure(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return STATIC


@model("collections.namedtuple")
def _namedtuple(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    fields = args.get(1, "field_names")
    names: list[Value] = []
    if isinstance(fields, Const) and isinstance(fields.value, str):
        names = [Const(name) for name in fields.value.replace(",", " ").split()]
    elif fields is not None:
        found = operations.sequence_items(it, fields)
        names = list(found[1] or ()) if found is not None else []
    if not names or not all(isinstance(name, Const) for name in names):
        return UNKNOWN
    return ExternalInstance("jitlint.namedtuple", (("fields", Tuple(tuple(names))),))


#: how an array is split over devices; ``axes`` has a name, names or None for each dimension
PARTITION: Final = "jax.sharding.PartitionSpec"


@model(PARTITION, "jax.P", "jax.experimental.PartitionSpec", "jax.experimental.pjit.PartitionSpec")
def _partition(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if args.star is not None:
        return ExternalInstance(PARTITION)
    return ExternalInstance(PARTITION, (("axes", Tuple(tuple(args.positional))),))


@model("jax.ShapeDtypeStruct")
def _shape_struct(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return SHAPE_STRUCT
