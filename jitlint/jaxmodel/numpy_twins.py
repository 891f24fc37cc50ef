"""NumPy's functions that ``jax.numpy`` has with the same result.

A test calls both with arrays of the dtypes that JAX makes by itself (float32 and int32), and
compares structure, shapes, values and dtypes, those of NumPy as JAX has them: of 32 bits.
"""

from __future__ import annotations

from typing import Final

#: of one array
UNARY: Final = frozenset(
    """abs absolute arccos arccosh arcsin arcsinh arctan arctanh array asarray atleast_1d atleast_2d
    cbrt ceil copy cos cosh deg2rad degrees diag exp exp2 expm1 fabs flip fliplr flipud floor
    isfinite isinf isnan linalg.det linalg.inv linalg.slogdet log log10 log1p log2 logical_not
    nan_to_num negative ones_like rad2deg radians ravel rint sign sin sinc sinh sqrt square squeeze
    tan tanh trace transpose trunc zeros_like""".split()
)
#: of one array, with ``axis=`` and ``keepdims=``
REDUCTIONS: Final = frozenset(
    """all amax amin any argmax argmin cumprod cumsum linalg.norm max mean median min nanmax nanmean
    nanmin nanstd nansum nanvar prod ptp std sum var""".split()
)
#: of two arrays or numbers
BINARY: Final = frozenset(
    """add allclose arctan2 array_equal bitwise_and bitwise_or bitwise_xor divide dot equal
    floor_divide fmax fmin fmod greater greater_equal hypot inner isclose kron less less_equal
    linalg.solve logaddexp logical_and logical_or logical_xor matmul maximum minimum mod multiply
    not_equal power remainder searchsorted subtract true_divide vdot""".split()
)
#: of three
TERNARY: Final = frozenset({"clip", "where"})
#: of a list or tuple of arrays
SEQUENCES: Final = frozenset({"column_stack", "concatenate", "dstack", "hstack", "stack", "vstack"})

#: keywords that mean the same in both
KEYWORDS: Final = frozenset({"axis", "keepdims", "ddof"})


def arity(path: str) -> int | None:
    """How many positional arguments a function has whose twin gives the same; None without one.

    Args:
      path: its name below ``numpy``.
    """
    for functions, number in ((BINARY, 2), (TERNARY, 3)):
        if path in functions:
            return number
    return 1 if path in UNARY or path in REDUCTIONS or path in SEQUENCES else None
