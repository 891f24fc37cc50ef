"""What JAX must know of a program before it traces it, so that no array can stand for it.

Lengths of loops, shapes, bounds of slices, tests, meshes, names of axes: another one is another
program, in whichever way a function comes by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import children, walk, walk_own
from jitlint.absint.detectors.surroundings.freshness import computes_with_numbers
from jitlint.absint.detectors.surroundings.loop_variables import given_by_name, loop_targets
from jitlint.absint.detectors.surroundings.paths import repeats
from jitlint.absint.detectors.surroundings.written import (
    bindings,
    nodes_around,
    root_name,
    values_in,
)
from jitlint.absint.limits import CLOSURE_LEVELS
from jitlint.absint.values.domain import (
    Array,
    Class,
    Const,
    External,
    Function,
    ModuleValue,
    Static,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel import frameworks, functions
from jitlint.jaxmodel.transforms import transform

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


def fixed_parameters(
    it: Interpreter, owner: Code | None, function: Value, options: Iterable[cst.CSTNode]
) -> frozenset[str]:
    """The parameters of a function that makes another of which JAX must know what they are.

    Args:
      it: the interpreter, at the place that makes it.
      owner: the function that makes it.
      function: what is made there.
      options: what is said of how to compile it.
    """
    if owner is None or owner.node is None:
        return frozenset()
    names = {parameter.name for parameter in owner.parameters} - {"self", "cls"}
    if not names:
        return frozenset()
    return _origins(it, owner.node, names, _fixed(it, function, options, owner.node))


def varies_with_loops(it: Interpreter, function: Value, options: Iterable[cst.CSTNode]) -> bool:
    """Whether each turn of all the loops around needs a program of its own.

    A loop around it that goes through nothing that JAX must know comes to each of them again.
    """
    loops = [loop for loop in it.frame.enclosing_loops if repeats(loop)]
    if not loops:
        return False
    fixed = _fixed(it, function, options, loops[0])
    return bool(fixed) and all(
        _origins(it, loops[0], it.written(loop_targets, loop), fixed) for loop in loops
    )


def choices_of(around: cst.CSTNode, node: cst.CSTNode) -> list[cst.BaseExpression]:
    """The tests by which one of several functions of a name is the one that is transformed.

    ``if mode == "padded": def body(x): ...``, ``else: def body(x): ...``.

    Args:
      around: the function or the loop that they stand in.
      node: what transforms one of them there.
    """
    names = {*values_in(node)}
    return [
        inner.test
        for inner in walk_own(around)
        if isinstance(inner, cst.If)
        and any(
            isinstance(line, cst.FunctionDef) and line.name.value in names
            for branch in (inner, inner.orelse)
            if isinstance(branch, (cst.If, cst.Else))
            for line in branch.body.body
        )
    ]


def bound_for_good(it: Interpreter, argument: cst.CSTNode | None) -> list[cst.BaseExpression]:
    """What a partial binds for parameters of which JAX must know what they are.

    Args:
      it: the interpreter, at the place that transforms it.
      argument: what stands there: a call of ``partial``, or the name of what one has given.
    """
    values: Sequence[cst.CSTNode | None] = [argument]
    if isinstance(argument, cst.Name):
        around = nodes_around(it.frame)
        bound = (pair for node in around if isinstance(node, cst.Assign) for pair in bindings(node))
        values = [value for target, value in bound if argument.deep_equals(target)]
    return [
        given
        for value in values
        if isinstance(value, cst.Call)
        for given in _fixed_arguments(it, value.func, value.args, CLOSURE_LEVELS)
    ]


def handed_on(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """Which parameters of the running function a call makes those of its callee of.

    Returns:
      ``count size``, where it passes ``size``, or what is made of it, for ``count``.
    """
    code = it.frame.code
    if code is None or code.node is None or not isinstance(node, cst.Call):
        return frozenset()
    names = {parameter.name for parameter in code.parameters} - {"self", "cls"}
    if not names:
        return frozenset()
    return frozenset(
        f"{name} {origin}"
        for name, value in given_by_name(callee, node)
        for origin in _origins(it, code.node, names, frozenset(values_in(value)))
    )


def picks_sizes(it: Interpreter, function: Value, parameter: str) -> bool:
    """Whether a function takes sizes for a parameter from a list: ``reshape(x, self.shapes[i])``.

    There are as many programs as the list has entries, each for arrays of other sizes.
    """
    base = base_function(function)
    code = None if base is None else it.load(base.code)
    if code is None or code.node is None or parameter not in it.written(_picking, code.node):
        return False
    return any(
        _picked_by(inner) == parameter
        for call in walk(code.node)
        if isinstance(call, cst.Call)
        for value in _fixed_arguments(it, call.func, call.args, 1)
        for inner in walk(value)
    )


def _picking(around: cst.CSTNode) -> frozenset[str | None]:
    """The names that pick an element in a piece of code."""
    return frozenset(map(_picked_by, walk(around)))


def _picked_by(node: cst.CSTNode) -> str | None:
    """The name that a subscript picks one element by."""
    if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
        return None
    index = node.slice[0].slice
    return root_name(index.value) if isinstance(index, cst.Index) else None


def origins_by_call(handed: frozenset[str], names: frozenset[str]) -> frozenset[str]:
    """The parameters of a caller that some of its callee are made of, by :func:`handed_on`."""
    pairs = (each.split(" ") for each in handed)
    return frozenset(origin for name, origin in pairs if name in names)


def _fixed(
    it: Interpreter, function: Value, options: Iterable[cst.CSTNode], around: cst.CSTNode
) -> frozenset[str]:
    """The names at the current point that say what program is made, by the code around it."""
    written = (name for option in options for name in values_in(option))
    read = _read(it, function, CLOSURE_LEVELS, set())
    return read.union(written, _sizing(it, function, around))


def _read(it: Interpreter, function: Value, levels: int, seen: set[Code]) -> frozenset[str]:
    """The names around a function that it reads where JAX must know, or what it calls does."""
    base = base_function(function)
    code = None if base is None or not base.closure else it.load(base.code)
    if code is None or code.node is None or code in seen or not levels:
        return frozenset()
    seen.add(code)
    outside = frozenset(code.free_names) - code.bound_names
    fixed = frozenset(_fixed_in(it, code.node, levels))
    # What is bound early stands for what has a name around the function: ``def step(x, f=f)``.
    early = {
        name
        for parameter in code.parameters
        if parameter.default is not None
        and (parameter.name in fixed or parameter.name in it.written(_called_by_name, code.node))
        for name in values_in(parameter.default)
    }
    found = {name for name in (outside & fixed) | early if _is_of_another(it, name)}
    for name in (outside | early) - (fixed & outside):
        value = it.look_up(name)
        if isinstance(value, Function):
            found |= _read(it, value, levels - 1, seen)
        elif _is_text(value):
            found.add(name)
    return frozenset(found).union(_called_in(it, code.node, outside))


def _called_by_name(node: cst.CSTNode) -> frozenset[str]:
    """The names that a piece of code calls."""
    return frozenset(
        inner.func.value
        for inner in walk(node)
        if isinstance(inner, cst.Call) and isinstance(inner.func, cst.Name)
    )


def _is_of_another(it: Interpreter, name: str) -> bool:
    """Whether more than numbers tell what has a name from its like: arguments could be these."""
    value = it.look_up(name)
    return not (isinstance(value, Function) and computes_with_numbers(it, value))


def _sizing(it: Interpreter, function: Value, around: cst.CSTNode) -> Iterator[str]:
    """The names at the current point that say how large the arrays are that a function holds.

    An array could stand for ``rate`` in ``jnp.full(size, rate)``, and none for ``size``; nor is
    anything else as long that was made of ``models[:size]``.
    """
    base = base_function(function)
    code = None if base is None or it.frame.env not in base.closure else it.load(base.code)
    if code is None:
        return
    values = it.written(_values, around)
    early = (parameter.default for parameter in code.parameters if parameter.default is not None)
    seen = {*code.free_names} - code.bound_names
    seen |= {name for default in early for name in values_in(default)}
    waiting = [*seen]
    while waiting:
        name = waiting.pop()
        is_array = isinstance(it.look_up(name), Array)
        for value in values.get(name, ()):
            yield from _fixed_in(it, value, CLOSURE_LEVELS) if is_array else _slicing(value)
            used = frozenset(values_in(value)) - seen
            seen |= used
            waiting += used


def _slicing(node: cst.CSTNode) -> Iterator[str]:
    """The names in the bounds of slices."""
    for inner in walk(node):
        if isinstance(inner, cst.Slice):
            for bound in (inner.lower, inner.upper, inner.step):
                if bound is not None:
                    yield from values_in(bound)


def _called_in(it: Interpreter, node: cst.CSTNode, names: frozenset[str]) -> Iterator[str]:
    """Those of some names that a function calls, or a method of: of another, it does another thing.

    Not so where only numbers tell what is called from its like, for which arguments could stand.
    """
    for inner in walk(node):
        name = root_name(inner.func) if isinstance(inner, cst.Call) else None
        if name in names:
            value = it.look_up(name)
            if not (isinstance(value, Array) or computes_with_numbers(it, value)):
                yield name


def _fixed_in(
    it: Interpreter, node: cst.CSTNode, levels: int, home: Code | None = None
) -> Iterator[str]:
    """The names in the code of a function that stand where no array can.

    Args:
      it: the interpreter.
      node: the code.
      levels: of calls that are followed.
      home: the function of a module that it belongs to, None for what stands in the one that runs.
    """
    for inner in walk(node):
        if isinstance(inner, (cst.If, cst.While, cst.IfExp, cst.Assert)):
            yield from values_in(inner.test)
        elif isinstance(inner, cst.BooleanOperation):
            yield from values_in(inner)
        elif isinstance(inner, cst.Slice):
            yield from _slicing(inner)
        elif isinstance(inner, cst.Call):
            for value in _fixed_arguments(it, inner.func, inner.args, levels, home):
                yield from values_in(value)


def _fixed_arguments(
    it: Interpreter,
    func: cst.BaseExpression,
    args: Iterable[cst.Arg],
    levels: int,
    home: Code | None = None,
) -> Iterator[cst.BaseExpression]:
    """The arguments of a call for which arrays are refused, in code of a function as above."""
    given = [arg for arg in args if not arg.star]
    callee = _callee(it, func, home)
    if isinstance(callee, External) and callee.name == "functools.partial" and given:
        yield from _fixed_arguments(it, given[0].value, given[1:], levels, home)
    elif isinstance(callee, Function):
        code = it.load(callee.code) if levels else None
        if code is not None and code.node is not None and not callee.closure:
            fixed = frozenset(_fixed_in(it, code.node, levels - 1, code))
            fixed = (fixed | it.written(_called_by_name, code.node)) - _rebound(code)
            for index, arg in enumerate(given):
                if _name_of(arg, code.parameter_names, index) in fixed:
                    yield arg.value
    elif isinstance(callee, Class):
        for arg in given:
            names = values_in(arg.value)
            if home is None and any(_is_number(it.look_up(name)) for name in names):
                yield arg.value
    else:
        wanted, positional = _facts(callee, func)
        for index, arg in enumerate(given):
            if wanted is None or _name_of(arg, positional, index) in wanted:
                yield arg.value


def _rebound(code: Code) -> frozenset[str]:
    """The parameters of a function to which it gives other values."""
    assert code.node is not None
    return frozenset(
        target.value for target, _ in bindings(code.node) if isinstance(target, cst.Name)
    )


def _callee(it: Interpreter, func: cst.BaseExpression, home: Code | None) -> Value | None:
    """What is called, as far as names and attributes of modules tell."""
    if isinstance(func, cst.Name):
        if home is None:
            return it.look_up(func.value)
        is_local = func.value in home.bound_names
        return None if is_local else it.attribute(ModuleValue(home.module), func.value, func)
    if not isinstance(func, cst.Attribute):
        return None
    whole = _callee(it, func.value, home)
    if isinstance(whole, ModuleValue):
        return it.attribute(whole, func.attr.value, func)
    return External(f"{whole.name}.{func.attr.value}") if isinstance(whole, External) else None


def _facts(
    callee: Value | None, func: cst.BaseExpression
) -> tuple[frozenset[str] | None, list[str]]:
    """The parameters for which a function of a library takes no arrays, None for all of them.

    Returns:
      They, and the names of all that may be passed by position.
    """
    if isinstance(callee, External):
        if callee.name == "builtins.range":
            return None, []
        fact = functions.lookup(callee.name)
        if fact is not None:
            fixed = {*fact.must_be_static, *fact.unless_given, *fact.documented_static}
            return frozenset(fixed), _positional(fact)
        framework = frameworks.lookup(callee.name)
        if framework is not None:
            return frozenset(framework.must_be_static), []
        row = transform(callee.name)
        if row is not None and row.kind == "wrap":
            return frozenset({*row.options, *_OPTIONS}), ["", *row.options]
        return frozenset(), []
    method = func.attr.value if isinstance(func, cst.Attribute) else ""
    of_array = functions.array_method(method) if method else None
    if of_array is None:
        return frozenset(), []
    names = _positional(of_array)
    if names[:1] == ["args"]:
        # `x.reshape(2, -1)`.
        return (None if "args" in of_array.must_be_static else frozenset()), []
    return frozenset(of_array.must_be_static), names


#: of transforms, whichever of them takes them
_OPTIONS: Final = frozenset(
    "argnums axis_name axis_size donate_argnums in_axes in_shardings in_specs mesh out_axes"
    " out_shardings out_specs static_argnames static_argnums".split()
)


def _positional(fact: functions.FunctionFact) -> list[str]:
    return [parameter.name for parameter in fact.parameters or ()]


def _name_of(arg: cst.Arg, names: list[str], index: int) -> str | None:
    """The parameter that an argument is for."""
    if arg.keyword is not None:
        return arg.keyword.value
    return names[index] if index < len(names) else None


def _is_text(value: Value) -> bool:
    return isinstance(value, (Const, Static)) and type_name(value) == "str"


def _is_number(value: Value) -> bool:
    return any(
        isinstance(member, (Const, Static)) and type_name(member) in ("bool", "float", "int", "str")
        for member in members_of(value)
    )


def _origins(
    it: Interpreter, around: cst.CSTNode, names: Set[str], of: frozenset[str]
) -> frozenset[str]:
    """Those of some names of which others are made, by assignments in a piece of code."""
    if not of or not names:
        return frozenset()
    made = it.written(_assigned, around)
    waiting, seen = [*of], {*of}
    while waiting:
        for name in made.get(waiting.pop(), frozenset()) - seen:
            seen.add(name)
            waiting.append(name)
    return frozenset(seen & names)


def _assigned(around: cst.CSTNode) -> Mapping[str, frozenset[str]]:
    """The names that a piece of code assigns to, with those that their values are made of.

    So are the names in the tests that choose among several.
    """
    made: dict[str, frozenset[str]] = {}
    waiting: list[tuple[cst.CSTNode, frozenset[str]]] = [(around, frozenset())]
    while waiting:
        node, tested = waiting.pop()
        if isinstance(node, cst.Assign):
            used = tested.union(values_in(node.value))
            for target in node.targets:
                for name in target_names(target.target):
                    made[name] = made.get(name, frozenset()) | used
        elif isinstance(node, cst.If):
            inside = tested | _tested(node.test)
            waiting += [(child, inside) for child in children(node)]
        elif node is around or not isinstance(node, (cst.BaseExpression, *_SCOPES)):
            waiting += [(child, tested) for child in children(node)]
    return made


_SCOPES: Final = (cst.FunctionDef, cst.ClassDef)


def _tested(test: cst.BaseExpression) -> frozenset[str]:
    """The names that a test is about."""
    sides = (inner.left for inner in walk(test) if isinstance(inner, cst.Comparison))
    compared = {side.value for side in sides if isinstance(side, cst.Name)}
    return frozenset(values_in(test)) | compared


def _values(around: cst.CSTNode) -> Mapping[str, list[cst.BaseExpression]]:
    """The names that a piece of code assigns to, with what it assigns to them."""
    found: dict[str, list[cst.BaseExpression]] = {}
    for node in walk_own(around):
        if isinstance(node, cst.Assign):
            for target in node.targets:
                for name in target_names(target.target):
                    found.setdefault(name, []).append(node.value)
    return found
