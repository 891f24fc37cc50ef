import jax.numpy as jnp
import image_losses as m

from tools.observation import compilations

A, B = jnp.full((2, 2), 0.5), jnp.full((2, 2), 0.25)
HOSTILE = {
    "huge": lambda: m.gradient(m.Squared(), A, B),
    "log": lambda: m.gradient(m.Entropy(), A, B),
    "largest": lambda: m.gradient(m.Peak(), A, B),
    "brightness": lambda: m.gradient(m.Perceptual(), A, B),
    "masked": lambda: m.gradient(m.Charbonnier(), A, B),
}
EXPECT = {
    "huge": ("TracerBoolConversionError",),
    "log": ("TracerArrayConversionError",),
    "largest": ("TracerBoolConversionError",),
    "brightness": ("ConcretizationTypeError",),
    "masked": ("NonConcreteBooleanIndexError",),
}


def rebuilt():
    # A loss whose trace does not stop at the check for huge values.
    loss = m.Squared().decibel
    run = lambda: m.gradient(loss, A, B)
    run()
    return compilations(run) > 0


SILENT = {"rebuilt": rebuilt}
INNOCENT = [lambda: m.Squared().decibel(A, B), lambda: m.Squared()(A, B)]
