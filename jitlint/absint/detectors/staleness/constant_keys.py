"""Keys that a trace makes of a constant, so that every call draws the same numbers."""

from __future__ import annotations

import re

import libcst as cst

from jitlint.absint.code.functions import target_names
from jitlint.absint.code.syntax import called_name, dotted, walk, walk_own
from jitlint.absint.detectors.effects.escapes import cached_trace
from jitlint.absint.detectors.staleness.noted import NotedSet
from jitlint.absint.detectors.staleness.thrown_away import is_thrown_away
from jitlint.absint.detectors.surroundings.filling import is_guarded
from jitlint.absint.detectors.surroundings.paths import names_given
from jitlint.absint.detectors.surroundings.quiet_layers import QUIET
from jitlint.absint.detectors.surroundings.single_runs import runs_once
from jitlint.absint.detectors.surroundings.traces import gives_shapes
from jitlint.absint.detectors.surroundings.written import asked_once, nodes_around
from jitlint.absint.events import ConstantKey
from jitlint.absint.limits import TRACER_LEVELS
from jitlint.absint.machine.frames import Frame, Moment, Trace
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import KeyMade, NumbersDrawn, UnknownCalled, observes
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.operations.iteration import dict_contents
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import UNKNOWN, Array, Class, Const, Origin
from jitlint.absint.values.heap import Variables

#: how a comment says that the same numbers are wanted
_SAID = re.compile(r"#.*\b(?:determinis|reproduc|fixed|constant|same)", re.IGNORECASE)


class Fallbacks(NotedSet):
    """Places that make a key only where none is passed: the default of a parameter."""


@observes(KeyMade)
def _made(it: Interpreter, made: KeyMade) -> None:
    if is_guarded(it.frame, made.node):
        it.observations(Fallbacks).known.add(id(made.node))


@observes(NumbersDrawn)
def _drawn(it: Interpreter, drawn: NumbersDrawn) -> None:
    seed = drawn.key.seed if isinstance(drawn.key, Array) else None
    if seed is None or _is_start_direction(it.frame, drawn.node):
        return
    if not (_is_stand_in(it.frame, drawn.node) or _is_in_constructor(it)):
        _note(it, seed, drawn.node)


