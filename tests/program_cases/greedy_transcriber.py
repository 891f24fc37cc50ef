import jax
import jax.numpy as jnp
import app
import frames
import transcribe

G = jax.random.normal(jax.random.key(0), (6, len(transcribe.LETTERS)))
B, N = jnp.stack([G, G]), jnp.array([4, 6])
HOSTILE = {
    "collapse": lambda: transcribe.collapse(G),
    "letter": lambda: transcribe.first_letter(G),
    "weight": lambda: transcribe.weighted_length(G),
    "trim": lambda: frames.trim(B, N),
}
EXPECT = {
    "collapse": ("NonConcreteBooleanIndexError",),
    "letter": ("TracerIntegerConversionError",),
    "weight": ("TypeError",),
    "trim": ("IndexError",),
}
INNOCENT = [
    lambda: app.decode(G),
    lambda: transcribe.collapse_padded(G, size=4),
    lambda: frames.mask_frames(B, N),
    lambda: frames.spectrogram(jnp.sin(jnp.arange(40.0))),
]
