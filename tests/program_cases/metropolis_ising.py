import ising
import observables
import ratios
import jax
import jax.numpy as jnp

K, S = jax.random.key(0), jnp.ones((6, 6), int)
HOSTILE = {
    "cost": lambda: ising.single_flips(S, K, 0.4, ratio=ratios.flip_ratio),
    "exp": lambda: ising.single_flips(S, K, 0.4, ratio=ratios.flip_ratio_math),
    "table": lambda: ising.single_flips(S, K, 0.4, ratio=ratios.flip_ratio_table),
    "settle": lambda: ising.equilibrate(S, K, 0.4),
    "block": lambda: observables.block_mean(S, 2),
}
EXPECT = {
    "cost": ("TracerBoolConversionError",),
    "exp": ("ConcretizationTypeError",),
    "table": ("TypeError",),
    "settle": ("TracerBoolConversionError",),
    "block": ("IndexError",),
}
INNOCENT = [
    lambda: observables.correlation(S, 2),
    lambda: ising.single_flips(S, K, 0.4, count=3),
    lambda: observables.temperature_scan(S, K, [0.2, 0.8]),
    lambda: observables.excess(S, 0.5).block_until_ready(),
    lambda: (
        ratios.flip_ratio(4, 0.3),
        ratios.flip_ratio_math(4, 0.3),
        ratios.flip_ratio_table(4, 0.3),
    ),
]
