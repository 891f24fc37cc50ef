"""What JAX must know of a program before it traces it, so that no array can stand for it.

Lengths of loops, shapes, bounds of slices, tests, meshes, names of axes: another one is another
program, in whichever way a function comes by it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import walk, walk_own
from jitlint.absint.detectors.surroundings.loop_variables import (
    bound_in_loops,
    given_by_name,
    loop_targets,
    receiver_of,
)
from jitlint.absint.detectors.surroundings.paths import repeating_loops
from jitlint.absint.detectors.surroundings.written import (
    bindings,
    nodes_around,
    root_name,
    values_in,
)
from jitlint.absint.detectors.variants.fixed_arguments import (
    called_by_name,
    fixed_arguments,
    fixed_in,
    slicing,
)
from jitlint.absint.detectors.variants.made_again import made_again
from jitlint.absint.detectors.variants.numeric import is_of_numbers
from jitlint.absint.detectors.variants.origins import origins
from jitlint.absint.limits import CLOSURE_LEVELS
from jitlint.absint.values.domain import (
    Array,
    BoundMethod,
    Const,
    Function,
    Partial,
    Static,
    Transformed,
    Value,
    base_function,
)
from jitlint.absint.values.lattice import type_name

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


def fixed_parameters(
    it: Interpreter,
    owner: Code | None,
    function: Value,
    argument: cst.CSTNode | None,
    options: Iterable[cst.CSTNode],
) -> frozenset[str]:
    """The parameters of a function that makes another of which JAX must know what they are.

    Args:
      it: the interpreter, at the place that makes it.
      owner: the function that makes it.
      function: what is made there.
      argument: what it is made of, as it is written.
      options: what is said of how to compile it.
    """
    if owner is None or owner.node is None:
        return frozenset()
    is_own = _is_of_object(owner, function, argument)
    of_object = frozenset({"self"}) if is_own else frozenset[str]()
    names = {parameter.name for parameter in owner.parameters} - {"self", "cls"}
    if not names:
        return of_object
    return of_object | origins(it, owner.node, names, _fixed(it, function, options, owner.node))


def _is_of_object(owner: Code, function: Value, argument: cst.CSTNode | None) -> bool:
    """Whether what a method makes is a method of its own object, whatever is bound of it.

    Or a function that the object holds.  Another object may be another model, for which no array
    stands.
    """
    if owner.cls is None or owner.parameter_names[:1] != ["self"]:
        return False
    while isinstance(function, (Partial, Transformed)):
        function = function.function
    return isinstance(function, BoundMethod) or (
        isinstance(argument, cst.Attribute) and root_name(argument) == "self"
    )


def varies_with_loops(it: Interpreter, function: Value, options: Iterable[cst.CSTNode]) -> bool:
    """Whether each turn of all the loops around needs a program of its own.

    A loop around it that goes through nothing that JAX must know comes to each of them again.
    """
    loops = repeating_loops(it.frame)
    if not loops:
        return False
    fixed = _fixed(it, function, options, loops[0])
    return bool(fixed) and follow_loops(it, fixed)


def follow_loops(it: Interpreter, names: frozenset[str]) -> bool:
    """Whether something that some names stand for is made of what each loop around goes through."""
    loops = repeating_loops(it.frame)
    return bool(loops) and all(
        origins(it, loops[0], it.written(loop_targets, loop), names) for loop in loops
    )


def choices_of(it: Interpreter, node: cst.CSTNode) -> list[cst.BaseExpression]:
    """The tests by which one of several functions of a name is the one that is transformed.

    ``if mode == "padded": def body(x): ...``, ``else: def body(x): ...``.

    Args:
      it: the interpreter, in the function that they stand in.
      node: what transforms one of them there.
    """
    code = it.frame.code
    if code is None or code.node is None:
        return []
    names = {*values_in(node)}
    return [test for test, defined in it.written(_choosing, code.node) if defined & names]


def _choosing(around: cst.CSTNode) -> list[tuple[cst.BaseExpression, set[str]]]:
    """The tests in a piece of code under which functions are defined, with the names of these."""
    tests = [
        (
            inner.test,
            {
                line.name.value
                for branch in (inner, inner.orelse)
                if isinstance(branch, (cst.If, cst.Else))
                for line in branch.body.body
                if isinstance(line, cst.FunctionDef)
            },
        )
        for inner in walk_own(around)
        if isinstance(inner, cst.If)
    ]
    return [(test, defined) for test, defined in tests if defined]


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
        for given in fixed_arguments(it, value.func, value.args, CLOSURE_LEVELS)
    ]


def makes_for_sizes(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether what a call in a loop makes is called on arrays of another size in each turn.

    ``for size in sizes: step = make_step(size)``, and ``step(jnp.ones(size))`` below.
    """
    loops = repeating_loops(it.frame)
    if not loops:
        return False
    calls = it.written(_calls_of_made, loops[-1]).get(id(node), ())
    return bool(calls) and all(
        origins(it, loop, it.written(loop_targets, loop), frozenset(_sizes(it, given, loop)))
        for call in calls
        for given in [{name for arg in call.args for name in values_in(arg.value)}]
        for loop in loops
    )


