"""What code that no transform leads to may say about JAX: clocks, caches that are cleared.

Traced functions are found by the words of transforms.  Some faults stand in host code instead, next
to JAX operations that are dispatched one by one; these are the names by which it is found, beside
the dtypes of :mod:`jitlint.jaxmodel.wide_dtypes`.
"""

from __future__ import annotations

import re
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
#: one that runs it many times, for nothing but that: ``%timeit``
RUN_AGAIN: Final = re.compile(re.escape(MEASURED) + "%?timeit")
#: what has been compiled is forgotten
CACHE_CLEARING: Final = frozenset({"jax.clear_caches"})

#: the class of threads, and the methods that classes of projects inherit from it
THREAD: Final = "threading.Thread"
THREAD_METHODS: Final = frozenset({"__init__", "start", "run"})

#: by qualified name
WATCHED: Final = CLOCKS | CACHE_CLEARING


#: last parts of their names: what the index looks for in the text
WATCHED_WORDS: Final = frozenset(name.rpartition(".")[2] for name in WATCHED)

#: what asks for something outside the program, with the Python type that comes of it
OUTSIDE: Final[dict[str, str | None]] = {
    "os.environ.get": None,
    "os.getenv": None,
    "os.getcwd": "str",
    "os.uname": None,
    "builtins.input": "str",
    "getpass.getuser": "str",
    "socket.gethostname": "str",
    "jax.default_backend": "str",
    "jax.process_index": "int",
    "shutil.which": None,
    **dict.fromkeys(_in("platform", "machine node platform processor release system"), "str"),
    **dict.fromkeys(_in("os.path", "exists isdir isfile"), "bool"),
}
