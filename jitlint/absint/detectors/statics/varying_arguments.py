"""Static arguments that take a new value in every turn of a loop: JAX compiles for each of them.

Observed under JAX 0.10.2: five programs in five turns for a counter, a rate that decays, a lambda,
and an object whose class compares by identity; one for equal tuples, named tuples and frozen
dataclasses.  Equinox compiles anew for each Python number, too.  What is made anew in every call is
judged at the end, when the calls are known (:mod:`.jit_verdicts`).
"""

from __future__ import annotations

from itertools import product
from typing import Final

import libcst as cst

from jitlint.absint.detectors.compilation.counted_numbers import (
    chosen_by_callers,
    is_display,
    is_few,
    makes_new,
)
from jitlint.absint.detectors.compilation.eager_calls import is_sweep, is_within_trace
from jitlint.absint.detectors.compilation.jit_sites import Kind
from jitlint.absint.detectors.statics.counted_fields import is_counted
from jitlint.absint.detectors.statics.made_anew import note_made_anew
from jitlint.absint.detectors.statics.static_parts import (
    COMPARING_PARTS,
    Part,
    static_parts,
)
from jitlint.absint.detectors.statics.varying_notes import add_site, freshly, note_varying
from jitlint.absint.detectors.surroundings.filling import is_guarded
from jitlint.absint.detectors.surroundings.loop_counters import measured_length
from jitlint.absint.detectors.surroundings.paths import lasting_loops
from jitlint.absint.detectors.surroundings.written import meanings
from jitlint.absint.detectors.variants.fixed_values import makes_sizes, picks_sizes
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArgumentPassed, SolverCalled, observes
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    Const,
    Default,
    External,
    Ref,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import Instance
from jitlint.absint.values.lattice import type_name
from jitlint.absint.values.statics import is_int_or_float
from jitlint.jaxmodel.transforms import CHECKS_HASHES, STRUCTURAL


@observes(ArgumentPassed)
def _argument_passed(it: Interpreter, passed: ArgumentPassed) -> None:
    node = passed.node
    if is_within_trace(it) or not it.running or isinstance(passed.value, Default):
        # Who compiles ahead, for each of some values, wants the programs.
        return
    if not passed.static:
        _in_static_parts(it, passed)
        if passed.function.transform not in STRUCTURAL:
            return
        if is_int_or_float(passed.value):
            _counted(it, passed)
            return
    elif passed.function.transform not in CHECKS_HASHES:
        return
    elif _is_compared(passed.value):
        _counted(it, passed)
        return
    elif _counts_in_fields(it, passed):
        return
    if isinstance(node, cst.BaseExpression):
        note_made_anew(it, passed, Part(passed.value), node)


def _counts_in_fields(it: Interpreter, passed: ArgumentPassed) -> bool:
    """What is passed may be compared by its fields, one of which is another number each time."""
    node = passed.node
    contents = it.contents(passed.value) if isinstance(passed.value, Ref) else None
    if not isinstance(contents, Instance) or not isinstance(node, cst.BaseExpression):
        return False
    if class_info(it, contents.cls).kind != "dataclass":
        return False
    for name, held in contents.attributes.items():
        if is_int_or_float(held) and is_counted(it, name, node):
            note_varying(it, passed, field=name)
            return True
    return False


def _in_static_parts(it: Interpreter, passed: ArgumentPassed) -> None:
    """What is traced may have static parts, which are other ones each time."""
    node, transform = passed.node, passed.function.transform
    if transform in COMPARING_PARTS and isinstance(node, cst.BaseExpression):
        for part in static_parts(it, passed.value, transform):
            if is_int_or_float(part.value):
                if is_counted(it, part.field, node):
                    note_varying(it, passed, field=part.field)
            else:
                note_made_anew(it, passed, part, node)


def _is_compared(value: Value) -> bool:
    """Whether a value may be a number, a text or a tuple of such."""
    if isinstance(value, (Const, Static)):
        return type_name(value) in (None, "int", "float", "str")
    return isinstance(value, (Tuple, Unknown))


#: parameters that say along which axis: JAX needs them static, and there is one value for each axis
_AXES: Final = frozenset({"axis", "axes"})


@observes(SolverCalled)
def _solver_called(it: Interpreter, called: SolverCalled) -> None:
    """A number is static for a solver that Equinox compiles: ``diffeqsolve(t0=now)``."""
    if is_within_trace(it) or not it.running:
        return
    function = Transformed(External(called.name), called.name, (), it.place(called.node))
    for parameter, value, node in called.numbers:
        if is_int_or_float(value):
            _counted(it, ArgumentPassed(function, value, parameter, node, static=False))


# -- counters -------------------------------------------------------------------------------------


def _counted(it: Interpreter, passed: ArgumentPassed) -> None:
    """What is passed is another number in every turn of a loop around, here or with callers."""
    node = passed.node
    if not isinstance(node, cst.BaseExpression) or passed.parameter in _AXES:
        return
    if passed.parameter is not None and picks_sizes(it, passed.function, passed.parameter):
        return
    loops = lasting_loops(it.frame, node) if it.frame.enclosing_loops else []
    meant = [*meanings(it.frame, node)]
    for (depth, loop), made in product(enumerate(loops), meant):
        if makes_new(it, loop, made, outermost=not depth):
            sizes = makes_sizes(it, passed.function, passed.parameter)
            if not is_few(it, loop, sizes=sizes) and not is_sweep(it, loops[0], made):
                note_varying(it, passed)
            return
        name = measured_length(made, loop)
        if name is not None and isinstance(it.look_up(name), (Const, Static)):
            if _is_text(it.look_up(name)) and not is_display(loop):
                note_varying(it, passed)
            return
    chosen = (chosen_by_callers(it, made) for made in meant)
    hangs_on = next((each for each in chosen if each is not None), None)
    if hangs_on is not None and not is_guarded(it.frame, node):
        fresh = freshly(passed, Part(passed.value), "number")
        add_site(it, passed, it.frame, node, Kind.STATIC_NUMBER, fresh, hangs_on)


def _is_text(value: Value) -> bool:
    return isinstance(value, (Const, Static)) and type_name(value) in ("str", "bytes")
