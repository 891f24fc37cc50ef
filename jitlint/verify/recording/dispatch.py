"""Programs on their way to the device: what is run, what is skipped, and what is looked at.

Runs in a child process only.  No public hook exists; where the private one is missing, everything
is compiled and run as usual, and what has to be seen here stays unseen.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jitlint.verify.recording.real_jax import real_jax, real_numpy
from jitlint.verify.recording.recorder import Recorder
from jitlint.verify.recording.tracers import traced

#: functions with fewer operations are compiled in any case
_SMALL = 6
#: how many equations a program may have whose text is compared
_SHOWN = 40


def install(recorder: Recorder) -> None:
    """Let a recorder see every program that is run outside of a trace, and decide how.

    Large functions give ones, uncompiled, once their results mean nothing any more: compiling takes
    most of the time of a run, and after a substitution the values are made up anyway.

    Args:
      recorder: is told of the programs.
    """
    pjit = sys.modules.get("jax._src.pjit")
    original = getattr(pjit, "_pjit_call_impl_python", None)
    if original is None:
        return
    if recorder.watches_programs:
        # Without what is kept for the fast path, no call passes by.
        pjit._get_fastpath_data = lambda *args, **kwargs: None  # type: ignore[union-attr]
        _watch_compiled_ahead(recorder)

    made: dict[object, tuple[Any, Any, Any]] = {}

    def execute(*args: Any, **kwargs: Any) -> Any:
        # JAX forgets how to add two numbers whenever its caches are cleared, which is often.
        counting = recorder.measuring or recorder.watches_compilations
        key = None if counting else _program(args, kwargs)
        if key is None:
            return original(*args, **kwargs)
        if key not in made:
            found = original(*args, **kwargs)
            made[key] = found[1:]
            return found
        compiled, profile, constants = made[key]
        return compiled.unsafe_call(*constants, *args), compiled, profile, constants

    def run(*args: Any, **kwargs: Any) -> Any:
        jaxpr = kwargs.get("jaxpr")
        recorder.keep_program(jaxpr)
        if jaxpr is not None and _is_operation(jaxpr):
            return execute(*args, **kwargs)
        garbage = recorder.run.substituted and not (recorder.eager or recorder.measuring)
        if garbage and jaxpr is not None:
            outputs = _ones(jaxpr)
            if outputs is not None:
                return outputs, None, None, []
        if recorder.measuring or recorder.eager or any(kwargs.get("donated_invars", ())):
            return execute(*args, **kwargs)
        return recorder.replay(lambda: execute(*args, **kwargs))

    def watched(*args: Any, **kwargs: Any) -> Any:
        if traced() or recorder.eager:
            return run(*args, **kwargs)
        recorder.programs_run.about_to_run(kwargs.get("jaxpr"), recorder.run)
        held_back = args
        if not any(kwargs.get("donated_invars", ())) and len(real_jax().devices()) == 1:
            held_back = recorder.stopwatch.held_back(args)
        found = run(*held_back, **kwargs)
        recorder.stopwatch.dispatched(found[0])
        return found

    pjit._pjit_call_impl_python = watched if recorder.watches_programs else run  # type: ignore[union-attr]


def _watch_compiled_ahead(recorder: Recorder) -> None:
    """Look at programs that were compiled ahead of time, too: ``compiled(x)`` goes another way."""
    jax = real_jax()
    kind = jax.stages.Compiled
    original = kind.__call__
    #: what holds back an argument is such a program itself
    running: list[object] = []

    def call(compiled: Any, *args: Any, **kwargs: Any) -> Any:
        if running or traced() or recorder.eager:
            return original(compiled, *args, **kwargs)
        running.append(compiled)
        try:
            leaves, tree = jax.tree.flatten((args, kwargs))
            donated = any(each.donated for each in jax.tree.leaves(compiled.args_info))
            if not donated and len(jax.devices()) == 1:
                leaves = list(recorder.stopwatch.held_back(tuple(leaves)))
            args, kwargs = jax.tree.unflatten(tree, leaves)
            result = original(compiled, *args, **kwargs)
        finally:
            running.clear()
        recorder.stopwatch.dispatched(jax.tree.leaves(result))
        return result

    kind.__call__ = call


def _is_operation(closed: Any) -> bool:
    """Whether a program is an operation outside of any function: nothing was traced by it.

    A derivative of one may have several equations; JAX 0.12 runs them as one program.
    """
    equations = closed.jaxpr.eqns
    if len(equations) < 2:
        return True
    written_in = getattr(getattr(closed.jaxpr, "debug_info", None), "func_filename", None)
    if written_in is None or not str(written_in).startswith(_folder_of_jax()):
        return False
    # What is given a function of the user's runs it in a loop or branch.
    return not any(
        hasattr(value, "eqns")
        or hasattr(value, "jaxpr")
        or (isinstance(value, tuple | list) and any(hasattr(inner, "jaxpr") for inner in value))
        for equation in equations
        for value in equation.params.values()
    )


@cache
def _folder_of_jax() -> str:
    return f"{Path(str(real_jax().__file__)).parent}{os.sep}"


def _program(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> object | None:
    """What tells a small program on plain arrays from all others; None where that is unsure."""
    jax = real_jax()
    numpy = real_numpy()

    closed = kwargs.get("jaxpr")
    plain = (jax.Array, numpy.ndarray, numpy.generic, bool, int, float, complex)
    if closed is None or not _transparent(closed) or len(jax.devices()) > 1:
        return None
    if any(kwargs.get("donated_invars", ())) or not all(isinstance(a, plain) for a in args):
        return None
    return (
        str(closed.jaxpr),
        tuple((str(v), v.weak_type) for v in (*closed.in_avals, *closed.out_avals)),
        tuple(getattr(a, "committed", None) for a in args),
        tuple((name, str(value)) for name, value in kwargs.items() if name != "jaxpr"),
        str(jax.config.values),
    )


def _transparent(closed: Any, left: int = _SHOWN) -> bool:
    """Whether the text of a program says all that it does."""
    jaxpr = closed.jaxpr
    if closed.consts or jaxpr.effects or len(jaxpr.eqns) > left:
        return False
    for equation in jaxpr.eqns:
        for value in equation.params.values():
            if hasattr(value, "jaxpr"):
                if equation.primitive.name != "jit" or not _transparent(value, left // 2):
                    return False
            elif callable(value) or hasattr(value, "eqns") or getattr(value, "ndim", 0) > 0:
                return False
    return True


def _ones(jaxpr: Any) -> list[Any] | None:
    """Results of the right shapes; None for what is small, or no plain number."""
    jax = real_jax()
    numpy = real_numpy()

    if len(jaxpr.jaxpr.eqns) < _SMALL or jaxpr.jaxpr.effects:
        return None
    avals = jaxpr.out_avals
    if not all(isinstance(getattr(aval, "dtype", None), numpy.dtype) for aval in avals):
        return None
    if len(jax.devices()) > 1:
        return None
    return [jax.numpy.asarray(numpy.ones(aval.shape, aval.dtype)) for aval in avals]
