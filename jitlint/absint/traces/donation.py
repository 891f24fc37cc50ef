"""Donated arguments: which a call gives away, and which of them JAX really takes.

Observed under JAX 0.10.2: a donated array is deleted if an output has its shape and type, one
output for each; if none has, it stays as it is, and a warning says so.  In a trace nothing is
donated, nor where a function is only compiled (``jitted.lower(x)``).  ``equinox.filter_jit``
donates all arrays that it is given, or all but those of the first argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst
from msgspec.structs import replace

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import BuffersDonated
from jitlint.absint.program.buffers import Leaf, held_in, identified, leaves_of
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.signatures import positional_parameters, visible_signature
from jitlint.absint.traces.options import DonatedParameters, donated_parameters
from jitlint.absint.values.buffers import Buffers, roots_of
from jitlint.absint.values.domain import (
    Array,
    Ref,
    Transformed,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, Variables
from jitlint.foundation.records import Record


class Donation(Record):
    """A call on the host that gives arguments away.

    Args:
      args: what it is given, each leaf of what it donates in buffers of its own.
      trees: these leaves, together those of one tree.
    """

    args: Arguments
    trees: list[list[Leaf]]


def donation_of(it: Interpreter, function: Transformed, args: Arguments) -> Donation | None:
    """What a call of a transformed function gives away, None if that is nothing."""
    donates = _donates(it, function)
    if donates is None:
        return None
    given = replace(args, positional=[*args.positional], keywords=dict(args.keywords))
    trees: list[list[Leaf]] = []
    for key, value, node in _donated(donates, args):
        made = identified(it, value)
        if isinstance(key, int):
            given.positional[key] = made
        else:
            given.keywords[key] = made
        if made is not value and node is not None:
            _rebind(it, node, value, made)
        static = {id(leaf) for leaf in _static_fields(it, made)}
        leaves = [leaf for leaf in leaves_of(it, made) if id(leaf) not in static]
        # Of several values, the leaves of one are given away.
        trees += [[leaf] for leaf in leaves] if isinstance(made, Union) else [leaves]
    return Donation(given, trees) if any(trees) else None


def _static_fields(it: Interpreter, value: Value) -> Iterator[Leaf]:
    """What objects hold in fields that are no leaves: nothing of it is given away."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    if isinstance(contents, Instance):
        static = class_info(it, contents.cls).static
        for name, held in contents.attributes.items():
            if name in static:
                yield from leaves_of(it, held)
    elif isinstance(value, (Tuple, Union)):
        for part in held_in(it, value):
            yield from _static_fields(it, part)


#: ``flax.nnx.jit`` puts what it computes back into the objects that it is given
_PUTS_BACK: Final = "flax.nnx."


def _donates(it: Interpreter, function: Transformed) -> DonatedParameters | None:
    """The parameters that a call at this point donates, None if there are none."""
    if it.trace is not None or not it.running or function.transform.startswith(_PUTS_BACK):
        return None
    if not any(name.startswith("donate") for name, _ in function.options):
        return None
    parameters = positional_parameters(*visible_signature(it, function.function))
    return donated_parameters(function, parameters)


def _donated(
    donates: DonatedParameters, args: Arguments
) -> Iterator[tuple[int | str, Value, cst.CSTNode | None]]:
    """The arguments that a call donates, by position or name, and where they stand."""
    for index, value in enumerate(args.positional):
        if donates.at(index):
            yield index, value, args.nodes[index] if index < len(args.nodes) else None
    for name, value in args.keywords.items():
        if donates.named(name):
            yield name, value, args.keyword_nodes.get(name)


def _rebind(it: Interpreter, node: cst.CSTNode, value: Value, made: Value) -> None:
    """Have the name, attribute or entry that an argument was read from hold the value's twin."""
    variables = it.contents(it.frame.env)
    if isinstance(node, cst.Name):
        if isinstance(variables, Variables) and variables.get(node.value) is value:
            it.variables(it.frame.env)[node.value] = made
        return
    holder = node.value if isinstance(node, (cst.Attribute, cst.Subscript)) else None
    if not isinstance(holder, cst.Name) or not isinstance(variables, Variables):
        return
    owner = variables.get(holder.value)
    contents = it.contents(owner) if isinstance(owner, Ref) else None
    if isinstance(owner, Ref) and isinstance(contents, Instance):
        assert isinstance(node, cst.Attribute)
        held = contents.attributes.get(node.attr.value)
        if held is value or (held is None and isinstance(value, Unknown)):
            it.edit(owner).attributes[node.attr.value] = made
    elif isinstance(owner, Ref) and isinstance(contents, DictObject):
        for key, held in contents.items.items():
            if held is value:
                it.edit(owner).items[key] = made
                break


def donate(it: Interpreter, donation: Donation, result: Value, node: cst.CSTNode) -> None:
    """Tell which of the donated arrays JAX takes for what a function returned.

    Args:
      it: the interpreter.
      donation: what was donated.
      result: what the function returned, its tracers those of the trace.
      node: the call.
    """
    taken: list[Buffers] = []
    left = [[*leaves] for leaves in donation.trees]
    for output in leaves_of(it, result):
        fitting = roots_of(output.buffers)
        for leaves in left:
            fit = [leaf for leaf in leaves if roots_of(leaf.buffers) & fitting]
            fit = [leaf for leaf in fit if _may_be_alike(leaf, output)]
            if fit:
                # A tree that comes out stands for as many leaves as went in, an array for one.
                many = isinstance(output, Tree) and output.container
                gone = fit if many else fit[:1]
                taken += [leaf.buffers for leaf in gone]
                leaves[:] = [leaf for leaf in leaves if all(leaf is not one for one in gone)]
                break
    if taken:
        it.signal(BuffersDonated(taken, node))


def _may_be_alike(leaf: Leaf, output: Leaf) -> bool:
    """Whether two arrays may be of one type and as many dimensions."""
    if not (isinstance(leaf, Array) and isinstance(output, Array)):
        return True
    ranks, dtypes = {leaf.rank, output.rank}, {leaf.dtype, output.dtype}
    return (None in ranks or len(ranks) == 1) and (None in dtypes or len(dtypes) == 1)
