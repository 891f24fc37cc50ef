import jax
import jax.numpy as jnp
import policy as p

K = jax.random.key(0)
I = jax.random.uniform(K, (3, 8, 8))
HOSTILE = {
    "middle": lambda: p.jitter_batch(K, I, (p.identity, p.autocontrast)),
    "levels": lambda: p.jitter_batch(K, I, (p.identity, p.posterise)),
    "cutout": lambda: p.jitter_batch(K, I, (p.identity, p.cutout)),
    "operation": lambda: p.jitter_batch(K, I, one=p.jitter_direct),
}
EXPECT = {
    "middle": ("ConcretizationTypeError",),
    "levels": ("ConcretizationTypeError",),
    "cutout": ("IndexError",),
    "operation": ("TracerIntegerConversionError",),
}
SILENT = {
    "weight": lambda: not jnp.allclose(p.blend(I[0], I[1], 0.25), 0.25 * I[0] + 0.75 * I[1])
    and jnp.allclose(p.blend(I[0], I[1], 0.25), I[1])
}
INNOCENT = [
    lambda: p.jitter_batch(K, I),
    lambda: jax.jit(p.turn, static_argnames="quarters")(I[0], 1.0, quarters=2),
    lambda: p.blend_maps(I[0], I[1], I[2]),
    lambda: p.sweep(I, ["autocontrast", "posterise"]),
]
