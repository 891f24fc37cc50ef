"""Sequential Monte Carlo from a broad start to a sharp target, by tempering."""

import datetime
import functools
import math
import uuid

import jax
import jax.numpy as jnp
from jax import lax

runs = []


def log_target(x):
    return -0.5 * ((x - 2.0) ** 2).sum() / 0.25


def log_prior(x):
    return -0.5 * (x**2).sum() / 4.0


def tempered(x, inverse):
    return (1 - inverse) * log_prior(x) + inverse * log_target(x)


def tag(record):
    """Give a record its identity."""
    record["id"] = uuid.uuid4().int % 9973  # expect: JIT207 @identity
    return record


def systematic(key, weights):
    """Ancestors by systematic resampling."""
    count = weights.shape[0]
    places = (jnp.arange(count) + jax.random.uniform(key)) / count
    return jnp.searchsorted(jnp.cumsum(weights), places).clip(0, count - 1)


@jax.jit
def reweight(key, particles, step):
    increments = step * jax.vmap(lambda x: log_target(x) - log_prior(x))(particles)
    weights = jax.nn.softmax(increments)
    record = tag({"ess": 1 / (weights**2).sum()})
    return particles[systematic(key, weights)], record


def make_mover():
    """A random walk at a given temperature; knows how often it was compiled."""
    compiled = 0

    @functools.partial(jax.jit, static_argnames="width")
    def move(key, particles, inverse, width=0.5):
        nonlocal compiled
        compiled += 1  # expect: JIT203 @compiled
        noise_key, accept_key = jax.random.split(key)
        proposal = particles + width * jax.random.normal(noise_key, particles.shape)
        density = jax.vmap(lambda x: tempered(x, inverse))
        ratio = density(proposal) - density(particles)
        taken = jnp.log(jax.random.uniform(accept_key, ratio.shape)) < ratio
        return jnp.where(taken[:, None], proposal, particles)

    return move, lambda: compiled


def evidence(ladder, particles):
    """Log evidence along a ladder."""
    total = 0.0
    kernels = {
        low: jax.jit(functools.partial(step_evidence, low))  # expect: JIT301 @kernels
        for low in ladder
    }
    for low, high in zip(ladder, ladder[1:]):
        total += float(kernels[low](high, particles))
    return total


def step_evidence(low, high, particles):
    change = jax.vmap(lambda x: tempered(x, high) - tempered(x, low))(particles)
    return jax.nn.logsumexp(change) - math.log(particles.shape[0])


fast_step = jax.jit(step_evidence)


def evidence_fast(ladder, particles):
    return sum(float(fast_step(low, high, particles)) for low, high in zip(ladder, ladder[1:]))


def trace_with_history(x, history={}):
    """Mean of the particles, remembered by size."""
    history[x.shape[0]] = jnp.mean(x)  # expect: JIT211 @history
    return jnp.mean(x)


def stamp():
    return datetime.datetime.now().timestamp() % 86400  # expect: JIT207 @stamp


def annealed_sweep(key, particles, ladder):
    """All temperatures in one scan."""
    move, _ = make_mover()

    def body(particles, rung):
        key, inverse = rung
        particles = move(key, particles, inverse)
        return particles, (trace_with_history(particles), stamp())

    return lax.scan(body, particles, (jax.random.split(key, len(ladder)), jnp.array(ladder)))


def main():
    key = jax.random.key(5)
    particles = jax.random.normal(key, (32, 1)) * 2
    ladder = [0.0, 0.25, 0.5, 1.0]
    move, compiled = make_mover()
    runs.append(datetime.datetime.now())
    for low, high in zip(ladder, ladder[1:]):
        key, first, second = jax.random.split(key, 3)
        particles, record = reweight(first, particles, high - low)
        particles = move(second, particles, high)
        print(f"{high}: {float(record['ess']):.1f} {uuid.uuid4()}")
    print(compiled(), evidence_fast(ladder, particles), evidence(ladder, particles))


if __name__ == "__main__":
    main()
