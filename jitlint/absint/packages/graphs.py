"""Objects of Flax nnx that are taken apart and put together: ``nnx.split``, ``nnx.merge``.

The first half, the graph definition, has no arrays; it leads back to the object, so that what is
put together from it and traced states is an object of its class that holds tracers.
"""

from __future__ import annotations

from typing import Final

from jitlint.absint.library.registry import Call
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import level_of
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.packages.results import tree_result
from jitlint.absint.values.domain import ExternalInstance, Ref, Tree, Tuple, Value
from jitlint.absint.values.heap import Instance

_DEFINITION: Final = "flax.nnx.GraphDef"


def split(it: Interpreter, call: Call) -> Value:
    """``graphdef, state = nnx.split(module)``, one more state for each filter but one."""
    node = call.first
    if call.starred or not isinstance(node, Ref) or not isinstance(it.contents(node), Instance):
        return tree_result(it, call.operands, call.node)
    definition = ExternalInstance(_DEFINITION, (("object", node),))
    states = max(1, len(call.positional) - 1)
    return Tuple((definition, *(tree_result(it, (), call.node) for _ in range(states))))


def merge(it: Interpreter, call: Call) -> Value:
    """``nnx.merge(graphdef, *states)``: the object, its arrays traced where a state is."""
    definition, *states = call.positional or (call.first,)
    node = None
    if isinstance(definition, ExternalInstance) and definition.cls == _DEFINITION:
        node = dict(definition.attributes).get("object")
    levels = [level for level in (level_of(it, state) for state in states) if level is not None]
    if node is None or not levels:
        return tree_result(it, call.operands, call.node)
    origins = (state.origin for state in states if isinstance(state, Tree))
    return traced_argument(it, node, max(levels), leaves="arrays", origin=next(origins, None))
