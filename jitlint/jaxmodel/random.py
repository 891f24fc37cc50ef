"""Functions of ``jax.random``: which make keys, which make keys of keys, which draw with them.

Observed under JAX 0.10.2: ``tests/jaxmodel/test_random.py`` runs each.
"""

from __future__ import annotations

from typing import Final


def _named(names: str) -> tuple[str, ...]:
    return tuple(f"jax.random.{name}" for name in names.split())


#: of a seed
MAKING: Final = _named("key PRNGKey")
#: of a key
DERIVING: Final = _named("split fold_in clone")
DRAWING: Final = _named(
    """ball bernoulli beta binomial bits categorical cauchy chisquare choice dirichlet
    double_sided_maxwell exponential f gamma generalized_normal geometric gumbel laplace loggamma
    logistic lognormal maxwell multinomial multivariate_normal normal orthogonal pareto permutation
    poisson rademacher randint rayleigh t triangular truncated_normal uniform wald weibull_min"""
)
#: their names alone
SAMPLER_WORDS: Final = frozenset(name.rpartition(".")[2] for name in DRAWING)
