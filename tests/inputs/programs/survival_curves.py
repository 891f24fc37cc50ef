"""Cox regression with times and events."""

import jax
import jax.numpy as jnp


def risk(coefficients, covariates):
    return jnp.exp(covariates @ coefficients)


def partial_likelihood(coefficients, covariates, times, events):
    order = jnp.argsort(-times)
    hazards = risk(coefficients, covariates[order])
    at_risk = jnp.cumsum(hazards)
    terms = jnp.log(hazards) - jnp.log(at_risk)
    happened = terms[events[order] == 1]  # expect: JIT109 @happened
    return -happened.sum()


@jax.jit
def newton(coefficients, covariates, times, events):
    arguments = (covariates, times, events)
    gradient = jax.grad(partial_likelihood)(coefficients, *arguments)
    hessian = jax.hessian(partial_likelihood)(coefficients, *arguments)
    return coefficients - jnp.linalg.solve(hessian, gradient)
