"""Assertions on shapes."""

import functools

_enabled = True


def disable_asserts():
    global _enabled
    _enabled = False


def _static_assertion(assert_fn):
    @functools.wraps(assert_fn)
    def checked(*args, **kwargs):
        if not _enabled:
            return
        try:
            assert_fn(*args, **kwargs)
        except AssertionError as error:
            raise AssertionError(f"[Chex] {assert_fn.__name__}: {error}") from error

    return checked


@_static_assertion
def assert_rank(array, rank):
    if array.ndim != rank:
        raise AssertionError(f"rank {array.ndim}, expected {rank}")


@_static_assertion
def assert_equal_shape(arrays):
    shapes = [array.shape for array in arrays]
    if len(set(shapes)) > 1:
        raise AssertionError(f"shapes differ: {shapes}")
