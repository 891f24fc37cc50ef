"""Linear quadratic regulators and a short-horizon predictive controller."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


class Plant(NamedTuple):
    a: jax.Array
    b: jax.Array
    q: jax.Array
    r: jax.Array


def riccati_map(plant, p):
    gain = jnp.linalg.solve(plant.r + plant.b.T @ p @ plant.b, plant.b.T @ p @ plant.a)
    return plant.q + plant.a.T @ p @ (plant.a - plant.b @ gain), gain


def fixed_point(plant, tolerance, limit):
    """Iterate the Riccati map until it settles."""
    p, gain = riccati_map(plant, plant.q)
    turn, change = 0, jnp.inf
    while turn < limit:
        following, gain = riccati_map(plant, p)
        change = jnp.abs(following - p).max()
        if change < tolerance:  # expect: JIT101 @settled
            break
        p, turn = following, turn + 1
    return p, gain


def fixed_point_loop(plant, tolerance=1e-5):
    def unsettled(state):
        return state[1] > tolerance

    def turn(state):
        p, _ = state
        following, _ = riccati_map(plant, p)
        return following, jnp.abs(following - p).max()

    return lax.while_loop(unsettled, turn, (plant.q, jnp.inf))[0]


def lqr(plant, method="loop"):
    if method == "loop":
        p = fixed_point_loop(plant)
    else:
        p, _ = fixed_point(plant, 1e-5, 50)
    return riccati_map(plant, p)[1]


synthesise = jax.jit(lqr, static_argnames="method")


@jax.jit
def finite_gain(plant: Plant, horizon: int):
    p = plant.q
    turns = 0
    while turns < horizon:  # expect: JIT102 @horizon
        p, _ = riccati_map(plant, p)
        turns += 1
    return riccati_map(plant, p)[1]


@jax.jit
def checked_gain(plant):
    assert (plant.q == plant.q.T).all(), "q must be symmetric"  # expect: JIT103 @symmetric
    assert plant.a.shape[0] == plant.b.shape[0]
    return riccati_map(plant, plant.q)[1]


@jax.jit
def lookahead(plant, x, power):
    return jnp.linalg.matrix_power(plant.a, power) @ x  # expect: JIT108 @power


def controllable(plant):
    """The rank test, on the host."""
    a, b = np.asarray(plant.a), np.asarray(plant.b)
    blocks = [np.linalg.matrix_power(a, k) @ b for k in range(a.shape[0])]
    return np.linalg.matrix_rank(np.hstack(blocks)) == a.shape[0]


def rollout(plant, gain, x, steps):
    def step(x, _):
        u = -gain @ x
        return plant.a @ x + plant.b @ u, (x, u)

    return lax.scan(step, x, None, length=steps)


def predictive(plant, horizon, limit):
    """Projected gradient steps on the inputs of a short horizon."""

    def cost(inputs, x):
        total = 0.0
        for k in range(horizon):
            x = plant.a @ x + plant.b @ inputs[k]
            total += x @ plant.q @ x + inputs[k] @ plant.r @ inputs[k]
        return total

    def control(x, sweeps=20):
        inputs = jnp.zeros((horizon, plant.b.shape[1]))
        for _ in range(sweeps):
            inputs = inputs - 0.05 * jax.grad(cost)(inputs, x)
            if limit is not None:
                inputs = jnp.clip(inputs, -limit, limit)
        return inputs[0]

    return jax.jit(control)


def emergency(x, u):
    outside = not (jnp.abs(x) < 10.0).all()  # expect: JIT104 @outside
    return jnp.where(outside, 0.0, u)


guarded = jax.vmap(emergency)


def double_integrator(dt=0.1):
    a, b = jnp.array([[1.0, dt], [0.0, 1.0]]), jnp.array([[0.0], [dt]])
    return Plant(a, b, jnp.eye(2), 0.1 * jnp.eye(1))


def main():
    plant, x = double_integrator(), jnp.array([1.0, 0.0])
    if not controllable(plant):
        raise SystemExit("not controllable")
    final, (xs, us) = rollout(plant, synthesise(plant), x, 30)
    print(float(jnp.abs(final).max()) < 1.0, guarded(xs, us))
    print(predictive(plant, 5, 1.0)(x), synthesise(plant, method="python"))
    print(finite_gain(plant, 20), checked_gain(plant), lookahead(plant, x, 3))


if __name__ == "__main__":
    main()
