"""Functions, layers and objects of Flax, Equinox, Haiku and Optax, as the framework tables say."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.library.registry import MODELS, Call, method
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result, level_of
from jitlint.absint.machine.verbs import verb
from jitlint.absint.packages.assertions import reports_assertion
from jitlint.absint.packages.facts import Bound, reports_static
from jitlint.absint.packages.graphs import merge, split
from jitlint.absint.packages.halves import combine, partition
from jitlint.absint.packages.optimizers import MULTI_STEPS, call_components, with_components
from jitlint.absint.packages.replacements import tree_at
from jitlint.absint.packages.results import described, same_structure, tree_result
from jitlint.absint.packages.variables import VARIABLES
from jitlint.absint.program.members import class_attribute
from jitlint.absint.values.buffers import NO_BUFFERS
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    BoundMethod,
    Const,
    External,
    ExternalInstance,
    Function,
    Level,
    Partial,
    Ref,
    Tree,
    Tuple,
    Value,
    base_function,
)
from jitlint.absint.values.heap import Instance
from jitlint.jaxmodel import companions, frameworks
from jitlint.jaxmodel.frameworks import TRANSFORMATION
from jitlint.jaxmodel.leaves import HOLDERS, STATIC_HOLDERS

#: packages of the frameworks that the tables know
_ROOTS: Final = frozenset({"chex", "equinox", "flax", "haiku", "optax"})
#: packages of whose functions handlers decide what they give, however they are called
_OF_PRIMITIVES: Final = frozenset({"numpyro"})
#: what gives the leaves that it is given, in another structure
_REARRANGED: Final = frozenset(
    {"flax.core.copy", "flax.core.pop", "flax.linen.unbox", "flax.serialization.from_state_dict",
     "flax.serialization.to_state_dict", "flax.traverse_util.flatten_dict",
     "flax.traverse_util.unflatten_dict", "haiku.data_structures.filter",
     "haiku.data_structures.merge", "haiku.data_structures.partition",
     "haiku.data_structures.to_mutable_dict"}
)  # fmt: skip
#: keywords of `Module.param` that are none of the initializer's
_OF_PARAM: Final = frozenset({"name", "init_fn", "unbox"})
_SAME_STRUCTURE: Final = frozenset(
    {"optax.apply_updates", "optax.incremental_update", "equinox.apply_updates",
     "equinox.nn.inference_mode", "equinox.filter_shard"}
)  # fmt: skip


def framework_result(it: Interpreter, name: str, call: Call) -> Value | None:
    """What a function or class of a framework gives; None if the tables do not know it."""
    if name in VARIABLES and call.positional:
        return ExternalInstance(name, (("value", call.first),))
    fact = frameworks.lookup(name)
    if fact is not None:
        made = with_components(_apply(it, fact, call), call.args, fact.parameters or ())
        if isinstance(made, ExternalInstance) and made.cls == TRANSFORMATION:
            it.made_here(made)
        return made
    if frameworks.base_class(name) is not None:
        return _holding(name, call)
    owner = name.rpartition(".")[0]
    base = frameworks.base_class(owner)
    if base is not None and base.methods.get(call.name) == "same":
        # `TrainState.create(apply_fn=..., params=..., tx=...)`
        return ExternalInstance(owner, tuple(sorted(call.keywords.items())))
    words = companions.returns(name)
    return None if words is None else described(it, words, call)


@verb("modelled")
def _modelled(it: Interpreter, function: Function, args: Arguments, node: cst.CSTNode) -> Value:
    """What a framework's function gives whose source is part of the project.

    Its own source is followed, for what goes wrong in it; with the source at hand no less is known
    of what comes out of it than without.
    """
    code = function.code
    root = code.module.name.partition(".")[0]
    if code.unit.cls is not None or not it.frame.context.staging:
        return UNKNOWN
    if root in _OF_PRIMITIVES:
        known = MODELS.get(f"{root}.{code.qualname}")
        module = it.project.package_around(code.module)
        if known is None or module is None or not it.project.bindings(module, code.name):
            return UNKNOWN
        with it.speculating():
            return known(it, Call(code.name, args, node))
    if root not in _ROOTS:
        return UNKNOWN
    name = f"{code.module.name}.{code.qualname}"
    fact = frameworks.lookup(name)
    if fact is None or fact.kind != "function":
        return UNKNOWN
    # Within a framework, anything is handed on: modules, boxes, trees of them.
    given = args.positional
    if UNKNOWN in given or not any(isinstance(value, (Array, Tree)) for value in given):
        return UNKNOWN
    # What is wrong with the arguments goes wrong in the source.
    with it.speculating():
        return _apply(it, fact, Call(fact.name.rpartition(".")[2], args, node))


def _apply(it: Interpreter, fact: frameworks.FrameworkFact, call: Call) -> Value:
    name, positional = fact.name, call.positional
    if fact.same_as is not None:
        return it.call(External(fact.same_as), call.args, call.node)
    reported = reports_static(it, call, fact.must_be_static, Bound(fact.parameters, call.args))
    if reported is None:
        reported = reports_assertion(it, call, fact)
    if reported is not None:
        return reported
    if name in _SAME_STRUCTURE:
        return same_structure(it, name, call.operands, call.node)
    if name in _REARRANGED and all(level_of(it, value) is None for value in positional):
        # Leaves stay what they are: Python values, or what is not known.
        return UNKNOWN
    if name == "flax.nnx.split":
        return split(it, call)
    if name == "flax.nnx.merge":
        return merge(it, call)
    if name == "equinox.partition" and positional:
        return partition(it, call)
    if name == "equinox.combine" and positional:
        return combine(it, call)
    if name == "equinox.tree_equal" and not all(isinstance(value, Array) for value in positional):
        # Of shapes, numbers and trees of unlike structures it gives a Python bool.
        return UNKNOWN
    if name == "equinox.tree_at" and len(positional) > 1:
        return tree_at(it, call)
    if fact.kind == "module_class":
        return _holding(name, call)
    if fact.returns == "callable":
        gives = fact.call_returns or "unknown"
        return ExternalInstance("jitlint.callable", (("gives", Const(gives)),))
    return described(it, fact.returns, call)


def _holding(name: str, call: Call) -> ExternalInstance:
    """An object of a library's class, with what it is known to hold."""
    holds = HOLDERS.get(name) or STATIC_HOLDERS.get(name)
    held = None if holds is None else call.args.get(*holds)
    return ExternalInstance(name, () if held is None or holds is None else ((holds[1], held),))


