"""Objects whose methods act on the host: loggers, files, random generators, progress bars."""

from __future__ import annotations

from jitlint.absint.library.extents import sized
from jitlint.absint.library.registry import Call, method
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import HostCalled
from jitlint.absint.packages.facts import apply_fact, may_be_traced
from jitlint.absint.values.domain import (
    NDARRAY,
    NONE,
    TRUE,
    UNKNOWN,
    ExternalInstance,
    Value,
)
from jitlint.jaxmodel import effects
from jitlint.jaxmodel.functions import lookup


def host_object(it: Interpreter, name: str, call: Call) -> Value | None:
    """The object that a call of a class or factory makes, None if its methods have no effects."""
    cls = effects.object_made(name)
    if cls is None:
        return None
    fact = lookup(name)
    if fact is not None:
        before, it.reported = it.reported, False
        apply_fact(it, fact, call)
        failed, it.reported = it.reported, it.reported or before
        if failed:
            return UNKNOWN
    if cls == "tqdm.tqdm" and call.positional:
        # A progress bar yields what it is wrapped around.
        return call.first
    if it.trace is None:
        return ExternalInstance(cls)
    if cls in effects.SEEDED and not call.args.values():
        it.signal(HostCalled("random", call.args, call.node))
    return ExternalInstance(cls, (("<inside>", TRUE),))


method("logging.Logger", "getChild")(lambda it, call: call.receiver)


@method("pathlib.Path", "open")
def _open(it: Interpreter, call: Call) -> Value:
    it.signal(HostCalled("file", call.args, call.node, 0))
    return ExternalInstance("io.TextIOWrapper", call.receiver.attributes)


def call_host_method(it: Interpreter, call: Call) -> Value:
    """``logger.info(...)``, ``rng.normal()``."""
    receiver = call.receiver
    kind = effects.method_kind(receiver.cls, call.name)
    if kind is None:
        return UNKNOWN
    if receiver.cls not in effects.LOCAL or "<inside>" not in dict(receiver.attributes):
        it.signal(HostCalled(kind, call.args, call.node))
    row = effects.method_row(receiver.cls, call.name)
    if row is None:
        return NONE
    traced = may_be_traced(it, call)
    fact = lookup(row) if traced else None
    if fact is not None:
        apply_fact(it, fact, call)
    if traced or receiver.cls == "random.Random":
        return UNKNOWN
    return sized(it, f"numpy.random.{call.name}", call, NDARRAY)
