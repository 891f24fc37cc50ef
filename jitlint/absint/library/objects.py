"""Methods of arrays and containers, and objects that libraries made, called.

What each method does is a model of its type: in :mod:`containers`, :mod:`strings`,
:mod:`numpy_arrays` and :mod:`framework_objects`.
"""

from __future__ import annotations

import libcst as cst

from jitlint.absint.library.facts import Bound, apply_fact, receiver_node
from jitlint.absint.library.framework_objects import call_layer
from jitlint.absint.library.host_objects import call_host_method
from jitlint.absint.library.registry import ANY, METHODS, method, method_model
from jitlint.absint.library.results import dtype_argument
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import Conversion
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import calls_of
from jitlint.absint.python.operations import array_result
from jitlint.absint.values.domain import (
    STATIC,
    UNKNOWN,
    Array,
    ArrayMethod,
    Const,
    ContainerMethod,
    ExternalInstance,
    Level,
    Ref,
    Static,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import DictObject, ListObject, SetObject
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel.functions import array_method

_OBJECT_TYPES = {ListObject: "list", DictObject: "dict", SetObject: "set"}


@calls_of(ContainerMethod)
def _call_container_method(
    it: Interpreter, method: ContainerMethod, args: Arguments, node: cst.CSTNode
) -> Value:
    """``values.append(x)``, ``text.upper()``."""
    receiver = method.receiver
    known = method_model(_type_of(it, receiver), method.name)
    if known is not None:
        return known(it, receiver, method.name, args, node)
    return STATIC if isinstance(receiver, (Const, Static)) else UNKNOWN


def _type_of(it: Interpreter, receiver: Value) -> str:
    """The type under which the methods of a container or static value are known."""
    if isinstance(receiver, Ref):
        return _OBJECT_TYPES.get(type(it.contents(receiver)), "")
    if isinstance(receiver, (Const, Static)):
        return type_name(receiver) or ""
    return {Tree: "tree", Tuple: "tuple"}.get(type(receiver), "")


@calls_of(ArrayMethod)
def _call_array_method(
    it: Interpreter, method: ArrayMethod, args: Arguments, node: cst.CSTNode
) -> Value:
    """``x.sum(axis=0)`` for an array or tracer."""
    fact = array_method(method.name)
    receiver = method.receiver
    assert isinstance(receiver, Array)
    if fact is None:
        return UNKNOWN
    if method.name == "astype":
        dtype = dtype_argument(Bound(fact.parameters, args).values.get("dtype"))
        return array_result(it, (receiver,), dtype=dtype, rank=receiver.rank, node=node)
    if not fact.fails_on_tracer:
        return apply_fact(it, fact, args, node, receiver)
    if receiver.level is Level.CONCRETE:
        return STATIC if method.name in ("item", "tolist") else UNKNOWN
    if receiver.level is Level.VALUE and method.name == "item":
        return STATIC
    missing = fact.fails_on_tracer == ("AttributeError",)
    if not missing or receiver.level is Level.ABSTRACT:
        it.emit(
            Conversion,
            node,
            receiver,
            operand=receiver_node(node),
            exceptions=fact.fails_on_tracer,
            callee=f".{method.name}()",
        )
    return UNKNOWN


@method("jax.Array.at.indexed", ANY)
def _update(
    it: Interpreter, indexed: ExternalInstance, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """``x.at[i].set(y)``."""
    array = dict(indexed.attributes)["array"]
    dtype = array.dtype if isinstance(array, Array) else None
    return array_result(it, (array, *args.values()), dtype=dtype, node=node)


@calls_of(ExternalInstance)
def _call_object(
    it: Interpreter, function: ExternalInstance, args: Arguments, node: cst.CSTNode
) -> Value:
    """Call an object that a library made: a layer, a schedule, a method of one."""
    known = METHODS.get((function.cls, "__call__"), call_layer)
    return known(it, function, "__call__", args, node)


@method("jitlint.attribute", "__call__")
def _call_attribute(
    it: Interpreter, attribute: ExternalInstance, _: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """A method of which the framework tables say nothing."""
    held = dict(attribute.attributes)
    receiver, name = held["receiver"], held["name"]
    if not isinstance(receiver, ExternalInstance):
        return UNKNOWN
    assert isinstance(name, Const)
    known = method_model(receiver.cls, name.value) or call_host_method
    return known(it, receiver, name.value, args, node)
