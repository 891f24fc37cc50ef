"""What tells the programs of jitted functions apart, and whether a call needs one at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.detectors.measurement.rebound_names import is_bound_before
from jitlint.absint.detectors.surroundings.written import root_name
from jitlint.absint.detectors.variants.fixed_arguments import value_named
from jitlint.absint.machine.clock_signals import ProgramNeeded
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    BoundMethod,
    Const,
    External,
    Function,
    Partial,
    Static,
    Transformed,
    Tuple,
    Union,
    Value,
    base_function,
)
from jitlint.absint.values.statics import is_number

if TYPE_CHECKING:
    from jitlint.absint.machine.arguments import Arguments
    from jitlint.absint.machine.interpreter import Interpreter


def identity(made: Transformed) -> Any:
    """What two jitted functions have in common that share their programs."""
    function = made.function
    return id(made.place.node) if function == UNKNOWN else function


def static_arguments(needed: ProgramNeeded) -> Any:
    """The static arguments of a call, None if they are not known: others give another program.

    Functions are told apart by their code: of one that is made anew by each call there may be a
    program or not.
    """
    if needed.static is None:
        return None
    found: list[tuple[int | str, Any]] = []
    for place, value in needed.static:
        base = base_function(value)
        if isinstance(value, Const):
            found.append((place, (type(value.value), value.value)))
        elif isinstance(value, Function) and base is not None:
            found.append((place, id(base.code)))
        else:
            return None
    return tuple(found)


def sizes_of(args: Arguments) -> Any:
    """What tells the programs of a function apart as far as it is seen here, None if it is not."""
    if args.star is not None or args.star_keywords is not None or args.open:
        return None
    found = [_size(value) for value in (*args.positional, *args.keywords.values())]
    return None if None in found else tuple(found)


def _size(value: Value) -> Any:
    if isinstance(value, Array) or (isinstance(value, Static) and value.type == "ndarray"):
        extent = value.extent
        return None if extent is None else extent.shape
    if isinstance(value, (Const, Transformed)) or is_number(value):
        return ()
    if isinstance(value, Tuple):
        found = [_size(item) for item in value.items]
        return None if None in found else tuple(found)
    return None


def may_be_plain(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether what is called may as well be a function that nobody has jitted.

    A name that a module binds several times may stand for another one while this runs, unless all
    that was done before in code of the module itself.
    """
    code = it.frame.code
    if code is None or not isinstance(node, cst.Call):
        return False
    name = root_name(node.func)
    if name is None:
        return False
    several = name not in code.bound_names and len(it.project.bindings(code.module, name)) > 1
    if several and not is_bound_before(it, it.frame, name):
        return True
    with it.speculating():
        called = it.ev(node.func)
    return isinstance(called, Union) and not all(
        isinstance(member, Transformed) for member in called.members
    )


def may_call(it: Interpreter, value: Value) -> bool:
    """Whether whoever calls a value may run what is jitted: a function of the project, any other.

    A function that calls nothing but libraries, ``lambda t, y: -1j * (h @ y)``, does not.
    """
    if not isinstance(value, Function):
        return isinstance(value, (Transformed, BoundMethod, Partial))
    code = it.load(value.code)
    if code is None or code.node is None:
        return True
    calls = (inner.func for inner in walk(code.node) if isinstance(inner, cst.Call))
    return any(
        not isinstance(value_named(it, called, code), External)
        for called in calls
        if not (isinstance(called, cst.Attribute) and dotted(called) is None)
    )
