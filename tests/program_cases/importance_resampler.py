import filtering
import resampling
import summaries
import jax
import jax.numpy as jnp

K, S = jax.random.key(0), jnp.arange(4.0)
CLOUD = resampling.Cloud(jnp.arange(8.0), jnp.zeros(8))
HOSTILE = {
    "interp": lambda: filtering.run(S, K, resample=resampling.stratified),
    "draw": lambda: filtering.run(S, K, resample=resampling.economical),
    "decide": lambda: filtering.run(S, K, decide=filtering.when_poor),
    "heavy": lambda: summaries.heavy_mean(CLOUD),
}
EXPECT = {
    "interp": ("TracerArrayConversionError",),
    "draw": ("TracerBoolConversionError",),
    "decide": ("TracerBoolConversionError",),
    "heavy": ("ConcretizationTypeError", "TracerBoolConversionError"),
}
INNOCENT = [
    lambda: filtering.run(S, K),
    lambda: filtering.run(S, K, filtering.Model(noise=0.3), resample=resampling.multinomial),
    lambda: summaries.trimmed_mean(CLOUD),
    lambda: filtering.when_poor(CLOUD, 0.5),
]
