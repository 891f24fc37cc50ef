import jax
import jax.numpy as jnp

from scheme import Grid, make_solver, rollout

HORIZON = 200


@jax.jit
def value(policy):
    return rollout(policy, jnp.ones(2), HORIZON).mean()


def main():
    solve = make_solver(Grid())
    return solve(jnp.ones(16)), value(0.01 * jnp.eye(2))
