"""Decorators around the compiled functions of a small service."""

import functools
import threading
from unittest import mock

import jax
import jax.numpy as jnp

try:
    from beartype import BeartypeConf, beartype

    checked = beartype(conf=BeartypeConf(is_pep484_tower=True))
except ImportError:
    checked = functools.partial(lambda function: function)

_lock = threading.Lock()
_requests = []
ENDPOINTS = {}


def synchronized(lock):
    """One call at a time."""

    def decorate(function):
        @functools.wraps(function)
        def locked(*args, **kwargs):
            with lock:
                return function(*args, **kwargs)

        return locked

    return decorate


def retry(times=3, on=(OSError,)):
    """Try again when the machine had a bad moment."""

    def decorate(function):
        @functools.wraps(function)
        def attempt(*args, **kwargs):
            for left in reversed(range(times)):
                try:
                    return function(*args, **kwargs)
                except on:
                    if not left:
                        raise

        return attempt

    return decorate


class endpoint:
    """Registers a function under a path, and stays callable."""

    def __init__(self, path):
        self.path = path

    def __call__(self, function):
        ENDPOINTS[self.path] = function
        function.path = self.path
        return function


@endpoint("/score")
@jax.jit
@checked
def score(weights, features):
    total = features @ weights
    _requests.append(total)  # expect: JIT202 @requests
    return jax.nn.sigmoid(total)


@endpoint("/rank")
@synchronized(_lock)
@retry(times=2)
@jax.jit
def rank(weights, items):
    scores = items @ weights
    order = sorted(range(items.shape[0]), key=lambda i: scores[i])  # expect: JIT110 @order
    return jnp.array(order)


@endpoint("/accept")
@mock.patch.dict("os.environ", {"MODE": "service"})
@functools.partial(jax.jit, static_argnames="strict")
@retry()
def accept(weights, features, strict=True):
    value = score(weights, features)
    if strict and not value > 0.5:  # expect: JIT101 @strict
        raise PermissionError("refused")
    return value


def handle(path, *arguments):
    """One request."""
    return ENDPOINTS[path](*arguments)


if __name__ == "__main__":
    w = jnp.array([1.0, -1.0])
    print(handle("/score", w, jnp.ones(2)), handle("/rank", w, jnp.eye(2)))
    print(handle("/accept", w, jnp.ones(2)))
