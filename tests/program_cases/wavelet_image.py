import haar as h
import jax
import jax.numpy as jnp

I = jax.random.uniform(jax.random.key(0), (8, 8))
B = h.pyramid(I)
HOSTILE = {
    "contrast": lambda: h.pyramid_to(I, 0.2),
    "weak": lambda: h.denoise(B, 0.1, mode="erase"),
    "smooth": lambda: h.sharpen(I, blur=h.smooth),
    "crop": lambda: h.crop(I, 1, 3),
    "spread": lambda: h.otsu(I),
    "level": lambda: h.quantise(I, jnp.array([0.3, 0.6])),
}
EXPECT = {
    "contrast": ("TracerBoolConversionError",),
    "weak": ("NonConcreteBooleanIndexError",),
    "smooth": ("TracerArrayConversionError",),
    "crop": ("TracerIntegerConversionError",),
    "spread": ("TracerBoolConversionError",),
    "level": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: h.pyramid(I, levels=5),
    lambda: h.denoise(B, 0.1),
    lambda: h.denoise(B, 0.1, mode="hard"),
    lambda: h.sharpen(I),
    lambda: h.gamma(I),
    lambda: h.gamma(I, 2.0),
    lambda: h.show(I),
]
