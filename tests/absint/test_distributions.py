"""SciPy's distributions are made of tracers, and refuse them when they are asked anything."""

from __future__ import annotations

from typing import Any

import pytest

from jitlint.absint.packages.distributions import DISTRIBUTIONS, METHODS
from tests.linting import check

PARAMETERS = {
    "bernoulli": "p", "beta": "a b", "binom": "n p", "chi2": "df", "gamma": "a", "geom": "p",
    "lognorm": "s", "poisson": "mu", "t": "df", "truncnorm": "a b",
}  # fmt: skip


def test_where_the_parameters_are_tracers() -> None:
    check(
        """
        from scipy.stats import norm
        import scipy.stats

        @jax.jit
        def risk(mean, low):
            near = norm(loc=mean, scale=2.0)
            bound = 0.5
            return near.cdf(bound)  # JIT106

        @jax.jit
        def other(mean, low):
            return scipy.stats.norm().sf(low)  # JIT106

        def on_host(mean, low):
            return norm(mean).cdf(low)

        @jax.jit
        def constant(mean):
            return mean * norm(0.0, 1.0).ppf(0.95)
        """
    )


@pytest.mark.jax
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_they_refuse_tracers_when_they_are_asked(name: str) -> None:
    jax = pytest.importorskip("jax")
    stats = pytest.importorskip("scipy.stats")
    distribution = getattr(stats, name)
    made: list[Any] = []

    def make(x: Any) -> Any:
        made.append(distribution(**dict.fromkeys(PARAMETERS.get(name, "loc").split(), x)))
        return x

    jax.jit(make)(0.5)
    assert made
    for method in METHODS:
        if not hasattr(distribution, method):
            continue

        def ask(x: Any, method: str = method) -> Any:
            frozen = distribution(**dict.fromkeys(PARAMETERS.get(name, "loc").split(), x))
            return getattr(frozen, method)(*(() if method == "rvs" else (1,)))

        with pytest.raises(jax.errors.TracerArrayConversionError):
            jax.jit(ask)(0.5)
