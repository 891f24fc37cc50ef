"""What acts on the host, or asks it: printing, files, logs, clocks, random numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import walk
from jitlint.absint.detectors.effects.escapes import cached_trace, note_effect
from jitlint.absint.detectors.surroundings.filling import is_first_time, is_kept_by_what_lasts
from jitlint.absint.detectors.surroundings.on_request import is_read_on_request
from jitlint.absint.detectors.surroundings.paths import names_given, names_in
from jitlint.absint.detectors.surroundings.single_runs import (
    runs_once,
    runs_once_for_itself,
)
from jitlint.absint.detectors.surroundings.traces import gives_shapes
from jitlint.absint.detectors.surroundings.written import asked_once, nodes_around, root_name
from jitlint.absint.events import (
    FrozenHostValue,
    HostIO,
    Print,
)
from jitlint.absint.machine.always import SAME_TEXT, SHOWS_VALUES, prints_alike
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Frame, Trace
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import (
    HostCalled,
    UnknownCalled,
    in_state,
    observes,
)
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.operations.strings import shown_alike, text_tracer
from jitlint.absint.values.domain import (
    Array,
    Const,
    Tree,
)
from jitlint.absint.values.heap import SureFacts
from jitlint.jaxmodel import effects as host
from jitlint.project.test_code import is_test

#: texts that are made of values, where they do not come from elsewhere
_MADE_TEXTS = (cst.BaseString, cst.BinaryOperation, cst.Call)
#: methods to which programs hand a text in order to write it
_WRITERS = {
    "write": "stream",
    **dict.fromkeys(("debug", "info", "warning", "error", "critical", "exception"), "logging"),
}


@in_state
class Seeds(SureFacts):
    """The modules whose own generator a trace has given a seed, each with its number."""

    known: frozenset[tuple[str, int]]

    __slots__ = ()

    def is_seeded(self, module: str, traces: Iterable[Trace]) -> bool:
        """Whether what a module draws is the same whenever something is traced."""
        return any((module, trace.number) in self.known for trace in traces)


def _shown(it: Interpreter, args: Arguments) -> tuple[Array | Tree | None, cst.CSTNode | None]:
    """The first tracer among what a call shows, bare or within a text, and where it stands."""
    nodes = [*args.nodes, *([None] * (len(args.positional) - len(args.nodes)))]
    places = [*zip(args.positional, nodes, strict=False)]
    places += [(value, args.keyword_nodes.get(key)) for key, value in args.keywords.items()]
    if args.star is not None:
        places.append((args.star, None))
    for value, node in places:
        tracer = find_traced(it, value) or text_tracer(it, value)
        if tracer is not None:
            return tracer, node
    return None, None


@observes(HostCalled)
def _host_called(it: Interpreter, called: HostCalled) -> None:
    outermost = cached_trace(it)
    if it.trace is None or outermost is None:
        return
    kind, args, node, mode = called.kind, called.args, called.node, called.mode
    module = called.name.rpartition(".")[0]
    if kind == "seeding":
        _seeded(it, module, args)
        return
    if kind == "random" and it.slot(Seeds).is_seeded(module, it.traces()):
        # Each trace draws the same.
        return
    if mode is not None and not _writes(args, mode):
        return
    callee = it.text(node.func) if isinstance(node, cst.Call) else it.text(node)
    if kind in host.FROZEN_KINDS:
        if kind != "random" and it.in_cached:
            # Read once for the whole process, traced or not.
            return
        if kind == "environment" and (
            not (_becomes_number(it.frame, node) or _is_set_by_functions(it, node))
            or is_first_time(it, node)
        ):
            return
        if kind == "random" and is_kept_by_what_lasts(it.frame, node):
            # Drawn once and kept, traced or not.
            return
        if kind == "clock" and is_read_on_request(it.frame, node):
            return
        dates = called.name.startswith(_DATES)
        of_script = kind == "random"
        once = runs_once_for_itself(it, outermost, of_script=of_script)
        if outermost.fresh or once or (dates and runs_once(it, outermost)):
            # There is no later call for which it would be out of date.
            return
        it.note(FrozenHostValue, node, callee=callee, kind=kind)
        return
    *_, started = it.traces()
    if gives_shapes(it, started):
        # Nothing of it is run: what is shown is what there is to see.
        return
    tracer, where = _shown(it, args)
    if tracer is None and (is_first_time(it, node) or runs_once(it, outermost)):
        # Once is as often as it is wanted.
        return
    operand = where if where is not None else next(iter(args.nodes), node)
    if kind == "print":
        always = _facts_of_print(it, args)
        note_effect(it, Print, node, operand, tracer, always=always)
    else:
        note_effect(it, HostIO, node, operand, tracer, callee=callee, kind=kind)


@asked_once
def _becomes_number(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a setting is read as a number: ``float(os.environ["RATE"])``.

    An argument could stand for it.  A text, a flag or a number that others are compared with
    chooses a program, which only tracing can: it does harm where the project itself chooses anew.
    Nor is known of a setting that callers name what it is for, but where the function computes.
    """
    named = names_given(frame, node)
    numbers = [
        inner
        for inner in nodes_around(frame)
        if isinstance(inner, cst.Call) and isinstance(inner.func, cst.Name)
        if inner.func.value in _NUMBERS
        if any(frame.parsed.holds(a.value, node) or root_name(a.value) in named for a in inner.args)
    ]
    names = {name for inner in numbers for name in names_given(frame, inner)}

    def is_within(kind: type[cst.CSTNode]) -> bool:
        return any(
            not names.isdisjoint(names_in(inner))
            or any(frame.parsed.holds(inner, number) for number in numbers)
            for inner in nodes_around(frame)
            if isinstance(inner, kind)
        )

    computes = _name_of_variable(node) is not None or is_within(cst.BinaryOperation)
    return bool(numbers) and computes and not is_within(cst.Comparison)