# -- objects called -------------------------------------------------------------------------------


@method("jitlint.callable", "__call__")
def _call_made(it: Interpreter, call: Call) -> Value:
    """A function that a framework made, such as a schedule."""
    gives = dict(call.receiver.attributes)["gives"]
    # What a trace holds deep in its arguments is not known any more.
    return described(it, gives.value, call) if isinstance(gives, Const) else UNKNOWN


def call_layer(it: Interpreter, call: Call) -> Value:
    """``nn.Dense(3)(x)``."""
    fact = frameworks.lookup(call.receiver.cls)
    if fact is None or fact.kind != "module_class":
        return UNKNOWN
    bound = Bound(fact.call_parameters, call.args)
    reported = reports_static(it, call, fact.call_must_be_static, bound)
    return reported or described(it, fact.call_returns or "unknown", call)


# -- methods --------------------------------------------------------------------------------------


@method("jitlint.method", "__call__")
def _call_method(it: Interpreter, call: Call) -> Value:
    """A method of which the tables say what it gives."""
    held = dict(call.receiver.attributes)
    receiver, name, gives = held["receiver"], held["name"], held["gives"]
    if not isinstance(name, Const) or not isinstance(gives, Const):
        return UNKNOWN
    call = Call(name.value, call.args, call.node, receiver)
    if (
        call.name in ("apply", "init", "init_with_output")
        and isinstance(receiver, Ref)
        and isinstance(it.contents(receiver), Instance)
    ):
        return apply_module(it, call, class_attribute(it, receiver, "__call__"))
    if call.name == "param":
        _check_initializer(it, call)
        return array_result(it, (), node=call.node)
    if not isinstance(receiver, ExternalInstance):
        return described(it, gives.value, call)
    if call.name == "apply" and receiver.cls.startswith("flax.linen."):
        return call_layer(it, Call(call.name, call.args.dropped(1), call.node, receiver))
    if receiver.cls == MULTI_STEPS and call.name == "gradient_transformation":
        return ExternalInstance(TRANSFORMATION, receiver.attributes)
    if receiver.cls in (TRANSFORMATION, MULTI_STEPS):
        call_components(it, call)
    elif call.name == "apply_gradients":
        _apply_gradients(it, call)
    result = described(it, gives.value, call)
    if receiver.cls.startswith("optax."):
        # The state of an optimiser: named tuples of arrays, all the way down.
        if isinstance(result, Tree) and call.name == "init":
            return result.replace(arrays_only=True)
        if isinstance(result, Tuple) and call.name == "update":
            updates, state = result.items
            if isinstance(state, Tree):
                given = call.second
                buffers = given.buffers if isinstance(given, (Array, Tree)) else NO_BUFFERS
                state = state.replace(arrays_only=True, buffers=buffers)
            return Tuple((updates, state))
    return result


