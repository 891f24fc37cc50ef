"""Dtypes against the installed JAX and NumPy: what gives floats, and what is of a kind."""

from __future__ import annotations

from typing import Any

import pytest

from jitlint.jaxmodel.dtypes import ASK_KIND, FLOATS, is_of_kind

pytestmark = pytest.mark.jax

#: what functions need, where that is not a shape, or a key alone; whole numbers where they can be
_NEEDS: dict[str, tuple[Any, ...]] = {
    "ball": (2,),
    "beta": (2, 3),
    "chisquare": (3,),
    "dirichlet": ([1, 2],),
    "double_sided_maxwell": (0, 1),
    "exponential": (),
    "eye": (3,),
    "f": (3, 4),
    "gamma": (2,),
    "generalized_normal": (2,),
    "identity": (3,),
    "loggamma": (2,),
    "one_hot": ([0, 1], 3),
    "orthogonal": (3,),
    "pareto": (2,),
    "rayleigh": (1,),
    "t": (3,),
    "tri": (3,),
    "triangular": (0, 1, 2),
    "truncated_normal": (-1, 1),
    "wald": (2,),
    "weibull_min": (1, 2),
}
_OF_SHAPES = frozenset({"empty", "ones", "zeros"})
_OF_A_SORT = {
    "bool": ("bool",),
    "int": ("int4", "int8", "int32", "uint8", "uint32"),
    "float": ("bfloat16", "float16", "float32", "float8_e4m3fn"),
}
_KINDS = """bool_ integer signedinteger unsignedinteger int8 int32 uint32 floating float16 float32
    inexact number generic complexfloating complex64 flexible character""".split()


@pytest.mark.parametrize("name", sorted(FLOATS))
def test_what_gives_floats_does_so_of_whole_numbers(name: str) -> None:
    import jax

    _, module, short = name.split(".")
    given: list[Any] = [jax.random.key(0)] if module == "random" else []
    needed = ((2,),) if short in _OF_SHAPES else _NEEDS.get(short, ())
    given += [jax.numpy.array(one) if isinstance(one, list) else one for one in needed]
    made = getattr(getattr(jax, module), short)(*given)
    assert jax.numpy.issubdtype(made.dtype, jax.numpy.floating)


@pytest.mark.parametrize("asks", ASK_KIND)
@pytest.mark.parametrize("kind", _KINDS)
def test_all_dtypes_of_a_sort_are_of_a_kind_or_none(asks: str, kind: str) -> None:
    import jax
    import numpy

    ask = {"jax": jax.numpy.issubdtype, "numpy": numpy.issubdtype}[asks.partition(".")[0]]
    for sort, dtypes in _OF_A_SORT.items():
        known = is_of_kind(asks, sort, f"numpy.{kind}")
        if known is not None:
            found = {bool(ask(jax.numpy.dtype(dtype), getattr(numpy, kind))) for dtype in dtypes}
            assert found == {known}, (sort, kind)
