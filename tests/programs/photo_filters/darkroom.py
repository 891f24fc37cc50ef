"""Developing: exposure and contrast with settings that stay the same for a roll of film."""

from functools import partial

import jax
import jax.numpy as jnp

from . import effects


class Darkroom:
    """Settings for a roll; compared by identity, as any object is."""

    def __init__(self, exposure, contrast):
        self.exposure = exposure
        self.contrast = contrast
        self.developed = 0
        self.brightest = None

    @partial(jax.jit, static_argnums=0)
    def develop(self, negative):
        self.developed += 1  # expect: JIT204 @developed
        return self._print_on_paper(1.0 - negative)

    def _print_on_paper(self, light):
        exposed = light * 2.0**self.exposure
        self.brightest = exposed.max()  # expect: JIT204 @brightest
        return jnp.clip((exposed - 0.5) * self.contrast + 0.5, 0.0, 1.0)

    def develop_roll(self, negatives):
        prints = [self.develop(negative) for negative in negatives]
        return effects.contact_strip(prints, 8)
