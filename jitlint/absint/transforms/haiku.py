"""Haiku's transforms: an object whose methods run a function of modules."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.packages.haiku import TRANSFORMED, adapted, transformed
from jitlint.absint.traces.kinds import kind
from jitlint.absint.values.domain import UNKNOWN, Const, ExternalInstance, Value
from jitlint.jaxmodel.transforms import Transform


@kind("transformed")
def _transformed_pair(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """``hk.transform(f)``: an object whose ``init`` and ``apply`` run ``f``."""
    function = args.get(0, "f")
    if function is None:
        return UNKNOWN
    last = row.name.rpartition(".")[2]
    made = adapted(it, function, last, node)
    if made is not None:
        return made
    stateful = last.endswith("with_state") and last.startswith("transform")
    skip = 3 if stateful else 2
    if args.keywords.get("apply_rng") == Const(False):
        skip -= 1
    made = transformed(function, skip, stateful=stateful, name=row.name)
    it.made_here(made)
    return made


def applied_by(function: Value) -> tuple[Value, int] | None:
    """The function that ``hk.transform(f).apply`` runs, and how many arguments come before its own.

    Args:
      function: what may be such a method.

    Returns:
      None for anything else.
    """
    if not isinstance(function, ExternalInstance) or function.cls != "jitlint.attribute":
        return None
    attribute = dict(function.attributes)
    pair = attribute["receiver"]
    if not isinstance(pair, ExternalInstance) or pair.cls != TRANSFORMED:
        return None
    held = dict(pair.attributes)
    skip = held["skip"] if attribute["name"] == Const("apply") else Const(1)
    assert isinstance(skip, Const)
    return held["function"], skip.value
