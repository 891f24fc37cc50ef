"""Grid and random search over hyperparameters, compiled as rarely as possible."""

import itertools
import random
from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class Config:
    """What a run depends on; hashable."""

    layers: tuple = (8,)
    activation: str = "tanh"
    steps: int = 4


ACTIVATIONS = {"tanh": jnp.tanh, "relu": jax.nn.relu}
compiled_runs = {}


def init(key, layers):
    sizes = [1, *layers, 1]
    params = []
    for fan_in, fan_out in zip(sizes, sizes[1:]):
        key, sub = jax.random.split(key)
        params.append(jax.random.normal(sub, (fan_in, fan_out)) / np.sqrt(fan_in))
    return params


def predict(params, xs, activation):
    for weights in params[:-1]:
        xs = ACTIVATIONS[activation](xs @ weights)
    return xs @ params[-1]


@partial(jax.jit, static_argnames="config")
def run(key, xs, ys, rate, config):
    """Train and give the last loss; rates are traced, so one compilation serves them all."""

    def loss(params):
        return jnp.mean((predict(params, xs, config.activation) - ys) ** 2)

    def body(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return [p - rate * g for p, g in zip(params, grads)], value

    _, losses = jax.lax.scan(body, init(key, config.layers), None, length=config.steps)
    return losses[-1]


def run_for(config):
    """The run of one configuration with the configuration filled in."""
    if config not in compiled_runs:
        compiled_runs[config] = jax.jit(partial(run, config=config))
    return compiled_runs[config]


def rates_in_parallel(key, xs, ys, rates, config=Config()):
    every_rate = jax.jit(jax.vmap(partial(run, key, xs, ys, config=config)))
    return every_rate(jnp.asarray(rates))


def grid(key, xs, ys, configs, rates):
    """Loss for each pair; one program per configuration."""
    results = {}
    for config, rate in itertools.product(configs, rates):
        results[config, rate] = float(run_for(config)(key, xs, ys, rate))
    return results


def random_search(key, xs, ys, tries, seed=0):
    """Log-uniform rates drawn on the host."""
    draw = random.Random(seed)
    best = None
    for _ in range(tries):
        rate = 10 ** draw.uniform(-3, -1)
        loss = float(run(key, xs, ys, rate, config=Config()))
        if best is None or loss < best[0]:
            best = (loss, rate)
    return best


def main():
    xs = np.linspace(-1, 1, 16, dtype=np.float32)[:, None]
    ys = xs**2
    configs = [Config(), replace(Config(), activation="relu"), Config(layers=(4, 4))]
    key = jax.random.key(0)
    results = grid(key, xs, ys, configs, (0.1, 0.03))
    print(min(results, key=results.get), random_search(key, xs, ys, 5))
    print(rates_in_parallel(key, xs, ys, [0.1, 0.03, 0.01]))


if __name__ == "__main__":
    main()