def _check_initializer(it: Interpreter, call: Call) -> None:
    """``self.param(name, f, *args)`` asks for the shape of ``f(key, *args)`` when it is applied.

    The arguments are not traced, all that is done with them is (Flax 0.12.8).
    """
    function = call.args.get(1, "init_fn")
    if base_function(function or UNKNOWN) is None:
        return
    rest = {name: value for name, value in call.keywords.items() if name not in _OF_PARAM}
    key = Array(Level.CONCRETE, dtype="key")
    bound = Partial(function or UNKNOWN, (key, *call.positional[2:]), tuple(sorted(rest.items())))
    it.call(External("jax.eval_shape"), Arguments([bound]), call.node)


def _apply_gradients(it: Interpreter, call: Call) -> None:
    """``state.apply_gradients(grads=grads)`` updates by the state's own transformation."""
    held = dict(call.receiver.attributes)
    tx, level = held.get("tx"), held.get("<level>")
    if tx is not None:
        gradients = call.keywords.get("grads", UNKNOWN)
        state: Value = Tree(level.level) if isinstance(level, Array) else UNKNOWN
        call_components(it, Call("update", Arguments([gradients, state, UNKNOWN]), call.node, tx))


def apply_module(it: Interpreter, call: Call, target: Value | None) -> Value:
    """``module.apply(variables, *args)`` runs ``__call__`` or the method that is named.

    Args:
      it: the interpreter.
      call: the call; its receiver is the module.
      target: what its ``__call__`` runs.

    Returns:
      What it gives, with the variables where they are asked for.
    """
    module, chosen = call.receiver, call.keywords.get("method", NONE)
    rest = call.args.dropped(1)
    for option in ("method", "mutable", "rngs", "capture_intermediates"):
        rest.keywords.pop(option, None)
    if isinstance(chosen, Const) and isinstance(chosen.value, str):
        target = class_attribute(it, module, chosen.value)
    elif chosen != NONE:
        target = chosen
        # `module.decode` brings its receiver along, `Module.decode` does not.
        bound = isinstance(chosen, (Ref, BoundMethod))
        rest = rest if bound else rest.prepended(module)
    result = UNKNOWN if target is None else it.call(target, rest, call.node)
    variables = tree_result(it, (), call.node)
    if call.name == "init":
        return variables
    mutable = call.keywords.get("mutable", Const(False))
    pair = call.name == "init_with_output" or mutable != Const(False)
    return Tuple((result, variables)) if pair else result
