import jax
import jax.numpy as jnp
import transcribe as t

G = jax.random.normal(jax.random.key(0), (6, len(t.LETTERS)))
B, N = jnp.stack([G, G]), jnp.array([4, 6])
HOSTILE = {
    "collapse": lambda: t.collapse(G),
    "letter": lambda: t.first_letter(G),
    "weight": lambda: t.weighted_length(G),
    "trim": lambda: t.trim(B, N),
}
EXPECT = {
    "collapse": ("NonConcreteBooleanIndexError",),
    "letter": ("TracerIntegerConversionError",),
    "weight": ("TypeError",),
    "trim": ("IndexError",),
}
INNOCENT = [
    lambda: t.decode(G),
    lambda: t.collapse_padded(G, size=4),
    lambda: t.mask_frames(B, N),
    lambda: t.spectrogram(jnp.sin(jnp.arange(40.0))),
]