def _is_set_by_functions(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether functions of the project other than tests set the variable that is asked for.

    A function that sets it itself asks what to set it to: ``environ["PATH"] = added + before``.
    """
    name = _name_of_variable(node)
    if name is None:
        return False
    code = it.frame.code
    if code is not None and code.unit.finds(_setting(name)):
        return False
    return any(
        unit.is_function and not is_test(module.path, unit.qualname)
        for module in it.modules_with(name)
        for unit in module.units_finding(name, _setting(name))
    )


def _name_of_variable(node: cst.CSTNode) -> str | None:
    """The name of the variable that is asked for, None if it is not written there."""
    texts = (inner.evaluated_value for inner in walk(node) if isinstance(inner, cst.SimpleString))
    return next((text for text in texts if isinstance(text, str) and text.isidentifier()), None)


def _setting(name: str) -> str:
    """What sets a variable of the environment, whether or not it has been set before."""
    quoted = rf"[\"']{name}[\"']"
    store = rf"environ\[\s*{quoted}\s*\]\s*=(?!=)|del\s+[\w.]*environ\[\s*{quoted}"
    return rf"{store}|(?:environ\.(?:pop|update)|(?:put|set|del|unset)env)\([^)]*{quoted}"


#: what says when a program runs, rather than how long something takes
_DATES: Final = "datetime."
#: what makes numbers of texts
_NUMBERS: Final = frozenset({"complex", "float", "int"})


def _seeded(it: Interpreter, module: str, args: Arguments) -> None:
    """What a module draws is decided for the rest of the trace, if it is given a seed."""
    given = [*args.positional, *args.keywords.values()]
    assert it.trace is not None
    seeds = it.edit_slot(Seeds)
    if given and given[0] != Const(None):
        seeds.known |= {(module, it.trace.number)}
    else:
        seeds.known = frozenset(each for each in seeds.known if each[0] != module)


def _facts_of_print(it: Interpreter, args: Arguments) -> frozenset[str]:
    """What is so of what is printed."""
    if args.star is not None or len(args.nodes) != len(args.positional):
        return frozenset()
    shown = list(zip(args.nodes, args.positional, strict=True))
    if any(text_tracer(it, v) and not isinstance(node, _MADE_TEXTS) for node, v in shown):
        return frozenset()
    alike = all(
        shown_alike(it, node)
        if isinstance(node, _MADE_TEXTS) and not isinstance(value, Array)
        else prints_alike(value)
        for node, value in shown
    )
    return frozenset({SHOWS_VALUES, SAME_TEXT} if alike else {SHOWS_VALUES})


@observes(UnknownCalled)
def _unknown_called(it: Interpreter, called: UnknownCalled) -> None:
    """A method of an object that nothing is known of is given a text that shows a tracer."""
    node = called.node
    if it.trace is None or not isinstance(node, cst.Call):
        return
    kind = _WRITERS.get(node.func.attr.value) if isinstance(node.func, cst.Attribute) else None
    if kind is None:
        return
    if any(text_tracer(it, value) for value in called.args.positional):
        _host_called(it, HostCalled(kind, called.args, node))


def _writes(args: Arguments, position: int) -> bool:
    mode = args.get(position, "mode")
    return (
        isinstance(mode, Const)
        and isinstance(mode.value, str)
        and bool(set(mode.value) & set("wax+"))
    )
