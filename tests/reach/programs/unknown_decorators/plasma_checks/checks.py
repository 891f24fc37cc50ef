"""Decorators of the project that watch, time and check."""

import contextlib
import functools
import inspect
import time

SECONDS = {}


class clocked(contextlib.ContextDecorator):
    """Measures the wall time of what it decorates or surrounds."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *error):
        SECONDS[self.name] = time.perf_counter() - self.start
        return False


@contextlib.contextmanager
def labelled(name):
    """Puts a name in front of what is raised."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


class Config:
    """What the type checker should do."""

    def __init__(self, ranks=True, warn=False):
        self.ranks = ranks
        self.warn = warn


def typechecked(function=None, *, config=None):
    """Compare arguments with annotations such as ``Float["n 3"]``."""
    if function is None:
        return functools.partial(typechecked, config=config)
    signature = inspect.signature(function)
    config = config or Config()

    @functools.wraps(function)
    def checked(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            expected = signature.parameters[name].annotation
            if config.ranks and isinstance(expected, Float) and value.ndim != expected.rank:
                raise TypeError(f"{name} has rank {value.ndim}, not {expected.rank}")
        return function(*args, **kwargs)

    return checked


class Float:
    """``Float["n 3"]`` is an array of two dimensions."""

    def __init__(self, rank):
        self.rank = rank

    def __class_getitem__(cls, dimensions):
        return cls(len(dimensions.split()))
