"""What a test promises of the functions that it jits, and how a broken promise reads."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Generator, Hashable, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Any

import pytest

from jitlint.foundation.phrases import counted
from jitlint.integrations.pytest.leaks import leaked, living
from jitlint.integrations.pytest.signatures import changes, shown
from jitlint.integrations.pytest.traces import Trace, Traces
from jitlint.verify.recording.real_jax import real_jax, real_numpy


@dataclass(frozen=True, kw_only=True)
class Promises:
    """What is promised.

    Args:
      max_traces: how often a function may be traced.
      no_leaks: no tracer outlives its trace.
      same_as_eager: it does the same without jit.
    """

    max_traces: int = 1
    no_leaks: bool = True
    same_as_eager: bool = True


def promises_of(marker: pytest.Mark | None) -> Promises:
    """What a marker says.

    Raises:
      pytest.UsageError: it says something else.
    """
    if marker is None:
        return Promises()
    try:
        if marker.args:
            raise TypeError("takes keywords only")
        return Promises(**marker.kwargs)
    except TypeError as error:
        words = str(error).replace("Promises.__init__()", "it")
        raise pytest.UsageError(f"pytest.mark.jit_clean: {words}") from None


class JitClean:
    """Calls functions under ``jax.jit`` and holds them to promises.

    Args:
      promises: what is promised.
    """

    def __init__(self, promises: Promises) -> None:
        self._promises = promises
        self._traces = Traces()
        _forget()
        self._jitted: dict[int, tuple[Any, Any]] = {}

    def __call__(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function, which is jitted unless it is already.

        It runs twice, since the second call shows whether the first one was enough for JAX.

        Args:
          function: the function.
          *args: its arguments.
          **kwargs: more of them.

        Returns:
          What it returns.
        """
        __tracebackhide__ = True
        jax = real_jax()
        eager: Any = None
        if self._promises.same_as_eager:
            with jax.disable_jit():
                eager = function(*args, **kwargs)
        jitted = self._under_jit(function)
        known = living() if self._promises.no_leaks else {}
        with self._traces.taken_down():
            result = jitted(*args, **kwargs)
            again = result if _donates(jitted, args, kwargs) else jitted(*args, **kwargs)
        _hold(self._traces.made, self._promises)
        if self._promises.no_leaks:
            _hold_leaks(leaked(known))
        if self._promises.same_as_eager:
            for turn, found in (("", result), (" in the second call", again)):
                different = _difference(eager, found)
                if different:
                    _fail(f"`{_name(function)}` differs under jit{turn}: {different}")
        return result

    def _under_jit(self, function: Any) -> Any:
        if hasattr(function, "lower") and hasattr(function, "__wrapped__"):
            return function
        key = id(getattr(function, "__func__", function))
        if key not in self._jitted:
            # The function is kept, so that no other one can have its identity.
            self._jitted[key] = (function, real_jax().jit(function))
        return self._jitted[key][1]


@contextmanager
def run_watched(item: pytest.Function, promises: Promises) -> Generator[None]:
    """Hold a whole test to promises while it runs, and then once more without jit.

    Args:
      item: the test.
      promises: what is promised.
    """
    __tracebackhide__ = True
    kept: set[str] = set()
    # What the test's own objects keep is gone with them when the test has returned.
    test = getattr(inspect.unwrap(item.obj), "__code__", None) if promises.no_leaks else None
    traces = Traces(test, lambda: kept.update(leaked(known)))
    _forget()
    known = living() if promises.no_leaks else {}
    with traces.taken_down():
        yield
    _hold(traces.made, promises)
    if promises.no_leaks:
        _hold_leaks({*kept, *leaked(known)})
    if promises.same_as_eager:
        different = _without_jit(item)
        if different is not None:
            _fail(f"the test passes under jit and fails without it: {different}")


