"""The table of ``jax.random`` against the installed JAX: which functions make, derive and draw."""

from __future__ import annotations

from typing import Any

import pytest

from jitlint.jaxmodel.random import DERIVING, DRAWING, MAKING

pytestmark = pytest.mark.jax

#: what samplers need besides the key and the shape
_NEEDS: dict[str, tuple[Any, ...]] = {
    "ball": (2,),
    "beta": (2.0, 3.0),
    "binomial": (5.0, 0.5),
    "categorical": ([0.1, 0.2, 0.3],),
    "chisquare": (3.0,),
    "choice": (7,),
    "dirichlet": ([1.0, 2.0],),
    "double_sided_maxwell": (0.0, 1.0, (4,)),
    "f": (3.0, 4.0),
    "gamma": (2.0,),
    "generalized_normal": (1.5,),
    "geometric": (0.3,),
    "loggamma": (2.0,),
    "multinomial": (9, [0.2, 0.8]),
    "multivariate_normal": ([0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]]),
    "orthogonal": (3,),
    "pareto": (2.0,),
    "permutation": (9,),
    "poisson": (3.0,),
    "randint": ((4,), 0, 100),
    "rayleigh": (1.0,),
    "t": (3.0,),
    "triangular": (0.0, 0.5, 1.0),
    "truncated_normal": (-1.0, 1.0),
    "wald": (2.0,),
    "weibull_min": (1.0, 2.0),
}


def _function(name: str) -> Any:
    import jax

    return getattr(jax.random, name.rpartition(".")[2])


@pytest.mark.parametrize("name", MAKING)
def test_a_constant_makes_one_key(name: str) -> None:
    import jax

    make = jax.jit(lambda x: jax.random.normal(_function(name)(0)) + 0 * x)
    assert make(1.0) == make(2.0)


@pytest.mark.parametrize("name", DERIVING)
def test_a_key_and_constants_make_one_key(name: str) -> None:
    import jax

    more = () if name.endswith("clone") else (2,)
    one, other = (_function(name)(jax.random.key(0), *more) for _ in range(2))
    assert (jax.random.key_data(one) == jax.random.key_data(other)).all()


@pytest.mark.parametrize("name", DRAWING)
def test_what_draws_gives_the_same_numbers_for_one_key_only(name: str) -> None:
    import jax
    import jax.numpy as jnp

    more = [
        jnp.asarray(each) if isinstance(each, list) else each
        for each in _NEEDS.get(name.rpartition(".")[2], ())
    ]

    def draw(seed: int) -> list[float]:
        keys = jax.random.split(jax.random.key(seed), 8)
        return [jnp.ravel(_function(name)(key, *more)).tolist() for key in keys]

    assert draw(0) == draw(0)
    assert draw(0) != draw(1)
