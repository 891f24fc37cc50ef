"""Scans over angle."""

import logging
import os

import jax
import jax.numpy as jnp

from steering import beam, plain_beam, steering

log = logging.getLogger("phased_array")


def plane_wave(angle, elements=8, samples=16):
    time = jnp.arange(samples) / samples
    return steering(angle, elements)[:, None] * jnp.exp(2j * jnp.pi * time)


def covariance(samples):
    matrix = samples @ samples.conj().T / samples.shape[1]
    log.warning("trace of the covariance: %s", jnp.trace(matrix).real)  # expect: JIT206 @trace
    return matrix


class Scanner:
    """Scans a set of angles."""

    def __init__(self, angles):
        self.angles = jnp.asarray(angles)
        self._spectra = {}

    def capon(self, samples, loading):
        """Minimum variance spectrum."""

        @jax.jit  # expect: JIT303 @spectrum
        def spectrum(angles):
            noise = loading * jnp.eye(samples.shape[0])
            inverse = jnp.linalg.inv(covariance(samples) + noise)
            arrays = jax.vmap(lambda a: steering(a, samples.shape[0]))(angles)
            return 1 / jnp.einsum("ai,ij,aj->a", arrays.conj(), inverse, arrays).real

        return spectrum(self.angles)

    def bartlett(self, samples, kind="plain"):
        """Delay-and-sum spectrum; one compiled scan for each kind."""
        if kind not in self._spectra:
            one = plain_beam if kind == "plain" else beam
            self._spectra[kind] = jax.jit(jax.vmap(one, in_axes=(None, 0)))
        return self._spectra[kind](samples, self.angles)


def compare(scanner, samples):
    low = scanner.capon(samples, 0.01)
    high = scanner.capon(samples, 1.0)
    return jnp.stack([low, high, scanner.bartlett(samples).mean(axis=1)])


def make_tracker(order):
    """A smoother for the track of a source."""

    def track(angles, forgetting):
        level = angles[0]
        for angle in angles[1:order]:
            level = forgetting * level + (1 - forgetting) * angle
        return level

    return jax.jit(
        track,
        static_argnames=("forget",),  # expect: JIT305 @forget
    )


def make_smoother(order):
    def smooth(angles, forgetting):
        log.info("smoothing %d of %s angles", order, angles.shape)
        return forgetting * angles[:order] + (1 - forgetting) * angles[:order].mean()

    return jax.jit(smooth, static_argnames=("forgetting",))


def main():
    logging.basicConfig(level=os.environ.get("LOG_LEVEL", "WARNING"))
    samples = plane_wave(0.3)
    scanner = Scanner([-0.3, 0.0, 0.3])
    print(compare(scanner, samples))
    smooth = make_smoother(2)
    for _ in range(2):
        print(smooth(scanner.angles, forgetting=0.5))


if __name__ == "__main__":
    main()
