"""The twins of NumPy's functions, run."""

from __future__ import annotations

import operator
from typing import Any

import pytest

from jitlint.jaxmodel import numpy_twins

pytestmark = pytest.mark.jax

_ROWS = [[0.5, 0.75, 0.25], [1.0, 0.125, 0.875], [0.625, 0.25, 0.9]]
_NUMBERS = [[1, 2, 3], [4, 1, 2], [2, 5, 1]]


def _arguments(path: str) -> list[tuple[Any, ...]]:
    import numpy as np

    floats, ints = np.asarray(_ROWS, np.float32), np.asarray(_NUMBERS, np.int32)
    number = numpy_twins.arity(path)
    if path in numpy_twins.SEQUENCES:
        return [([floats, floats],), ((ints, ints),)]
    if path == "clip":
        return [(floats, 0.25, 0.5), (ints, 1, 2)]
    if path == "where":
        return [(floats > 0.5, floats, floats.T), (ints > 1, ints, ints.T), (ints > 1, floats, 0)]
    if number == 1:
        return [(floats,), (ints,)]
    if path == "searchsorted":
        return [(np.sort(floats[0]), floats)]
    if path == "linalg.solve":
        return [(floats, floats[0])]
    pairs = [(floats, floats.T), (ints, ints.T)]
    return pairs[1:] if path.startswith("bitwise") else pairs


@pytest.mark.parametrize(
    "path",
    sorted(
        numpy_twins.UNARY
        | numpy_twins.REDUCTIONS
        | numpy_twins.BINARY
        | numpy_twins.TERNARY
        | numpy_twins.SEQUENCES
    ),
)
def test_both_give_the_same(path: str) -> None:
    import jax
    import jax.numpy as jnp
    import numpy as np

    for arguments in _arguments(path):
        with np.errstate(all="ignore"):
            expected = operator.attrgetter(path)(np)(*arguments)
        given = operator.attrgetter(path)(jnp)(*jax.tree.map(jnp.asarray, arguments))
        many = isinstance(expected, tuple)
        pairs = zip(expected, given, strict=True) if many else [(expected, given)]
        for want, got in pairs:
            want = np.asarray(want)
            assert want.shape == got.shape
            assert jax.dtypes.canonicalize_dtype(want.dtype) == got.dtype
            np.testing.assert_allclose(want, got, rtol=1e-4, atol=1e-5)
