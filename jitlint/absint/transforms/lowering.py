"""Functions that a primitive is lowered by: JAX traces them whenever the primitive is compiled.

The operands of the primitive are tracers then, its parameters are what it was bound to: they come
by name.  Observed under JAX 0.10.2.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.signatures import signature
from jitlint.absint.traces.kinds import kind
from jitlint.absint.values.domain import UNKNOWN, Const, Transformed, Tuple, Value
from jitlint.jaxmodel.transforms import Transform

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex

_BIND: Final = re.compile(r"\bbind\(")
_KEYWORD: Final = re.compile(r"(\b\w+|\*\*)(?:(?<=\*)|\s*=(?!=))")


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
    bound = code.module.fact(_bound_by_name)
    return [
        parameter.name
        for parameter in code.parameters
        if parameter.kind == "keyword"
        or parameter.default is not None
        or not bound.isdisjoint({parameter.name, "**"})
    ]


def _bound_by_name(module: ModuleIndex) -> frozenset[str]:
    """The names by which a ``bind(...)`` in a module passes something; or ``**``."""
    text, found = module.code, set[str]()
    for start in _BIND.finditer(text):
        end, depth = start.end(), 1
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.update(_KEYWORD.findall(text, start.end(), end))
    return frozenset(found)
