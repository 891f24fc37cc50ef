"""Gradients with respect to the floating point arrays of the first argument."""

import functools

import jax

from equinox._filters import combine, is_inexact_array, partition


def filter_value_and_grad(fn=None, *, has_aux=False):
    if fn is None:
        return functools.partial(filter_value_and_grad, has_aux=has_aux)

    @functools.wraps(fn)
    def call(x, /, *args, **kwargs):
        differentiable, rest = partition(x, is_inexact_array)

        def of(differentiable):
            return fn(combine(differentiable, rest), *args, **kwargs)

        return jax.value_and_grad(of, has_aux=has_aux)(differentiable)

    return call


def filter_grad(fn=None, *, has_aux=False):
    if fn is None:
        return functools.partial(filter_grad, has_aux=has_aux)
    whole = filter_value_and_grad(fn, has_aux=has_aux)
    return functools.wraps(fn)(lambda *args, **kwargs: whole(*args, **kwargs)[1])
