import jax
import jax.numpy as jnp
import numpy as np
import sampling as m

from tools.observation import is_tracer

X = jnp.ones(2)


def key():
    sampler = m.Sampler(m.bowl)
    sampler.compiled_walk()(X)
    return is_tracer(sampler.gen.key)


def noise():
    shake = m.Sampler(m.bowl).compiled_shake()
    return bool((shake(X) == shake(X)).all())


def temperature():
    sampler = m.Sampler(m.bowl)
    sampler.compiled_annealing()(X, 0.9)
    return is_tracer((sampler._temperature, sampler._history))


HOSTILE = {}
SILENT = {"key": key, "noise": noise, "temperature": temperature}
INNOCENT = [lambda: m.Sampler(m.bowl).propose(X)]
