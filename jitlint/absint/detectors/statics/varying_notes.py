"""Notes of static arguments that are other ones each time, at once or for the calls to judge."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.functions import Place
from jitlint.absint.detectors.compilation.jit_sites import JitSite, JitUses, Kind
from jitlint.absint.detectors.compilation.traced_arguments import called_name
from jitlint.absint.detectors.statics.static_parts import Part
from jitlint.absint.events import VaryingStaticArgument
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.given import Application, application_of
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArgumentPassed
from jitlint.absint.values.domain import Transformed, Value, base_function


def freshly(passed: ArgumentPassed, part: Part, kind: str) -> str:
    """What is new each time, and where it gets to, for the verdict that is given in the end."""
    return ": ".join((kind, passed.parameter, part.field))


def add_site(
    it: Interpreter,
    passed: ArgumentPassed,
    frame: Frame,
    node: cst.BaseExpression,
    kind: Kind,
    fresh: str,
    hangs_on: frozenset[str],
) -> None:
    """Leave it to the calls of the function around whether an argument is another one each time."""
    uses = it.observations(JitUses)
    if id(node) in uses.sites:
        return
    place = Place(frame.parsed, node)
    uses.add(
        node,
        JitSite(
            kind=kind,
            place=place,
            owner=frame.code,
            qualname=frame.qualname,
            chain=frame.chain,
            operand=place.text(),
            callee=called_name(passed.function),
            fresh=fresh,
            depends=hangs_on,
            in_test=frame.in_test,
        ),
    )


def note_varying(
    it: Interpreter, passed: ArgumentPassed, made: str | None = None, field: str = ""
) -> None:
    """Report that an argument is another one each time.

    Args:
      it: the interpreter.
      passed: the argument.
      made: what of it is made anew, None for a number.
      field: the field of it that is static, empty for the whole.
    """
    applied = _application(passed.function)
    it.note(
        VaryingStaticArgument,
        passed.node,
        callee=called_name(passed.function),
        parameter=passed.parameter,
        declared=passed.static,
        made=made,
        field=field,
        caller=None,
        application=None if applied is None else applied.place,
        positional=() if applied is None else applied.positional,
    )


def _application(function: Value) -> Application | None:
    """How the function that is called was made, if its parameters are those that are written."""
    base = base_function(function)
    if base is None or not isinstance(function, Transformed):
        return None
    return application_of(function, base.code)
