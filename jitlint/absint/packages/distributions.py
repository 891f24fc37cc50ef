"""SciPy's distributions with parameters: ``norm(loc, scale).cdf(x)`` asks for values as they do.

They are made without a look at what they are given, which each of their methods needs then, and
refuses if it is a tracer: each of both under SciPy 1.17 with JAX 0.10.2.
"""

from __future__ import annotations

from typing import Final

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import External, ExternalInstance, Partial, Value
from jitlint.jaxmodel.functions import lookup

#: those of one variable; of several, the parameters are asked for where they are made
DISTRIBUTIONS: Final = tuple(
    """bernoulli beta binom cauchy chi2 expon gamma geom laplace logistic lognorm norm poisson t
    truncnorm uniform""".split()
)
METHODS: Final = tuple("cdf isf logcdf logpdf logpmf logsf pdf pmf ppf rvs sf".split())


@model(*(f"scipy.stats.{name}" for name in DISTRIBUTIONS))
def _frozen(it: Interpreter, call: Call) -> Value:
    """``norm(loc=mean)``: its methods are those of ``norm``, given the parameters as well."""
    given = tuple(call.args.keywords.items())
    methods = []
    for name in METHODS:
        method = f"scipy.stats.{call.name}.{name}"
        if lookup(method) is not None:
            bound = Partial(External(method), tuple(call.positional), given)
            methods.append((name, bound))
    return ExternalInstance("scipy.stats.frozen", tuple(methods))
