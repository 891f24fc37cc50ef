"""What testing libraries offer to say that something raises, and ``contextlib.suppress``."""

from __future__ import annotations

from contextlib import suppress

from jitlint.absint.library.registry import Call, Model, model
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.python.expectations import EXPECTED, expecting, suppressed
from jitlint.absint.values.domain import UNKNOWN, Value
from jitlint.jaxmodel.expectations import EXPECTATIONS


def _raising(position: int) -> Model:
    """The model of ``raises(TypeError)`` and ``raises(TypeError, function, *args)``."""

    def called(it: Interpreter, call: Call) -> Value:
        if len(call.positional) <= position:
            return EXPECTED
        function, given = call.positional[position], call.args.dropped(position + 1)
        with expecting(it, call.node), suppress(Terminated):
            it.call(function, given, call.node)
        return UNKNOWN

    return called


for _name, _position in EXPECTATIONS.items():
    model(_name)(_raising(_position))


@model("contextlib.suppress")
def _suppress(it: Interpreter, call: Call) -> Value:
    return suppressed(call.positional)
