"""Functions that a primitive is lowered by: JAX traces them whenever the primitive is compiled.

The operands of the primitive are tracers then, its parameters are what it was bound to: they come
by name.  Observed under JAX 0.10.2.
"""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.signatures import bound_by_name, signature
from jitlint.absint.traces.kinds import kind
from jitlint.absint.values.domain import UNKNOWN, Const, Transformed, Tuple, Value
from jitlint.jaxmodel.transforms import Transform


@kind("lowering")
def _lowering(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """``mlir.lower_fun(impl, multiple_results=False)``."""
    function = args.get(0, "fun") or UNKNOWN
    code, _ = signature(it, function)
    if code is None:
        return UNKNOWN
    names = Tuple(tuple(map(Const, _by_name(code))))
    options = (("static_argnames", names),) if names.items else ()
    made = Transformed(function, row.name, options, it.place(node))
    it.expect(made)
    return made


def _by_name(code: Code) -> list[str]:
    """The parameters of a function that are, or may be, parameters of the primitive."""
    bound = bound_by_name(code)
    return [
        parameter.name
        for parameter in code.parameters
        if parameter.kind == "keyword"
        or parameter.default is not None
        or not bound.isdisjoint({parameter.name, "**"})
    ]
