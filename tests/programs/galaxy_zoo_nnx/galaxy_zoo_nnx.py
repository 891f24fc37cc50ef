"""Classify galaxy cut-outs with nnx: batch statistics, counters and metrics are module state."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


class Seen(nnx.Variable):
    """How many images have gone by."""


class Classifier(nnx.Module):
    """A convolution, batch normalisation and a linear layer."""

    def __init__(self, classes, *, rngs):
        self.conv = nnx.Conv(1, 4, (3, 3), rngs=rngs)
        self.norm = nnx.BatchNorm(4, rngs=rngs)
        self.drop = nnx.Dropout(0.2, rngs=rngs)
        self.head = nnx.Linear(4, classes, rngs=rngs)
        self.seen = Seen(jnp.zeros((), jnp.int32))

    def __call__(self, images):
        self.seen[...] += images.shape[0]
        features = nnx.relu(self.norm(self.conv(images)))
        self.sow(nnx.Intermediate, "features", features)
        pooled = features.mean((1, 2))
        return self.head(self.drop(pooled))


def loss_fn(model, images, labels):
    logits = model(images)
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, labels)
    return losses.mean(), logits


@nnx.jit
def train_step(model, optimizer, metrics, images, labels):
    """Updates everything it is given in place, as nnx does."""
    (loss, logits), grads = nnx.value_and_grad(loss_fn, has_aux=True)(model, images, labels)
    nnx.pop(model, nnx.Intermediate)
    metrics.update(loss=loss, logits=logits, labels=labels)
    optimizer.update(model, grads)


@nnx.jit
def features(model, images):
    """What the convolution sees."""
    model(images)
    found = nnx.pop(model, nnx.Intermediate)
    return found["features"].get_value()[0]


def batches(seed, count=3):
    """Noise with a bright core for one of the classes."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        labels = rng.integers(0, 2, 4)
        images = rng.normal(size=(4, 8, 8, 1))
        images[:, 3:5, 3:5] += labels[:, None, None, None]
        yield jnp.asarray(images), jnp.asarray(labels)


def fit(seed=0, epochs=2):
    """Train and return the history of the metrics."""
    model = Classifier(2, rngs=nnx.Rngs(seed))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1, momentum=0.9), wrt=nnx.Param)
    metrics = nnx.MultiMetric(loss=nnx.metrics.Average("loss"), accuracy=nnx.metrics.Accuracy())
    history = {"loss": [], "accuracy": []}
    for epoch in range(epochs):
        model.train()
        for images, labels in batches(seed + epoch):
            train_step(model, optimizer, metrics, images, labels)
        for name, value in metrics.compute().items():
            history[name].append(float(value))
        metrics.reset()
        print(f"epoch {epoch}: {history['loss'][-1]:.3f}")
    model.eval()
    return model, history


if __name__ == "__main__":
    trained, curves = fit()
    print(curves, features(trained, next(batches(5))[0]).shape)
