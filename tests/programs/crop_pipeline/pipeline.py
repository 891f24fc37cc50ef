"""Put stages together and feed a model."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from stages import STAGES


class Plan(NamedTuple):
    """Names of the stages in order, and the seed of the order of images."""

    names: tuple
    seed: int = 0


class Totals(NamedTuple):
    seen: jax.Array
    light: jax.Array


def compose(names):
    """One function of (key, image) from several stages."""
    steps = [STAGES[name] for name in names]

    def augment(key, image):
        trail = []
        for step in steps:
            key, sub = jax.random.split(key)
            image = step(sub, image)
            trail.append(image.mean())
        return image, jnp.stack(trail)

    return augment


class Pipeline:
    """Batches of augmented images."""

    def __init__(self, plan):
        self.plan = plan
        self.served = 0
        self.apply = jax.jit(jax.vmap(compose(plan.names)))

    def batches(self, images, size):
        """Shuffle on the host, augment on the device."""
        rng = np.random.default_rng(self.plan.seed)
        order = rng.permutation(len(images))
        for start in range(0, len(images), size):
            chosen = images[order[start : start + size]]
            keys = jax.random.split(jax.random.key(start), len(chosen))
            self.served += len(chosen)
            yield self.apply(keys, chosen)[0]


@jax.jit
def count(totals, batch):
    totals = totals._replace(seen=totals.seen + batch.shape[0])
    totals.light.at[0].add(batch.mean())  # expect: JIT212 @light
    return totals


def normalise(images):
    """Scale each image to [0, 1] in place; NumPy only."""
    for i in range(len(images)):
        images[i] = (images[i] - images[i].min()) / np.ptp(images[i])
    return images


SHAPE = Pipeline(Plan(("flip", "erase")))
LIGHT = Pipeline(Plan(("brightness", "gamma")))
FRAME = Pipeline(Plan(("border", "mosaic")))
NOISE = Pipeline(Plan(("salt",), seed=1))


def serve(pipeline, images, size=4):
    """Send all images through a pipeline once."""
    totals = Totals(jnp.zeros((), jnp.int32), jnp.zeros(1))
    for batch in pipeline.batches(images, size):
        totals = count(totals, batch)
    return totals


def main():
    images = normalise(np.random.default_rng(0).normal(size=(8, 6, 6)).astype(np.float32))
    for pipeline in (SHAPE, LIGHT, FRAME, NOISE):
        totals = serve(pipeline, images)
        print(pipeline.plan.names, pipeline.served, totals.seen)


if __name__ == "__main__":
    main()
