"""Functions, layers and objects of Flax, Equinox, Haiku and Optax, as the framework tables say."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.library.facts import Bound, reports_static
from jitlint.absint.library.optax import TRANSFORMATION, call_components, with_components
from jitlint.absint.library.registry import method
from jitlint.absint.library.results import described, same_structure, tree_result
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.program.classes import class_attribute
from jitlint.absint.python.operations import array_result
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    BoundMethod,
    Const,
    External,
    ExternalInstance,
    Ref,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import Instance
from jitlint.jaxmodel import frameworks

#: boxes of Flax nnx: an array in an object
_VARIABLES: Final = frozenset(
    f"flax.nnx.{name}"
    for name in "Param Variable BatchStat Cache Intermediate Perturbation RngState".split()
)
_SAME_STRUCTURE: Final = frozenset(
    {"optax.apply_updates", "optax.incremental_update", "equinox.apply_updates",
     "equinox.nn.inference_mode", "equinox.filter_shard"}
)  # fmt: skip


def construct(it: Interpreter, name: str, args: Arguments, node: cst.CSTNode) -> Value | None:
    """Call a function or class of a framework; None if the tables do not know it."""
    if name in _VARIABLES and args.positional:
        return ExternalInstance(name, (("value", args.positional[0]),))
    fact = frameworks.lookup(name)
    if fact is not None:
        return with_components(_apply(it, fact, args, node), args, fact.parameters or ())
    if frameworks.base_class(name) is not None:
        return ExternalInstance(name)
    owner, _, method_name = name.rpartition(".")
    base = frameworks.base_class(owner)
    if base is not None and base.methods.get(method_name) == "same":
        # `TrainState.create(apply_fn=..., params=..., tx=...)`
        return ExternalInstance(owner, tuple(sorted(args.keywords.items())))
    return None


def _apply(
    it: Interpreter, fact: frameworks.FrameworkFact, args: Arguments, node: cst.CSTNode
) -> Value:
    if fact.same_as is not None:
        return it.call(External(fact.same_as), args, node)
    if reports_static(it, fact.must_be_static, Bound(fact.parameters, args), node):
        return UNKNOWN
    if fact.name in _SAME_STRUCTURE:
        return same_structure(it, fact.name, args.values(), node)
    if fact.name == "equinox.partition" and args.positional:
        # Both halves have the structure of the whole; which leaves are None is not followed.
        return Tuple((args.positional[0], args.positional[0]))
    if fact.name == "equinox.combine" and args.positional:
        return args.positional[0]
    if fact.name == "equinox.tree_equal" and all(
        find_traced(it, value) is None for value in args.positional
    ):
        # Of shapes and numbers it gives a Python bool.
        return UNKNOWN
    if fact.name == "equinox.tree_at" and len(args.positional) > 1:
        return same_structure(it, fact.name, args.positional[1:], node)
    if fact.kind == "module_class":
        return ExternalInstance(fact.name)
    if fact.returns == "callable":
        gives = fact.call_returns or "unknown"
        return ExternalInstance("jitlint.callable", (("gives", Const(gives)),))
    return described(it, fact.returns, args.values(), node)


# -- objects called -------------------------------------------------------------------------------


@method("jitlint.callable", "__call__")
def _call_made(
    it: Interpreter, function: ExternalInstance, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """A function that a framework made, such as a schedule."""
    gives = dict(function.attributes)["gives"]
    assert isinstance(gives, Const)
    return described(it, gives.value, args.values(), node)


def call_layer(
    it: Interpreter, layer: ExternalInstance, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """``nn.Dense(3)(x)``."""
    fact = frameworks.lookup(layer.cls)
    if fact is None or fact.kind != "module_class":
        return UNKNOWN
    bound = Bound(fact.call_parameters, args)
    if reports_static(it, fact.call_must_be_static, bound, node):
        return UNKNOWN
    words = fact.call_returns or "unknown"
    return described(it, words, args.values(), node, receiver=layer)


# -- methods --------------------------------------------------------------------------------------


@method("jitlint.method", "__call__")
def _call_method(
    it: Interpreter, method: ExternalInstance, _: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """A method of which the tables say what it gives."""
    held = dict(method.attributes)
    receiver, name, gives = held["receiver"], held["name"], held["gives"]
    assert isinstance(name, Const) and isinstance(gives, Const)
    if (
        name.value in ("apply", "init", "init_with_output")
        and isinstance(receiver, Ref)
        and isinstance(it.contents(receiver), Instance)
    ):
        return _apply_module(it, receiver, name.value, args, node)
    if name.value == "param":
        return array_result(it, (), node=node)
    if isinstance(receiver, ExternalInstance):
        if receiver.cls == TRANSFORMATION:
            call_components(it, receiver, name.value, args, node)
        elif name.value == "apply_gradients":
            _apply_gradients(it, receiver, args, node)
    result = described(it, gives.value, args.values(), node, receiver=receiver)
    if isinstance(receiver, ExternalInstance) and receiver.cls.startswith("optax."):
        # The state of an optimiser: named tuples of arrays, all the way down.
        if isinstance(result, Tree) and name.value == "init":
            return result.replace(arrays_only=True)
        if isinstance(result, Tuple) and name.value == "update":
            updates, state = result.items
            state = state.replace(arrays_only=True) if isinstance(state, Tree) else state
            return Tuple((updates, state))
    return result


def _apply_gradients(
    it: Interpreter, train_state: ExternalInstance, args: Arguments, node: cst.CSTNode
) -> None:
    """``state.apply_gradients(grads=grads)`` updates by the state's own transformation."""
    held = dict(train_state.attributes)
    tx, level = held.get("tx"), held.get("<level>")
    if tx is not None:
        gradients = args.keywords.get("grads", UNKNOWN)
        state: Value = Tree(level.level) if isinstance(level, Array) else UNKNOWN
        call_components(it, tx, "update", Arguments([gradients, state, UNKNOWN]), node)


def _apply_module(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """``module.apply(variables, *args)`` runs ``__call__`` or the method that is named."""
    method = args.keywords.get("method")
    rest = args.dropped(1)
    for option in ("method", "mutable", "rngs", "capture_intermediates"):
        rest.keywords.pop(option, None)
    target: Value | None = class_attribute(it, receiver, "__call__")
    if isinstance(method, Const) and isinstance(method.value, str):
        target = class_attribute(it, receiver, method.value)
    elif method is not None and method != NONE:
        target = method
        # `module.decode` brings its receiver along, `Module.decode` does not.
        bound = isinstance(method, (Ref, BoundMethod))
        rest = rest if bound else rest.prepended(receiver)
    result = UNKNOWN if target is None else it.call(target, rest, node)
    if name == "init":
        return tree_result(it, (), node)
    mutable = args.keywords.get("mutable")
    if name == "init_with_output" or (mutable is not None and mutable != Const(False)):
        return Tuple((result, tree_result(it, (), node)))
    return result


# -- Haiku ----------------------------------------------------------------------------------------


@method("jitlint.transformed", "init")
def _init(
    it: Interpreter, pair: ExternalInstance, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    it.call(dict(pair.attributes)["function"], args.dropped(1), node)
    return Tree(array_result(it, args.values(), node=node).level)


@method("jitlint.transformed", "apply")
def _apply_transformed(
    it: Interpreter, pair: ExternalInstance, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    held = dict(pair.attributes)
    skip = held["skip"]
    assert isinstance(skip, Const)
    result = it.call(held["function"], args.dropped(skip.value), node)
    if held["state"] == Const(True):
        return Tuple((result, tree_result(it, (), node)))
    return result
