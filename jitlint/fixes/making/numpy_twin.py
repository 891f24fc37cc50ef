"""JIT106: ``np.f(x)`` becomes ``jnp.f(x)`` where both give the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted
from jitlint.absint.events import Event, NumpyCall
from jitlint.absint.machine.always import ARRAYS
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of, qualified_name
from jitlint.jaxmodel.functions import FunctionFact, lookup
from jitlint.jaxmodel.numpy_twins import KEYWORDS, SEQUENCES, arity

#: make an array of NumPy of what is one already
_CONVERTING: Final = frozenset({"array", "asarray", "asanyarray", "ascontiguousarray"})


def fix(event: Event) -> Fix | None:
    """Call the function of the same name in ``jax.numpy``."""
    assert isinstance(event, NumpyCall)
    draft = Draft(event)
    call = _call_of(draft, event.callee)
    path = None if call is None else _path(draft, event.callee)
    if call is None or path is None or any(arg.star for arg in call.args):
        return None
    number = arity(path)
    positional = [arg for arg in call.args if arg.keyword is None]
    named = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    twin = lookup(f"jax.numpy.{path}")
    if twin is None or twin.parameters is None or not positional:
        return None
    names = [parameter.name for parameter in twin.parameters]
    if not named <= set(names) or "out" in named or len(positional) > len(names):
        return None
    if number is None and not _may_be_like(draft, twin, names, positional):
        return None
    jnp = name_of(draft, "jax.numpy")
    if jnp is None:
        return None
    safe = ARRAYS in event.always and len(positional) == number and named <= KEYWORDS
    # Who converts an array may need one of NumPy: another library takes no other.
    safe = safe and path not in _CONVERTING
    for arg, parameter in zip(positional, names, strict=False):
        display = isinstance(arg.value, (cst.List, cst.Tuple))
        takes_lists = path in (*SEQUENCES, "array", "asarray")
        if display and not takes_lists and parameter not in twin.must_be_static:
            # jax.numpy takes no lists for arrays.
            draft.before(arg.value, f"{jnp}.array(")
            draft.behind(arg.value, ")")
    draft.replace(call.func, f"{jnp}.{path}")
    applicability = Applicability.SAFE if safe else Applicability.UNSAFE
    return draft.fix(f"Use `{jnp}.{path}`", applicability)


def _may_be_like(
    draft: Draft, twin: FunctionFact, names: Sequence[str], positional: Sequence[cst.Arg]
) -> bool:
    """Whether a function that nobody compared takes what is passed: no shapes that are traced."""
    if twin.data_dependent is not None or twin.name.rpartition(".")[2].startswith("save"):
        return False
    return not any(
        name in twin.must_be_static and draft.text(arg.value) == draft.event.operand
        for arg, name in zip(positional, names, strict=False)
    )


def _call_of(draft: Draft, callee: str) -> cst.Call | None:
    """The call that was reported at one of its arguments."""
    for node in (draft.node, *draft.around(draft.node)):
        if isinstance(node, cst.Call) and dotted(node.func) == callee:
            return node
        if isinstance(node, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            break
    return None


def _path(draft: Draft, callee: str) -> str | None:
    """The name of a function below ``numpy``; None for anything else."""
    qualified = qualified_name(draft, callee)
    return qualified.removeprefix("numpy.") if qualified.startswith("numpy.") else None
