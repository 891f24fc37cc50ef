"""Linear and unscented Kalman filters for tracking a turning vehicle."""

from typing import Any, Callable, NamedTuple, Protocol

import jax
import jax.numpy as jnp
import numpy as np

State = dict[str, jax.Array]


class Noise(NamedTuple):
    process: jax.Array
    measurement: jax.Array


class Sensor(Protocol):
    size: int

    def __call__(self, x: jax.Array) -> jax.Array: ...


class Radar:
    """Distance and bearing."""

    size = 2

    def __call__(self, x):
        return jnp.stack([jnp.hypot(x[0], x[1]), jnp.arctan2(x[1], x[0])])


class Sonar(Radar):
    """Distance only, out to some reach."""

    size = 1

    def __init__(self, reach: float):
        self.reach = reach

    def __call__(self, x):
        distance, _ = super().__call__(x)
        seen = distance if distance < self.reach else self.reach  # expect: JIT101 @reach
        return jnp.stack([seen])


def sigma_points(state: State, spread: float = 1.0):
    mean, covariance = state["mean"], state["covariance"]
    size = mean.shape[-1]
    root = jnp.linalg.cholesky((size + spread) * covariance)
    points = [mean]
    for column in range(size):
        points += [mean + root[:, column], mean - root[:, column]]
    weights = np.full(2 * size + 1, 0.5 / (size + spread))
    weights[0] = spread / (size + spread)
    return jnp.stack(points), weights


def transform(state: State, function: Callable, noise):
    points, weights = sigma_points(state)
    moved = jax.vmap(function)(points)
    mean = weights @ moved
    centred = moved - mean
    return {"mean": mean, "covariance": centred.T @ (weights[:, None] * centred) + noise}


def move(x: jax.Array, dt: float = 0.1) -> jax.Array:
    heading = x[3]
    return x.at[:2].add(dt * x[2] * jnp.stack([jnp.cos(heading), jnp.sin(heading)]))


def symmetrise(state: State, check: bool = False) -> State:
    covariance = 0.5 * (state["covariance"] + state["covariance"].T)
    if check:
        assert jnp.diag(covariance).min() > 0  # expect: JIT103 @diagonal
    return {**state, "covariance": covariance}


def correct(state: State, sensor: Sensor, reading, noise: Noise, gate: float | None = None):
    predicted = transform(state, sensor, noise.measurement[: sensor.size, : sensor.size])
    slope = jax.jacfwd(sensor)(state["mean"])
    gain = state["covariance"] @ slope.T @ jnp.linalg.inv(predicted["covariance"])
    surprise = reading - predicted["mean"]
    if gate is not None and surprise @ surprise > gate:  # expect: JIT101 @gate
        return state
    mean = state["mean"] + gain @ surprise
    covariance = state["covariance"] - gain @ predicted["covariance"] @ gain.T
    return {"mean": mean, "covariance": covariance}


def make_filter(sensor: Sensor, noise: Noise, **options: Any):
    """A function from readings to the filtered states."""
    check = options.pop("check", False)

    def step(state: State, reading):
        state = transform(state, move, noise.process)
        state = correct(state, sensor, reading, noise, **options)
        return symmetrise(state, check), state["mean"]

    def run(state: State, readings):
        return jax.lax.scan(step, state, readings)

    return run


@jax.jit
def smooth_gain(state: State, lag: int):
    decay = state["mean"][-lag:]  # expect: JIT107 @lag
    return decay / decay.sum()


@jax.jit
def log_determinant(state: State):
    sign, value = np.linalg.slogdet(state["covariance"])  # expect: JIT106 @det
    return jnp.where(sign > 0, value, -jnp.inf)


def innovation_report(state: State) -> list[str]:
    deviations = np.sqrt(np.diag(np.asarray(state["covariance"])))
    return [f"{m:.2f}±{d:.2f}" for m, d in zip(state["mean"].tolist(), deviations) if d > 0]


def start() -> State:
    return {"mean": jnp.array([1.0, 1.0, 0.5, 0.1]), "covariance": 0.1 * jnp.eye(4)}


def main():
    noise = Noise(0.01 * jnp.eye(4), 0.1 * jnp.eye(2))
    readings = jnp.array([[1.4, 0.8], [1.5, 0.8]])
    state, means = make_filter(Radar(), noise)(start(), readings)
    print(innovation_report(state), means.shape)
    print(make_filter(Sonar(3.0), noise)(start(), readings[:, :1]))
    print(make_filter(Radar(), noise, gate=9.0)(start(), readings))
    print(make_filter(Radar(), noise, check=True)(start(), readings))
    print(smooth_gain(state, 2), log_determinant(state))


if __name__ == "__main__":
    main()
