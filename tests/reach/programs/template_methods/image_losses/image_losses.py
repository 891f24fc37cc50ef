"""Losses between images, by one base class; what a loss lacks it leaves empty."""

import math

import jax
import jax.numpy as jnp
import numpy as np


class Loss:
    """Compares images; a subclass gives ``pixelwise`` and may reduce in its own way."""

    name: str

    def __init__(self, weight=1.0):
        self.weight = weight

    def pixelwise(self, prediction, target): ...

    def reduce(self, values):
        return jnp.mean(values)

    def prepare(self, image):
        """Bring an image into the range in which the loss is defined."""

    def __call__(self, prediction, target):
        values = self.pixelwise(self.prepare(prediction), self.prepare(target))
        if self.reduce(values) > 1e3:  # expect: JIT101 @huge
            return jnp.float32(1e3)
        return self.weight * self.reduce(values)


class Squared(Loss):
    """Mean squared error, in decibel for the log."""

    name = "mse"

    def prepare(self, image):
        return image / 255.0

    def pixelwise(self, prediction, target):
        return (prediction - target) ** 2

    def decibel(self, prediction, target):
        return -10.0 * jnp.log10(self.reduce(self.pixelwise(prediction, target)))


class Entropy(Loss):
    """Cross entropy of images that hold probabilities."""

    name = "entropy"

    def prepare(self, image):
        return jnp.clip(image, 1e-6, 1.0 - 1e-6)

    def pixelwise(self, prediction, target):
        return -target * np.log(prediction)  # expect: JIT106 @log


class Peak(Loss):
    """The largest difference only."""

    name = "peak"

    def prepare(self, image):
        return image

    def pixelwise(self, prediction, target):
        return jnp.abs(prediction - target)

    def reduce(self, values):
        return max(values.ravel())  # expect: JIT110 @largest


class Perceptual(Loss):
    """Differences count less in bright images."""

    name = "perceptual"

    def prepare(self, image):
        brightness = math.sqrt(image.mean())  # expect: JIT105 @brightness
        return image / brightness

    def pixelwise(self, prediction, target):
        return (prediction - target) ** 2


class Charbonnier(Loss):
    """A smooth absolute difference that leaves out what is masked."""

    name = "charbonnier"

    def prepare(self, image):
        return image[image > 0]  # expect: JIT109 @masked

    def pixelwise(self, prediction, target):
        return jnp.sqrt((prediction - target) ** 2 + 1e-6)


def gradient(loss, prediction, target):
    """How to change the prediction."""
    return jax.jit(jax.grad(loss))(prediction, target)  # expect: JIT303 @rebuilt


def main():
    rng = np.random.default_rng(0)
    prediction, target = rng.uniform(1.0, 2.0, (2, 4, 4))
    print(Squared.name, gradient(Squared(), prediction, target))
    print(Entropy.name, gradient(Entropy(), prediction, target))
    print(Peak.name, gradient(Peak(), prediction, target))
    print(Perceptual.name, gradient(Perceptual(), prediction, target))
    print(Charbonnier.name, gradient(Charbonnier(), prediction, target))


if __name__ == "__main__":
    main()
