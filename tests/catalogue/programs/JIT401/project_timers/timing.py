"""Timers for everybody."""

import contextlib
import functools
import time


class Timer:
    def __init__(self, name):
        self.name = name
        self.seconds = 0.0

    def __enter__(self):
        self._start = time.perf_counter()
        return self

    def __exit__(self, *exception):
        self.seconds = time.perf_counter() - self._start


@contextlib.contextmanager
def clock(times, name):
    start = time.time()
    yield
    times[name] = time.time() - start


def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = function(*args, **kwargs)
        print(f"{function.__name__}: {time.perf_counter() - start:.3f} s")  # expect: JIT401 @decorator
        return result

    return wrapper


class Stopwatch:
    def start(self):
        self.began = time.monotonic()

    def stop(self):
        return time.monotonic() - self.began


def benchmark(function, *args, repeats=3):
    function(*args)
    start = time.perf_counter()
    for _ in range(repeats):
        result = function(*args)
    return (time.perf_counter() - start) / repeats, result  # expect: JIT401 @benchmark