@asked_once
def _is_stand_in(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether numbers stand where there are no others: ``where(norm > 0, x / norm, noise)``."""
    return any(
        isinstance(inner, cst.Call)
        and (dotted(inner.func) or "").rpartition(".")[2] in ("where", "select")
        and any(frame.parsed.holds(arg.value, node) for arg in inner.args[1:])
        for inner in nodes_around(frame)
    )


def _is_in_constructor(it: Interpreter) -> bool:
    """Whether numbers are drawn as a Haiku module is made: the features of a random encoding.

    It is made anew in every call, and its parameters only fit features that stay the same.
    """
    code = it.frame.code
    if code is None or code.cls is None or code.name != "__init__":
        return False
    return "haiku.Module" in class_info(it, Class(code.cls, code.module)).externals


@asked_once
def _is_start_direction(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether numbers are where a loop begins that scales them to a length of one in each turn.

    A power iteration ends at the same vector from wherever it starts, a subspace iteration with
    the same vectors.
    """
    every = list(nodes_around(frame))
    names = names_given(frame, node)
    code = None if frame.code is None else frame.code.node
    if code is not None and any(_iterates(inner, names) for inner in every):
        # What a turn does stands in a function within this one.
        return any(_makes_orthonormal(inner) for inner in walk(code))
    return any(
        isinstance(inner, cst.Assign)
        and isinstance(inner.value, cst.BinaryOperation)
        and isinstance(inner.value.operator, cst.Divide)
        and _is_norm(inner.value.right)
        and any(names & {*target_names(target.target)} for target in inner.targets)
        for loop in every
        if isinstance(loop, (cst.For, cst.While))
        for inner in walk_own(loop)
    )


def _iterates(node: cst.CSTNode, names: set[str]) -> bool:
    """Whether a loop begins with names: ``while_loop(running, step, (0, sweep(start)))``."""
    return (
        isinstance(node, cst.Call)
        and (dotted(node.func) or "").rpartition(".")[2] in ("while_loop", "fori_loop")
        and any(_is_name(inner, name) for arg in node.args for inner in walk(arg) for name in names)
    )


def _makes_orthonormal(node: cst.CSTNode) -> bool:
    """``jnp.linalg.qr(y)``: several vectors at once are scaled to a length of one."""
    return isinstance(node, cst.Call) and (dotted(node.func) or "").rpartition(".")[2] == "qr"


def _is_norm(node: cst.BaseExpression) -> bool:
    """``jnp.linalg.norm(v)``, or such a thing with a small number added."""
    return any(
        isinstance(inner, cst.Call) and (dotted(inner.func) or "").rpartition(".")[2] == "norm"
        for inner in walk_own(node)
    )


@observes(UnknownCalled)
def _unknown_called(it: Interpreter, called: UnknownCalled) -> None:
    """``state.apply_fn(variables, x, rngs={"dropout": key})``: what Flax calls, draws."""
    seed, name = called.args.keywords.get("seed"), called_name(called.node)
    if isinstance(seed, Array) and seed.seed is not None and not name.startswith("init"):
        # `distribution.sample(seed=key)`
        _note(it, seed.seed, called.node)
    rngs = called.args.keywords.get("rngs")
    streams = None if rngs is None or it.trace is None else dict_contents(it, rngs)
    if streams is None:
        return
    keywords, positional = called.args.keywords, called.args.positional
    quiet = any(keywords.get(name) == Const(value) for name, value in QUIET.items())
    if quiet or any(isinstance(v, Const) and isinstance(v.value, bool) for v in positional):
        return
    for name, key in streams.items.items():
        if isinstance(key, Array) and key.seed is not None and _is_drawn_from(it, name):
            _note(it, key.seed, called.node)


def _is_drawn_from(it: Interpreter, stream: object) -> bool:
    """Whether a layer draws from a stream of keys: ``nn.Dropout`` does, or one of the project."""
    if stream == "params" or not isinstance(stream, str):
        return False
    asks = rf"make_rng\(\s*[\"']{re.escape(stream)}[\"']"
    return stream == "dropout" or any(
        unit.finds(asks)
        for module in it.modules_with("make_rng")
        for unit in module.units_with("make_rng")
    )


def _is_said(made: Moment) -> bool:
    """Whether a comment beside a key says that it is meant to stay the same."""
    row = made.place.position()[0]
    lines = made.place.parsed.unit.module.lines
    text = lines[row - 1] if 0 < row <= len(lines) else ""
    return _SAID.search(text) is not None


def _is_for_nothing(it: Interpreter, made: cst.CSTNode) -> bool:
    """Whether what is drawn with a key is thrown away, or only there for its shapes."""
    maker = _maker(it, made)
    return maker is not None and (
        _goes_to_eval_shape(maker, made) or is_thrown_away(it, maker, made)
    )


def _maker(it: Interpreter, made: cst.CSTNode) -> Frame | None:
    """The frame of the running function in which a key stands."""
    return next(
        (
            frame
            for frame in it.active_frames()
            if frame.code is not None and any(inner is made for inner in frame.code.own_nodes)
        ),
        None,
    )


def _is_offered_beside(it: Interpreter, made: cst.CSTNode) -> bool:
    """Whether a method does nothing but call another of its object, for which it has the key.

    ``def evaluate(self, x): return self.sample(x, rng=PRNGKey(0))``: whoever wants other numbers
    each time has the other method.
    """
    maker = _maker(it, made)
    return maker is not None and _only_fills_in(maker, made)


@asked_once
def _only_fills_in(frame: Frame, made: cst.CSTNode) -> bool:
    code = frame.code
    if code is None or code.cls is None or not isinstance(code.node, cst.FunctionDef):
        return False
    lines = [*code.node.body.body]
    last = lines[-1].body[-1] if isinstance(lines[-1], cst.SimpleStatementLine) else None
    call = last.value if isinstance(last, cst.Return) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return False
    keys = names_given(frame, made)
    own = {*code.parameter_names} | keys
    others = [line for line in lines[:-1] if not _is_text(line)]
    return (
        _is_name(call.func.value, code.parameter_names[0] if code.parameter_names else "")
        and all(any(_is_name(arg.value, n) for n in own) or arg.value is made for arg in call.args)
        and len(others) <= (1 if keys else 0)
        and all(frame.parsed.holds(line, made) for line in others)
    )


def _is_text(line: cst.CSTNode) -> bool:
    """Whether a statement is a docstring."""
    parts = line.body if isinstance(line, cst.SimpleStatementLine) else ()
    return any(
        isinstance(part, cst.Expr) and isinstance(part.value, cst.BaseString) for part in parts
    )


@asked_once
def _goes_to_eval_shape(frame: Frame, made: cst.CSTNode) -> bool:
    """Whether a name for what is made is only read by functions for ``jax.eval_shape``."""
    code = frame.code
    if code is None or not isinstance(code.node, cst.FunctionDef):
        return False
    every = list(walk(code.node.body))
    names = {
        name
        for inner in every
        if isinstance(inner, cst.Assign) and frame.parsed.holds(inner.value, made)
        for target in inner.targets
        for name in target_names(target.target)
    }
    shaped = {
        id(inner.args[0].value): dotted(inner.args[0].value)
        for inner in every
        if isinstance(inner, cst.Call)
        and inner.args
        and (dotted(inner.func) or "").rpartition(".")[2] == "eval_shape"
    }
    functions = [
        inner
        for inner in every
        if isinstance(inner, cst.FunctionDef)
        and inner.name.value in shaped.values()
        and sum(_is_name(each, inner.name.value) for each in every)
        == 1 + len([name for name in shaped.values() if name == inner.name.value])
    ]
    within = {id(each) for function in functions for each in walk(function)}
    reads = [each for each in every for name in names if _is_name(each, name)]
    return bool(functions) and sum(id(each) not in within for each in reads) == len(names)


def _is_name(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _note(it: Interpreter, made: Moment, node: cst.CSTNode) -> None:
    repeats = _repeats(it, made)
    if repeats is None:
        return
    fallback = id(made.place.node) in it.observations(Fallbacks).known
    meant = fallback or _is_said(made) or _is_for_nothing(it, made.place.node)
    meant = meant or _is_offered_beside(it, made.place.node)
    if not meant and not is_thrown_away(it, it.frame, node):
        origin = Origin(it.place(node), "random numbers are drawn with it")
        it.note(
            ConstantKey, made.place.node, origin=origin, operand=made.place.text(), at=made,
            repeats=repeats,
        )  # fmt: skip


def _repeats(it: Interpreter, made: Moment) -> str | None:
    """What draws the same numbers again, None if nothing is known to."""
    outermost = cached_trace(it)
    running = list(it.traces())
    if outermost is None or any(gives_shapes(it, trace) for trace in running):
        return None
    if any(trace.loops and trace.number <= made.trace for trace in running):
        return "iteration"
    entered = _entered(it, outermost)
    if outermost.fresh or entered is None or not _takes_arrays(it, entered):
        # It is called once; or it begins something, in the same way in every call.
        return None
    return None if runs_once(it, outermost) else "call"


def _entered(it: Interpreter, trace: Trace) -> Frame | None:
    """The frame of the function that a trace began with."""
    entered: Frame | None = it.frame
    while entered is not None and (entered.parent is None or entered.parent.env != trace.env):
        entered = entered.parent
    return None if entered is None or entered.code is None else entered


def _takes_arrays(it: Interpreter, entered: Frame) -> bool:
    """Whether a function is given what may differ from call to call."""
    assert entered.code is not None
    variables = it.contents(entered.env)
    return isinstance(variables, Variables) and any(
        (value := variables.get(parameter.name)) == UNKNOWN
        or (value is not None and find_traced(it, value, TRACER_LEVELS) is not None)
        for parameter in entered.code.parameters
    )