def _without_jit(item: pytest.Function) -> str | None:
    """Run a test again without jit; how it fails."""
    names = inspect.signature(item.obj).parameters
    with real_jax().disable_jit():
        try:
            item.obj(**{n: v for n, v in item.funcargs.items() if n in names})
        except pytest.skip.Exception:
            return None
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return None


def _forget() -> None:
    """Let no earlier test have traced what this one calls."""
    real_jax().clear_caches()


def _hold(made: Iterable[Trace], promises: Promises) -> None:
    __tracebackhide__ = True
    by_code: dict[CodeType, list[Trace]] = {}
    for trace in made:
        by_code.setdefault(trace.code, []).append(trace)
    broken = [each for each in by_code.values() if len(each) > promises.max_traces]
    if broken:
        _fail("\n".join(line for each in broken for line in _retraced(each, promises.max_traces)))


def _retraced(traces: list[Trace], allowed: int) -> Iterable[str]:
    yield (
        f"{traces[0].place} was traced {counted(len(traces), 'time')}, where {allowed} is promised"
    )
    for number, trace in enumerate(traces[1:], 2):
        # The nearest of the earlier calls tells what made the difference.
        nearest = min(
            (changes(old.arguments, trace.arguments) for old in traces[: number - 1]), key=len
        )
        reason = "; ".join(nearest) or (
            "no argument has changed, so that the function itself is a new object: a lambda, "
            "partial, method or nested function that is jitted again"
        )
        yield f"  trace {number}: {reason}"
        yield f"    called with {shown(trace.arguments) or 'nothing'}"


def _hold_leaks(found: Collection[str]) -> None:
    __tracebackhide__ = True
    if found:
        lines = "\n".join(f"  {line}" for line in sorted(found))
        _fail(f"{counted(len(found), 'tracer')} outlived the trace:\n{lines}")


def _difference(eager: Any, jitted: Any) -> str | None:
    """How two results differ; None where they are the same but for rounding."""
    jax, numpy = real_jax(), real_numpy()
    first, shape = jax.tree_util.tree_flatten_with_path(eager)
    second, other = jax.tree_util.tree_flatten_with_path(jitted)
    if shape != other:
        return f"the structure is {other}, and {shape} without"
    for (path, one), (_, two) in zip(first, second, strict=True):
        where = f"result{jax.tree_util.keystr(path)}"
        if isinstance(one, jax.Array) and jax.dtypes.issubdtype(one.dtype, jax.dtypes.extended):
            one, two = jax.random.key_data(one), jax.random.key_data(two)
        a, b = numpy.asarray(one), numpy.asarray(two)
        if a.shape != b.shape:
            return f"{where} has the shape {b.shape}, and {a.shape} without"
        if not _close(a, b):
            return f"{where} is {_short(b)}, and {_short(a)} without"
    return None


def _close(one: Any, two: Any) -> bool:
    jnp = real_jax().numpy
    if not jnp.issubdtype(one.dtype, jnp.inexact) or not jnp.issubdtype(two.dtype, jnp.inexact):
        return bool(real_numpy().array_equal(one, two))
    # XLA may fuse and reorder, so that a third of the digits may differ.
    digits = min(int(jnp.finfo(each.dtype).precision) for each in (one, two))
    tolerance = 10.0 ** -(digits * 2 / 3)
    return bool(jnp.allclose(one, two, rtol=tolerance, atol=tolerance, equal_nan=True))


def _short(value: Any) -> str:
    return " ".join(str(value).split())[:80]


def _donates(jitted: Any, args: Iterable[Any], kwargs: Any) -> bool:
    """Whether a call took the memory of its arguments, so that it cannot be repeated."""
    jax = real_jax()
    leaves = jax.tree.leaves((args, kwargs))
    return any(isinstance(leaf, jax.Array) and leaf.is_deleted() for leaf in leaves)


def _name(function: Any) -> Hashable:
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__qualname__", repr(function))


def _fail(message: str) -> None:
    __tracebackhide__ = True
    pytest.fail(message, pytrace=False)
