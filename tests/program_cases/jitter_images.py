import jax
import jax.numpy as jnp
import blending
import operations
import policy
import sweep

K = jax.random.key(0)
I = jax.random.uniform(K, (3, 8, 8))
HOSTILE = {
    "middle": lambda: policy.jitter_batch(K, I, (operations.identity, operations.autocontrast)),
    "levels": lambda: policy.jitter_batch(K, I, (operations.identity, operations.posterise)),
    "cutout": lambda: policy.jitter_batch(K, I, (operations.identity, operations.cutout)),
    "operation": lambda: policy.jitter_batch(K, I, one=policy.jitter_direct),
}
EXPECT = {
    "middle": ("ConcretizationTypeError",),
    "levels": ("ConcretizationTypeError",),
    "cutout": ("IndexError",),
    "operation": ("TracerIntegerConversionError",),
}
SILENT = {
    "weight": lambda: (
        not jnp.allclose(blending.blend(I[0], I[1], 0.25), 0.25 * I[0] + 0.75 * I[1])
        and jnp.allclose(blending.blend(I[0], I[1], 0.25), I[1])
    )
}
INNOCENT = [
    lambda: policy.jitter_batch(K, I),
    lambda: jax.jit(operations.turn, static_argnames="quarters")(I[0], 1.0, quarters=2),
    lambda: blending.blend_maps(I[0], I[1], I[2]),
    lambda: sweep.sweep(I, ["autocontrast", "posterise"]),
]
