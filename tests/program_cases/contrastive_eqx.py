import jax
import blocks
import encoder
import fit

K = jax.random.key(0)
L, R = jax.random.normal(K, (2, 6, 4))
HOSTILE = {
    "gate": lambda: fit.update(encoder.Encoder(4, 1, K, block=blocks.GatedBlock), L, R),
    "clamp": lambda: fit.update(encoder.Encoder(4, 1, K, scale="clamped"), L, R),
    "margin": lambda: fit.retrieval_margin(encoder.Encoder(4, 1, K), L[0], R),
}
EXPECT = {
    "gate": ("TracerBoolConversionError",),
    "clamp": ("TracerBoolConversionError",),
    "margin": ("TracerArrayConversionError",),
}
INNOCENT = [
    lambda: fit.update(encoder.Encoder(4, 2, K), L, R, 0.1, clip=1.0),
    lambda: fit.update(encoder.Encoder(4, 2, K, scale="none"), L, R),
    lambda: fit.hard_negatives(encoder.Encoder(4, 2, K), L, 2),
]
