"""Objects whose methods act on the host: loggers, files, random generators, progress bars."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.library.facts import apply_fact, may_be_traced
from jitlint.absint.library.registry import method
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import HostCalled
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


def host_object(it: Interpreter, name: str, args: Arguments, node: cst.CSTNode) -> Value | None:
    """The object that a call of a class or factory makes, None if its methods have no effects."""
    cls = effects.object_made(name)
    if cls is None:
        return None
    fact = lookup(name)
    if fact is not None:
        before, it.asked = it.asked, False
        apply_fact(it, fact, args, node)
        failed, it.asked = it.asked, it.asked or before
        if failed:
            return UNKNOWN
    if cls == "tqdm.tqdm" and args.positional:
        # A progress bar yields what it is wrapped around.
        return args.positional[0]
    if it.trace is None:
        return ExternalInstance(cls)
    if cls in effects.SEEDED and not args.values():
        it.signal(HostCalled("random", args, node))
    return ExternalInstance(cls, (("<inside>", TRUE),))


@method("logging.Logger", "getChild")
def _child(
    it: Interpreter, logger: ExternalInstance, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    return logger


@method("pathlib.Path", "open")
def _open(
    it: Interpreter, path: ExternalInstance, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    it.signal(HostCalled("file", args, node, 0))
    return ExternalInstance("io.TextIOWrapper", path.attributes)


def call_host_method(
    it: Interpreter, receiver: ExternalInstance, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """``logger.info(...)``, ``rng.normal()``."""
    kind = effects.method_kind(receiver.cls, name)
    if kind is None:
        return UNKNOWN
    if receiver.cls not in effects.LOCAL or "<inside>" not in dict(receiver.attributes):
        it.signal(HostCalled(kind, args, node))
    row = effects.method_row(receiver.cls, name)
    if row is None:
        return NONE
    fact = lookup(row)
    traced = any(may_be_traced(it, value) for value in args.values())
    if fact is not None and traced:
        apply_fact(it, fact, args, node)
    return UNKNOWN if traced or receiver.cls == "random.Random" else NDARRAY
