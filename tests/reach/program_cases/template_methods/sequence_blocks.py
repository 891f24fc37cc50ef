import blocks
import jax.numpy as jnp
import tagger

from tools.observation import compilations

X = jnp.ones((4, 3))


def rebuilt():
    run = lambda: tagger.apply(blocks.MeanBlock, X, 2)
    run()
    return compilations(run) > 0


SILENT = {"rebuilt": rebuilt}
HOSTILE = {
    "crop": lambda: tagger.apply(blocks.CroppedBlock, X, 2),
    "padding": lambda: tagger.apply(blocks.PaddedBlock, X, 2),
    "gate": lambda: tagger.apply(blocks.GatedBlock, X, 2),
}
EXPECT = {
    "crop": ("IndexError", "TypeError", "TracerIntegerConversionError"),
    "padding": ("TypeError",),
    "gate": ("TracerBoolConversionError",),
}
INNOCENT = [lambda: tagger.apply(blocks.MeanBlock, X, 2)]
