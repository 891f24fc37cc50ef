"""Assertions of libraries on values: ``chex.assert_trees_all_close(a, b)``.

Under chex 0.1.92 those on values refuse every tracer, of ``grad`` and ``vmap`` too, but not the
constants of a trace; a function that ``chex.chexify`` wraps may call them, wherever the wrapping is
done, and ``fake_jit`` or ``disable_asserts`` take the trace or the assertions away.
"""

from __future__ import annotations

from typing import Final

from jitlint.absint.events import Assertion
from jitlint.absint.library.registry import Call
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.packages.facts import converted_tracer
from jitlint.absint.values.domain import Value
from jitlint.jaxmodel.frameworks import FrameworkFact

#: what lets a project call assertions on values in traced functions
_SWITCHES: Final = ("chexify", "with_jittable_assertions", "fake_jit", "disable_asserts")
#: raised where no switch was thrown
_REFUSED: Final = ("RuntimeError",)
#: how deep in the arguments a tracer may be
_LEVELS: Final = 2


def reports_assertion(it: Interpreter, call: Call, fact: FrameworkFact) -> Value | None:
    """Report an assertion on values that is given a tracer; None if it is none, or has none."""
    if not fact.asserts:
        return None
    refused = fact.fails_on_tracer == _REFUSED
    find = converted_tracer if refused else find_traced
    tracers = (find(it, value, _LEVELS if refused else 0) for value in call.positional)
    traced = next((tracer for tracer in tracers if tracer is not None), None)
    if traced is None or (refused and _may_be_allowed(it)):
        return None
    return call.report(
        it, Assertion, traced, fact.fails_on_tracer, callee=call.callee(it), wrapped=refused
    )


def _may_be_allowed(it: Interpreter) -> bool:
    """Whether a module that throws a switch mentions what is running here, or holds it."""
    names = {name for code in it.stack for name in (code.name, code.cls and code.cls.name) if name}
    holders = {code.module for code in it.stack}
    switching = {module for word in _SWITCHES for module in it.modules_with(word)}
    return any(module in holders or module.has_any(names) for module in switching)
