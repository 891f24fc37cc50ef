import gaussian_process as m
import jax.numpy as jnp

P = {"log_length": jnp.zeros(2), "log_scale": jnp.array(0.0), "log_noise": jnp.array(-2.0)}

HOSTILE = {
    "cholesky": lambda: m.fit(P, jnp.ones((4, 2)), jnp.ones(4)),
    "spread": lambda: m.predict(P, jnp.ones((4, 2)), jnp.ones(4), jnp.ones((3, 2))),
}
EXPECT = {
    "cholesky": ("TracerBoolConversionError",),
    "spread": ("TracerBoolConversionError",),
}