def _calls_of_made(around: cst.CSTNode) -> dict[int, list[cst.Call]]:
    """By the ``id`` of each value that a piece of code gives a name, the calls of that name."""
    calls: dict[str, list[cst.Call]] = defaultdict(list)
    for inner in walk_own(around):
        if isinstance(inner, cst.Call) and isinstance(inner.func, cst.Name):
            calls[inner.func.value].append(inner)
    return _by_value(around, calls)


def _by_value(
    around: cst.CSTNode, calls: Mapping[str, list[cst.Call]]
) -> dict[int, list[cst.Call]]:
    """By the ``id`` of each value that a piece of code gives a name, what there is for the name.

    What decorates a function gives its name a value.
    """
    found: dict[int, list[cst.Call]] = defaultdict(list)
    for inner in walk(around):
        if isinstance(inner, cst.FunctionDef):
            for decorator in inner.decorators:
                found[id(decorator.decorator)] += calls.get(inner.name.value, ())
    for target, value in bindings(around):
        if value is not None and isinstance(target, cst.Name):
            found[id(value)] += calls.get(target.value, ())
    return found


def worked_on(it: Interpreter, node: cst.CSTNode, around: cst.CSTNode) -> frozenset[str]:
    """The names of what a function is called on that some code makes and gives a name.

    Also by a function in it, ``timed(lambda: f(x))``, and beside it in what it is handed to,
    ``measure(f, x)``.

    Args:
      it: the interpreter.
      node: what makes the function.
      around: the code.
    """
    calls = it.written(_uses_of_made, around).get(id(node), ())
    return frozenset(name for call in calls for arg in call.args for name in values_in(arg.value))


def _uses_of_made(around: cst.CSTNode) -> dict[int, list[cst.Call]]:
    """By the ``id`` of each value that a piece of code names, calls of that, or that it is for."""
    calls: dict[str, list[cst.Call]] = defaultdict(list)
    for inner in walk(around):
        if isinstance(inner, cst.Call):
            for node in (inner.func, *(arg.value for arg in inner.args)):
                if isinstance(node, cst.Name):
                    calls[node.value].append(inner)
    return _by_value(around, calls)


