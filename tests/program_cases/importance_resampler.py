import filtering as f
import jax
import jax.numpy as jnp

K, S = jax.random.key(0), jnp.arange(4.0)
CLOUD = f.Cloud(jnp.arange(8.0), jnp.zeros(8))
HOSTILE = {
    "interp": lambda: f.run(S, K, resample=f.stratified),
    "draw": lambda: f.run(S, K, resample=f.economical),
    "decide": lambda: f.run(S, K, decide=f.when_poor),
    "heavy": lambda: f.heavy_mean(CLOUD),
}
EXPECT = {
    "interp": ("TracerArrayConversionError",),
    "draw": ("TracerBoolConversionError",),
    "decide": ("TracerBoolConversionError",),
    "heavy": ("ConcretizationTypeError", "TracerBoolConversionError"),
}
INNOCENT = [
    lambda: f.run(S, K),
    lambda: f.run(S, K, f.Model(noise=0.3), resample=f.multinomial),
    lambda: f.trimmed_mean(CLOUD),
    lambda: f.when_poor(CLOUD, 0.5),
]
