"""What code that no transform leads to may say about JAX: clocks, dtypes, caches that are cleared.

Traced functions are found by the words of transforms.  Some faults stand in host code instead, next
to JAX operations that are dispatched one by one; these are the names by which it is found.
"""

from __future__ import annotations

from typing import Final


def _in(module: str, names: str) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for name in names.split())


#: read to measure how long something takes
CLOCKS: Final = (
    _in("time", "time perf_counter monotonic process_time")
    | _in("time", "time_ns perf_counter_ns monotonic_ns process_time_ns")
    | _in("timeit", "default_timer timeit repeat Timer")
    | _in("datetime.datetime", "now utcnow today")
)
#: last parts of their names
CLOCK_WORDS: Final = frozenset(name.rpartition(".")[2] for name in CLOCKS)
#: how documents write a magic that measures what it runs, as jitlint.source.ipython has it
MEASURED: Final = '__import__("contextlib").nullcontext("%'
#: 64 bits, which JAX gives only where x64 is turned on
WIDE_DTYPES: Final = _in("jax.numpy", "float64 int64 uint64 complex128")
#: what has been compiled is forgotten
CACHE_CLEARING: Final = frozenset({"jax.clear_caches"})

#: by qualified name
WATCHED: Final = CLOCKS | WIDE_DTYPES | CACHE_CLEARING


def watched_words() -> frozenset[str]:
    """Last parts of their names: what the index looks for in the text."""
    return frozenset(name.rpartition(".")[2] for name in WATCHED)
