"""One version of a program, run from its first import on.

Runs in a child process only.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import os
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from jitlint.verify.driving.time_limit import TimeUp, time_limit
from jitlint.verify.proving.comparison import Snapshot, of_globals, snapshot
from jitlint.verify.proving.job import AS_IT_IS, AS_MEASURED, WITH_NUMPY, Example, Texts
from jitlint.verify.proving.variations import VARIATIONS, can_vary
from jitlint.verify.recording.exceptions import described, is_of_jax, steps
from jitlint.verify.recording.monitoring import CompilationClock
from jitlint.verify.recording.real_jax import real_jax, real_numpy

#: how often a call is made of which the compilations are counted
_TURNS = 3
_GLOBALS = "__jitlint_example__"


@dataclass
class Outcome:
    """What a run of a program gave.

    Args:
      results: of the calls.
      arguments: of the calls, as they were afterwards.
      text: what was printed.
      rows: the rows of the project's files that were run, where they were watched.
      error: what was raised, in words; None if nothing was.
      of_jax: whether it was raised by JAX, for want of a value.
      places: files and rows of the project's code that it came through, the innermost first.
      can_vary: whether the calls have arguments that could have other values.
      compilations: how many programs were compiled.
      waits: how often ``jax.block_until_ready`` was called.
    """

    results: Snapshot | None = None
    arguments: Snapshot | None = None
    text: str = ""
    rows: set[tuple[str, int]] = field(default_factory=set)
    error: str | None = None
    of_jax: bool = False
    places: Sequence[tuple[str, int]] = ()
    can_vary: bool = False
    compilations: int = 0
    waits: int = 0


class Versions:
    """Runs versions of the project that lies in a folder.

    Args:
      folder: the copy of the project, whose files are written to.
      original: the folder that the copy stands for, which calls may name.
      files: those of which some version has another text.
      seconds_left: the seconds until the job's time is up.
    """

    def __init__(
        self,
        folder: str,
        original: str,
        files: Sequence[str],
        seconds_left: Callable[[], float],
    ) -> None:
        self._folder = folder
        self._moved = f"{original.rstrip(os.sep)}{os.sep}", f"{folder}{os.sep}"
        self._before = {name: Path(name).read_bytes() for name in files}
        self._seconds_left = seconds_left
        self._clock = CompilationClock()
        self._clock.start()
        self._waits = 0
        self._count_waits()

    def run(
        self,
        texts: Texts,
        example: Example,
        variation: str,
        *,
        against: str | None,
        seconds: float,
    ) -> Outcome:
        """Run an example in a version of the program.

        Args:
          texts: the files of the version that differ from the original, with their texts.
          example: what is run.
          variation: which values arrays have in the arguments of its calls.
          against: None for a fixed program; else what it is held against, which this version is.
          seconds: how long it may take.
        """
        self._write(texts)
        self._forget()
        random.seed(0)
        real_numpy().random.seed(0)
        outcome, out = Outcome(), io.StringIO()
        compilations, waits = self._clock.read()[1], self._waits
        try:
            with (
                time_limit(max(min(seconds, self._seconds_left()), 0.1)),
                contextlib.redirect_stdout(out),
                _mode(against),
                self._watching(outcome.rows) if against is not None else contextlib.nullcontext(),
            ):
                self._make_calls(example, variation, against, outcome)
        except TimeUp:
            outcome.error = "it takes too long"
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            outcome.error, outcome.of_jax = described(error), is_of_jax(error)
            outcome.places = [*reversed([*self._places(error)])]
            error.__traceback__ = None
        outcome.text = out.getvalue()
        outcome.compilations = self._clock.read()[1] - compilations
        outcome.waits = self._waits - waits
        return outcome

    def _make_calls(
        self, example: Example, variation: str, against: str | None, outcome: Outcome
    ) -> None:
        jax = real_jax()
        vary = VARIATIONS[variation]
        namespace: dict[str, Any] = {"__name__": _GLOBALS}
        results: list[Any] = []
        arguments: list[Any] = []
        for statement in example.imports:
            exec(statement, namespace)
        if not example.calls:
            results.append(of_globals(vars(_imported(example.imports[-1]))))
        for _ in range(_TURNS if against == AS_IT_IS else 1):
            for call in example.calls:
                function, given, named = _taken_apart(call.replace(*self._moved), namespace)
                outcome.can_vary |= can_vary((given, named))
                given, named = vary((given, named))
                made = function(*given, **named)
                results.append(of_globals(made) if isinstance(made, dict) else made)
                arguments.append((given, named))
        jax.effects_barrier()
        measured = against == AS_MEASURED
        outcome.results = snapshot(results, measured=measured)
        outcome.arguments = snapshot(arguments, measured=measured, arrays=against != WITH_NUMPY)

    def _write(self, texts: Texts) -> None:
        """Give the files the texts of a version."""
        wanted = dict(texts)
        for name, before in self._before.items():
            new = wanted[name].encode() if name in wanted else before
            if Path(name).read_bytes() != new:
                Path(name).write_bytes(new)

    def _forget(self) -> None:
        """Forget what was imported of the project."""
        inside = f"{self._folder}{os.sep}"
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(inside):
                del sys.modules[name]
        importlib.invalidate_caches()

    @contextlib.contextmanager
    def _watching(self, rows: set[tuple[str, int]]) -> Iterator[None]:
        """Keep the rows of the files that were run."""
        files = self._before

        def inside(frame: FrameType, event: str, _: Any) -> Any:
            rows.add((frame.f_code.co_filename, frame.f_lineno))
            return inside

        def enter(frame: FrameType, event: str, argument: Any) -> Any:
            return inside if frame.f_code.co_filename in files else None

        before = sys.gettrace()
        sys.settrace(enter)
        try:
            yield
        finally:
            sys.settrace(before)

    def _places(self, error: BaseException) -> Iterator[tuple[str, int]]:
        inside = f"{self._folder}{os.sep}"
        for step in steps(error):
            filename = step.tb_frame.f_code.co_filename
            if filename.startswith(inside):
                yield filename, step.tb_lineno

    def _count_waits(self) -> None:
        jax = real_jax()
        wait = jax.block_until_ready

        def waiting(value: Any) -> Any:
            self._waits += 1
            return wait(value)

        jax.block_until_ready = waiting


def _imported(statement: str) -> Any:
    """The module that an import statement names."""
    return sys.modules[statement.removeprefix("import ").strip()]


def _taken_apart(call: str, namespace: Mapping[str, Any]) -> tuple[Any, list[Any], dict[str, Any]]:
    """A call's function and arguments; what is no call becomes one of a function without any."""
    node = ast.parse(call, mode="eval").body
    values = dict(namespace)

    def value(part: ast.expr) -> Any:
        return eval(compile(ast.Expression(part), "<call>", "eval", dont_inherit=True), values)

    plain = isinstance(node, ast.Call) and not any(
        [isinstance(it, ast.Starred) for it in node.args] + [k.arg is None for k in node.keywords]
    )
    if not plain:
        return lambda: value(node), [], {}
    assert isinstance(node, ast.Call)
    named = {str(keyword.arg): value(keyword.value) for keyword in node.keywords}
    return value(node.func), [value(part) for part in node.args], named


def _mode(against: str | None) -> contextlib.AbstractContextManager[Any]:
    """What the program runs under."""
    if against in (None, AS_IT_IS, AS_MEASURED):
        return contextlib.nullcontext()
    stack = contextlib.ExitStack()
    stack.enter_context(real_jax().disable_jit())
    if against == WITH_NUMPY:
        stack.enter_context(numpy_for_jax())
    return stack


@contextlib.contextmanager
def numpy_for_jax() -> Iterator[None]:
    """Have ``import jax.numpy as jnp`` give NumPy, whose arrays can be changed in place."""
    jax, numpy = real_jax(), real_numpy()
    before = jax.numpy
    sys.modules["jax.numpy"] = jax.numpy = numpy
    try:
        yield
    finally:
        sys.modules["jax.numpy"] = jax.numpy = before
