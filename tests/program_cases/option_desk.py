import math

import jax
import jax.numpy as jnp
import pricing as p

K = jax.random.key(0)
HOSTILE = {
    "cdf": lambda: p.digital(100.0, 95.0, 0.01, 0.2, 1.0),
    "money": lambda: p.intrinsic(100.0, 95.0),
    "days": lambda: p.daily_asian(K, 100.0, 95.0, 0.01, 21),
    "alive": lambda: p.barrier_option(K, 100.0, 120.0),
}
EXPECT = {
    "cdf": ("TracerArrayConversionError",),
    "money": ("TracerBoolConversionError",),
    "days": ("TypeError",),
    "alive": ("NonConcreteBooleanIndexError",),
}
SILENT = {
    "years": lambda: not math.isclose(
        float(p.implied_spread(0.2, 1.0)), float(p.annualised(0.2, 1.0)), rel_tol=1e-3
    ),
}
INNOCENT = [
    lambda: p.black_scholes(100.0, 95.0, 0.01, 0.2, 1.0),
    lambda: p.greeks(100.0, 105.0, 0.01, 0.2, 1.0, "put"),
    lambda: p.asian(K, 100.0, 95.0, 0.01, 0.2, 1.0),
    lambda: p.asian(K, 100.0, 95.0, 0.01, 0.2, 1.0, 4, 8),
    lambda: p.smile(jnp.array([90.0, 100.0]), jnp.array([0.2, 0.2])),
]
