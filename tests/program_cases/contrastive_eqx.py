import jax
import encoder as e

K = jax.random.key(0)
L, R = jax.random.normal(K, (2, 6, 4))
HOSTILE = {
    "gate": lambda: e.update(e.Encoder(4, 1, K, block=e.GatedBlock), L, R),
    "clamp": lambda: e.update(e.Encoder(4, 1, K, scale="clamped"), L, R),
    "margin": lambda: e.retrieval_margin(e.Encoder(4, 1, K), L[0], R),
}
EXPECT = {
    "gate": ("TracerBoolConversionError",),
    "clamp": ("TracerBoolConversionError",),
    "margin": ("TracerArrayConversionError",),
}
INNOCENT = [
    lambda: e.update(e.Encoder(4, 2, K), L, R, 0.1, clip=1.0),
    lambda: e.update(e.Encoder(4, 2, K, scale="none"), L, R),
    lambda: e.hard_negatives(e.Encoder(4, 2, K), L, 2),
]
