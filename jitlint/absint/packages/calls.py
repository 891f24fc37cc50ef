"""How what comes from outside the project is called: functions, methods, objects of libraries.

The models themselves stand in the modules of their topics; here is only how one is found.
"""

from __future__ import annotations

import builtins
import sys
from typing import Final

import libcst as cst

from jitlint.absint.library.extents import sized, sized_by_method
from jitlint.absint.library.inspection import attribute
from jitlint.absint.library.registry import METHODS, MODELS, Call, method, method_model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.clock_signals import Asked, LibraryCalled, WorkDispatched
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.omissions import Reason
from jitlint.absint.machine.signals import DtypeAsked, HostCalled
from jitlint.absint.machine.tracers import array_result
from jitlint.absint.machine.verbs import calls_of
from jitlint.absint.packages.arrays import numpy_result
from jitlint.absint.packages.facts import apply_fact, may_be_traced, receiver_node
from jitlint.absint.packages.frameworks import call_layer, framework_result
from jitlint.absint.packages.host_objects import call_host_method, host_object
from jitlint.absint.packages.host_solvers import refused_result
from jitlint.absint.program.buffers import reads, reads_arguments
from jitlint.absint.program.captures import note_entry
from jitlint.absint.program.forgetting import by_library
from jitlint.absint.python.handed_functions import run_handed
from jitlint.absint.values.domain import (
    NDARRAY,
    STATIC,
    UNKNOWN,
    Array,
    ArrayMethod,
    BoundMethod,
    Class,
    Const,
    ContainerMethod,
    External,
    ExternalInstance,
    Function,
    Outside,
    Partial,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, ListObject, SetObject
from jitlint.absint.values.lattice import join_all, type_name
from jitlint.jaxmodel import frameworks, functions
from jitlint.jaxmodel.asynchrony import WAITING_METHODS
from jitlint.jaxmodel.decorators import TRANSPARENT_DECORATORS
from jitlint.jaxmodel.effects import host_call
from jitlint.jaxmodel.host_code import OUTSIDE
from jitlint.jaxmodel.memory import ASK_NO_VALUE, reads_arrays

#: types whose methods programs call by name
_BUILTIN_TYPES: Final = frozenset(
    """builtins.list builtins.dict builtins.set builtins.frozenset builtins.tuple builtins.str
    collections.deque collections.OrderedDict""".split()
)
#: roots of libraries that run functions by other rules than traced code around them
_RUN_ELSEWHERE: Final = sys.stdlib_module_names | {"builtins", "jax"}
#: frameworks whose layers make arrays
_FRAMEWORKS: Final = frozenset({"equinox", "flax", "haiku"})
#: roots of the classes of objects whose methods may be given arrays, and give some
_OBSCURE: Final = _FRAMEWORKS | {"jitlint", "optax"}
_OBJECT_TYPES: Final = {ListObject: "list", DictObject: "dict", SetObject: "set"}
_VALUE_TYPES: Final[dict[type[Value], str]] = {Array: "jax.Array", Tree: "tree", Tuple: "tuple"}


@calls_of(External)
def _call_function(
    it: Interpreter, function: External, args: Arguments, node: cst.CSTNode
) -> Value:
    """Call a function or class; who knows its name first says what that does."""
    name = function.name
    if name.startswith("jitlint.transformed."):
        receiver, rest = args.positional[0], args.dropped(1)
        return it.transformed_method(name.rpartition(".")[2], receiver, rest, node)
    if reads_arrays(name):
        reads_arguments(it, args, node)
    effect = host_call(name)
    if effect is not None:
        it.signal(HostCalled(effect.kind, args, node, effect.mode, name))
    if it.trace is None:
        it.signal(LibraryCalled(name, args, node))
    call = Call(name.rpartition(".")[2], args, node)
    result = host_object(it, name, call)
    if result is not None:
        return result
    known = MODELS.get(frameworks.canonical_function(name))
    if known is not None:
        return sized(it, name, call, known(it, call))
    if call.positional and name.rpartition(".")[0] in _BUILTIN_TYPES:
        return _unbound_method(it, call)
    row = it.row(name)
    if row is not None:
        result = it.transform(row, args, node)
        if it.trace is None and row.runs:
            it.signal(WorkDispatched(name, node, program=True))
        return result
    refused = refused_result(it, name, call)
    if refused is not None:
        return refused
    fact = functions.lookup(name)
    if fact is not None:
        _reads_lists(it, args)
        return sized(it, name, call, numpy_result(it, name, call, apply_fact(it, fact, call)))
    if name.partition(".")[0] in _FRAMEWORKS:
        _tell_dtypes(it, args, node)
    result = framework_result(it, name, call)
    return _unlisted(it, name, call) if result is None else result


def _reads_lists(it: Interpreter, args: Arguments) -> None:
    """Tell of the lists whose elements an array is made of: ``jnp.stack(self.rows)``."""
    if it.trace is None:
        return
    for value, node in zip(args.positional, args.nodes, strict=False):
        contents = it.contents(value) if type(value) is Ref else None
        if isinstance(contents, ListObject):
            note_entry(it, value, None, contents.element, node)


def _tell_dtypes(it: Interpreter, args: Arguments, node: cst.CSTNode) -> None:
    """Tell of the dtypes that a layer is made for."""
    for parameter in ("dtype", "param_dtype"):
        dtype = args.keywords.get(parameter)
        if dtype is not None:
            it.signal(DtypeAsked(dtype, args.keyword_nodes.get(parameter, node), node))


def _unbound_method(it: Interpreter, call: Call) -> Value:
    """``list.append(values, x)``."""
    kinds = (Array, Const, Static, Tree, Tuple, Ref)
    return join_all(
        it.call(attribute(it, receiver, call.name, call.node), call.args.dropped(1), call.node)
        for receiver in members_of(call.first)
        if isinstance(receiver, kinds)
    )


def _unlisted(it: Interpreter, name: str, call: Call) -> Value:
    """What no table has, of libraries whose functions are alike."""
    if name in TRANSPARENT_DECORATORS and not call.starred:
        if not call.positional:
            return External(name)
        if isinstance(call.first, (Function, BoundMethod, Partial, Transformed, Class)):
            # Not above a definition: `checked = beartype(solve)`.
            return call.first
    if name.startswith(("numpy.", "scipy.")):
        if may_be_traced(it, call):
            return UNKNOWN
        return NDARRAY if name.startswith("numpy.") else STATIC
    if name.startswith("jax.numpy.") and functions.constant(name) == "dtype":
        callee = call.node.func if isinstance(call.node, cst.Call) else call.node
        it.signal(DtypeAsked(External(name), callee, callee))
        return array_result(it, call.operands, node=call.node)
    by_library(it, name, call.args)
    if name in OUTSIDE:
        return Outside(OUTSIDE[name])
    if host_call(name) is None and not _is_exception(name):
        it.omit(Reason.UNKNOWN_LIBRARY, call.node, name)
    if name.partition(".")[0] not in _RUN_ELSEWHERE:
        run_handed(it, call.args, call.node)
    return UNKNOWN


def _is_exception(name: str) -> bool:
    """Whether a name is an exception of Python's: what is made there is only raised."""
    kind = getattr(builtins, name.removeprefix("builtins."), None)
    return isinstance(kind, type) and issubclass(kind, BaseException)


@calls_of(ArrayMethod)
@calls_of(ContainerMethod)
def _call_method(
    it: Interpreter, method: ArrayMethod | ContainerMethod, args: Arguments, node: cst.CSTNode
) -> Value:
    """``x.sum()``, ``values.append(x)``, ``text.upper()``."""
    receiver = method.receiver
    if it.trace is None:
        _told_of_method(it, method, args, node)
    if isinstance(receiver, Array) and method.name not in ASK_NO_VALUE:
        reads(it, ((receiver, receiver_node(node)),))
    known = method_model(_type_of(it, receiver), method.name)
    if known is not None:
        call = Call(method.name, args, node, receiver)
        return sized_by_method(call, known(it, call))
    return STATIC if isinstance(receiver, (Const, Static)) else UNKNOWN


def _told_of_method(
    it: Interpreter, method: ArrayMethod | ContainerMethod, args: Arguments, node: cst.CSTNode
) -> None:
    """Say that a method waits for an array, or may."""
    if type(method) is ArrayMethod:
        if method.name in WAITING_METHODS:
            it.signal(Asked((method.receiver,), tuple(_receiver(node))))
    elif not isinstance(method.receiver, Ref):
        it.signal(Asked(args.values(), args.nodes))


def _receiver(node: cst.CSTNode) -> list[cst.CSTNode]:
    found = receiver_node(node)
    return [] if found is node else [found]


def _type_of(it: Interpreter, receiver: Value) -> str:
    """The type under which the methods of a value are known."""
    if isinstance(receiver, Ref):
        return _OBJECT_TYPES.get(type(it.contents(receiver)), "")
    if isinstance(receiver, (Const, Static)):
        return type_name(receiver) or ""
    return _VALUE_TYPES.get(type(receiver), "")


@calls_of(ExternalInstance)
def _call_object(
    it: Interpreter, function: ExternalInstance, args: Arguments, node: cst.CSTNode
) -> Value:
    """Call an object that a library made: a layer, a schedule, a method of one."""
    known = METHODS.get((function.cls, "__call__"), call_layer)
    return known(it, Call("__call__", args, node, function))


@method("jitlint.attribute", "__call__")
def _call_attribute(it: Interpreter, call: Call) -> Value:
    """A method of which the framework tables say nothing."""
    held = dict(call.receiver.attributes)
    receiver, name = held["receiver"], held["name"]
    if not isinstance(receiver, ExternalInstance):
        return UNKNOWN
    assert isinstance(name, Const)
    if it.trace is None:
        it.signal(LibraryCalled(f"{receiver.cls}.{name.value}", call.args, call.node))
    known = method_model(receiver.cls, name.value) or call_host_method
    result = known(it, Call(name.value, call.args, call.node, receiver))
    if result == UNKNOWN and receiver.cls.partition(".")[0] in _OBSCURE:
        it.omit(Reason.UNKNOWN_CALLEE, call.node, call.node)
    return result
