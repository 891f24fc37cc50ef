import electrons as e
import jax
import jax.numpy as jnp

K, T = jax.random.key(0), e.Trial(0.6)
W = jax.random.normal(K, (4, 2, 3))
E = jnp.arange(4.0)
HOSTILE = {
    "uphill": lambda: e.sample(T, W, K, 3, move=e.metropolis_greedy),
    "bound": lambda: e.checked_energy(T, W[0]),
    "norm": lambda: e.density(T, W[0]),
    "blocks": lambda: e.block_average(E, 2),
    "outliers": lambda: e.clip_outliers(E, E < 2),
    "snapshot": lambda: e.snapshot(T, E),
}
EXPECT = {
    "uphill": ("TracerBoolConversionError",),
    "bound": ("TracerBoolConversionError",),
    "norm": ("TypeError",),
    "blocks": ("TypeError",),
    "outliers": ("TracerArrayConversionError",),
    "snapshot": ("ConcretizationTypeError",),
}
INNOCENT = [
    lambda: e.energy(T, W, K),
    lambda: e.energy(e.Trial(0.5, cusp=False), W, K, steps=2),
    lambda: e.sample(T, W, K, 2),
    lambda: e.optimise(T, W, K)[0],
    lambda: e.normalised(T, W[0]),
]
