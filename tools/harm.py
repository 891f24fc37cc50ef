"""Silent harm, observed: programs compiled, values gone stale, clocks read while work is pending.

For the cases of labelled programs, like ``tools.observation``; runs in a child process only.

What JAX compiles is counted by the name of the function.  What is stale or lost is a result that
differs from that of the same call without jit.  A duration is wrong where a clock is read although
what was dispatched before is not ready, and where a program is compiled between two readings.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import sys
import timeit
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from jitlint.verify.recording.clocks import LIBRARY, Clocks
from jitlint.verify.recording.exceptions import chain
from jitlint.verify.recording.monitoring import CompilationClock
from jitlint.verify.recording.real_jax import real_jax, real_numpy
from tools.labels.comments import program_document


@functools.cache
def _compiled() -> Counter[str]:
    """How often each function has been compiled since this was first asked for."""
    clock = CompilationClock()
    clock.start()
    return clock.programs


def compiled(call: Callable[[], Any], name: str) -> int:
    """How many programs JAX compiles for the function of a name during a call.

    What was compiled before is forgotten, so that the answer is that of a fresh process.
    """
    counts = _compiled()
    if not counts or name in counts:
        real_jax().clear_caches()
    before = counts[name]
    call()
    return counts[name] - before


def most_compiled(call: Callable[[], Any], namespace: Mapping[str, Any]) -> tuple[str, int]:
    """The function of a module that is compiled most often during a call, and how often.

    Args:
      call: runs the module.
      namespace: its globals; operations of JAX itself do not count.
    """
    real_jax().clear_caches()
    own = {str(getattr(value, "__name__", name)) for name, value in namespace.items()}
    counts = _compiled()
    before = Counter(counts)
    call()
    found = Counter({name: counts[name] - before[name] for name in own if name in counts})
    return found.most_common(1)[0] if found else ("nothing", 0)


def same(left: Any, right: Any) -> bool:
    """Whether two results are equal but for rounding."""
    jax, numpy = real_jax(), real_numpy()
    leaves, structure = jax.tree.flatten(left)
    others, other_structure = jax.tree.flatten(right)
    return structure == other_structure and all(
        numpy.shape(one) == numpy.shape(other)
        and numpy.allclose(one, other, rtol=1e-4, atol=1e-5, equal_nan=True)
        for one, other in zip(leaves, others, strict=True)
    )


def differs_from_eager(call: Callable[[], Any]) -> bool:
    """Whether a call gives something else than it does without jit.

    Args:
      call: starts from a fresh state and returns all that matters.
    """
    traced = call()
    with real_jax().disable_jit():
        eager = call()
    return not same(traced, eager)


def raises(call: Callable[[], Any], *names: str) -> bool:
    """Whether a call ends with an exception of one of these classes, or one caused by them."""
    try:
        call()
    except Exception as error:
        return any(type(cause).__name__ in names for cause in chain(error))
    return False


def text_size(jitted: Any, *args: Any, **kwargs: Any) -> int:
    """The length of the program that a jitted function hands to the compiler."""
    return len(jitted.lower(*args, **kwargs).as_text())


def equations(jitted: Any, *args: Any, **kwargs: Any) -> int:
    """How many operations a jitted function stages, those of bodies of control flow once."""
    return sum(1 for _ in _equations(jitted.trace(*args, **kwargs).jaxpr.jaxpr))


def _equations(jaxpr: Any) -> Iterator[Any]:
    for equation in jaxpr.eqns:
        yield equation
        for value in real_jax().tree.leaves(equation.params):
            inner = getattr(value, "jaxpr", value)
            if hasattr(inner, "eqns"):
                yield from _equations(inner)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was the case when a program read a clock.

    Args:
      pending: how many of the arrays that were dispatched were not ready.
      compiled: the programs compiled until then.
    """

    pending: int
    compiled: int


def readings(call: Callable[[], Any], *modules: ModuleType) -> list[Reading]:
    """What each reading of a clock by the program found during a call.

    Args:
      call: runs the program.
      modules: those of the program.  What their jitted functions return is kept, so that also the
        work is seen whose result the program drops.
    """
    jax = real_jax()
    found: list[Reading] = []
    kept: list[Any] = []
    # JAX reads clocks as well.
    readers = [vars(module) for module in (timeit, *modules)]

    def read(frame: FrameType) -> None:
        if any(frame.f_globals is one for one in readers):
            arrays = [*jax.live_arrays(), *kept]
            pending = sum(1 for one in arrays if not one.is_deleted() and not one.is_ready())
            found.append(Reading(pending, _compiled().total()))

    jax.block_until_ready(jax.live_arrays())
    _compiled()
    clocks = Clocks(read)
    with contextlib.ExitStack() as stack:
        for module in modules:
            stack.enter_context(_kept(module, kept))
        stack.callback(clocks.put_back)
        clocks.replace(*LIBRARY, *modules)
        call()
    jax.block_until_ready([one for one in kept if not one.is_deleted()])
    return found


def unawaited(call: Callable[[], Any], *modules: ModuleType) -> bool:
    """Whether a clock is read while dispatched work is pending.

    On a busy machine the work may be done before the program goes on: it has three chances.
    """
    return any(any(one.pending for one in readings(call, *modules)) for _ in range(3))


def spans(call: Callable[[], Any], *modules: ModuleType) -> list[int]:
    """How many programs are compiled between one reading of a clock and the next.

    What was compiled before is forgotten first.
    """
    real_jax().clear_caches()
    counts = [one.compiled for one in readings(call, *modules)]
    return [after - before for before, after in itertools.pairwise(counts)]


class _Keeper:
    """A jitted function that keeps what it returns alive."""

    def __init__(self, function: Any, kept: list[Any]) -> None:
        self._function = function
        self._kept = kept

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self._function(*args, **kwargs)
        jax = real_jax()
        leaves = jax.tree.leaves(result)
        self._kept += [
            leaf
            for leaf in leaves
            if isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer)
        ]
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


@contextlib.contextmanager
def _kept(module: ModuleType, kept: list[Any]) -> Iterator[None]:
    """Let the jitted functions that a module holds keep what they return."""
    names = {name: value for name, value in vars(module).items() if hasattr(value, "_cache_size")}
    vars(module).update({name: _Keeper(value, kept) for name, value in names.items()})
    try:
        yield
    finally:
        vars(module).update(names)


def notebook(name: str, module: ModuleType | None = None) -> ModuleType:
    """Run a notebook of the program under observation; its magics do nothing but run their Python.

    Args:
      name: its file, in the folder of the program.
      module: what an earlier run gave, to run it again.

    Returns:
      What it defines.
    """
    path = Path(sys.path[0], name)
    module = module or ModuleType(path.stem)
    exec(compile(program_document(path).text, str(path), "exec"), vars(module))
    return module