def handed_on(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """Which parameters of the running function a call makes those of its callee of.

    Returns:
      ``count size``, where it passes ``size``, or what is made of it, for ``count``.
    """
    code = it.frame.code
    if code is None or code.node is None or not isinstance(node, cst.Call):
        return frozenset()
    names = {parameter.name for parameter in code.parameters} - {"cls"}
    if not names:
        return frozenset()
    return frozenset(
        f"{name} {origin}"
        for name, value in _given(callee, node)
        for origin in origins(it, code.node, names, frozenset(values_in(value)))
        if name == "self" or origin != "self"
    )


def _given(callee: Code, node: cst.Call) -> Iterator[tuple[str, cst.BaseExpression]]:
    """What a call gives which parameters, with the object of a method."""
    yield from given_by_name(callee, node)
    receiver = receiver_of(callee, node)
    if receiver is not None:
        yield "self", receiver


def made_alike(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """The parameters for which a call in a loop passes what each turn makes in the same way.

    ``model = load("model.bin")``: it is another object in each turn, and needs no other program.
    """
    if not isinstance(node, cst.Call) or not it.frame.enclosing_loops:
        return frozenset()
    bound = bound_in_loops(it)
    again = it.written(made_again, it.frame.enclosing_loops[0])
    return frozenset(
        name
        for name, value in _given(callee, node)
        if (used := bound.intersection(values_in(value))) and used <= again
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
        for value in fixed_arguments(it, call.func, call.args, 1)
        for inner in walk(value)
    )


def makes_sizes(it: Interpreter, function: Value, parameter: str | None) -> bool:
    """Whether a function makes shapes and lengths of a parameter: ``jnp.arange(-n, n + 1)``."""
    base = base_function(function)
    code = None if base is None else it.load(base.code)
    return (
        code is not None
        and code.node is not None
        and any(
            parameter in {*values_in(value)}
            for call in walk(code.node)
            if isinstance(call, cst.Call)
            for value in fixed_arguments(it, call.func, call.args, 1, code)
        )
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
    fixed = frozenset(fixed_in(it, code.node, levels))
    # What is bound early stands for what has a name around the function: ``def step(x, f=f)``.
    early = {
        name
        for parameter in code.parameters
        if parameter.default is not None
        and (parameter.name in fixed or parameter.name in it.written(called_by_name, code.node))
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


def _is_of_another(it: Interpreter, name: str) -> bool:
    """Whether more than numbers tell what has a name from its like: arguments could be these."""
    return not is_of_numbers(it, name)


def _sizing(it: Interpreter, function: Value, around: cst.CSTNode) -> Iterator[str]:
    """The names at the current point that say how large the arrays are that a function holds.

    An array could stand for ``rate`` in ``jnp.full(size, rate)``, and none for ``size``; nor is
    anything else as long that was made of ``models[:size]``.
    """
    base = base_function(function)
    code = None if base is None or it.frame.env not in base.closure else it.load(base.code)
    if code is None:
        return
    early = (parameter.default for parameter in code.parameters if parameter.default is not None)
    held = {*code.free_names} - code.bound_names
    yield from _sizes(it, held.union(*map(values_in, early)), around)


def _sizes(it: Interpreter, names: Set[str], around: cst.CSTNode) -> Iterator[str]:
    """The names that say how large what has some names is, by the code around."""
    values = it.written(_values, around)
    seen = {*names}
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        is_array = isinstance(it.look_up(name), Array)
        for value in values.get(name, ()):
            yield from fixed_in(it, value, CLOSURE_LEVELS) if is_array else slicing(value)
            used = frozenset(values_in(value)) - seen
            seen |= used
            waiting += used


def _called_in(it: Interpreter, node: cst.CSTNode, names: frozenset[str]) -> Iterator[str]:
    """Those of some names that a function calls, or a method of: of another, it does another thing.

    Not so where only numbers tell what is called from its like, for which arguments could stand.
    """
    for inner in walk(node):
        name = root_name(inner.func) if isinstance(inner, cst.Call) else None
        if name not in names or isinstance(it.look_up(name), Array):
            continue
        if not is_of_numbers(it, name):
            yield name


def _is_text(value: Value) -> bool:
    return isinstance(value, (Const, Static)) and type_name(value) == "str"


def _values(around: cst.CSTNode) -> Mapping[str, list[cst.BaseExpression]]:
    """The names that a piece of code assigns to, with what it assigns to them."""
    found: dict[str, list[cst.BaseExpression]] = {}
    for node in walk_own(around):
        if isinstance(node, cst.Assign):
            for target in node.targets:
                for name in target_names(target.target):
                    found.setdefault(name, []).append(node.value)
    return found
