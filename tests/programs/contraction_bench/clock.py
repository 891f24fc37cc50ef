"""Time calls."""

import functools
import time

TIMINGS = {}


def measured(function):
    """Keep the duration of every call under the function's name."""

    @functools.wraps(function)
    def wrapper(*args):
        start = time.perf_counter()  # expect: JIT207 @start
        result = function(*args)
        elapsed = time.perf_counter() - start  # expect: JIT207 @end
        TIMINGS.setdefault(function.__name__, []).append(elapsed)  # expect: JIT202 @timings
        return result

    return wrapper


def best_of(call, repeats=3):
    """The shortest of several runs; ``call`` must wait for its result."""
    durations = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        durations.append(time.perf_counter() - start)
    return min(durations)
