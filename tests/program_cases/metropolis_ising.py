import ising as i
import jax
import jax.numpy as jnp

K, S = jax.random.key(0), jnp.ones((6, 6), int)
HOSTILE = {
    "cost": lambda: i.single_flips(S, K, 0.4, ratio=i.flip_ratio),
    "exp": lambda: i.single_flips(S, K, 0.4, ratio=i.flip_ratio_math),
    "table": lambda: i.single_flips(S, K, 0.4, ratio=i.flip_ratio_table),
    "settle": lambda: i.equilibrate(S, K, 0.4),
    "block": lambda: i.block_mean(S, 2),
}
EXPECT = {
    "cost": ("TracerBoolConversionError",),
    "exp": ("ConcretizationTypeError",),
    "table": ("TypeError",),
    "settle": ("TracerBoolConversionError",),
    "block": ("IndexError",),
}
INNOCENT = [
    lambda: i.correlation(S, 2),
    lambda: i.single_flips(S, K, 0.4, count=3),
    lambda: i.temperature_scan(S, K, [0.2, 0.8]),
    lambda: i.excess(S, 0.5).block_until_ready(),
    lambda: (i.flip_ratio(4, 0.3), i.flip_ratio_math(4, 0.3), i.flip_ratio_table(4, 0.3)),
]
