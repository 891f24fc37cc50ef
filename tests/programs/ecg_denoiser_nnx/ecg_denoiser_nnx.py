"""Clean single-lead ECG windows with a small nnx autoencoder."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

_LOSSES = []


class Denoiser(nnx.Module):
    """One hidden layer; the first one's running scale is kept as a variable."""

    def __init__(self, width, hidden, *, rngs):
        self.encode = nnx.Linear(width, hidden, rngs=rngs)
        self.decode = nnx.Linear(hidden, width, rngs=rngs)
        self.scale = nnx.BatchStat(jnp.ones(()))
        self.corruption = 0.1

    def corrupt(self, x):
        noise = np.random.normal(size=x.shape)  # expect: JIT207 @noise
        return x + self.corruption * noise

    def __call__(self, x, train=False):
        if train:
            self.scale[...] = 0.9 * self.scale[...] + 0.1 * jnp.std(x)
            x = self.corrupt(x)
        hidden = nnx.relu(self.encode(x / self.scale[...]))
        return self.decode(hidden) * self.scale[...]


def remember(value):
    """Keep a loss for the plot at the end."""
    _LOSSES.append(value)  # expect: JIT202 @losses


def reconstruction(model, batch):
    """Mean squared error of the restored windows."""
    error = model(batch, train=True) - batch
    loss = jnp.mean(error**2)
    print(f"reconstruction error: {loss}")  # expect: JIT201 @shown
    return loss


@nnx.jit
def train_step(model, optimizer, metrics, batch):
    """One step of Adam; model, optimizer and metrics are updated."""
    loss, grads = nnx.value_and_grad(reconstruction)(model, batch)
    optimizer.update(model, grads)
    metrics.update(loss=loss)
    remember(loss)
    return loss


def build(width, hidden, seed=0):
    """Model, optimizer and metrics."""
    model = Denoiser(width, hidden, rngs=nnx.Rngs(seed))
    optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)
    return model, optimizer, nnx.MultiMetric(loss=nnx.metrics.Average("loss"))


def fit(batches, hidden=4):
    """Train; the curve is what the host has seen."""
    model, optimizer, metrics = build(batches[0].shape[-1], hidden)
    curve = []
    for number, batch in enumerate(batches):
        loss = train_step(model, optimizer, metrics, batch)
        curve.append(float(loss))
        print(f"batch {number}: {loss:.4f}")
    return model, curve


def compare_gains(model, batch, gains):
    """Residual energy of the same model for inputs amplified by each gain."""
    energies = {}
    for gain in gains:

        @nnx.jit  # expect: JIT301 @gains
        def residual(net, x):
            return jnp.sum((net(gain * x) - gain * x) ** 2)

        energies[gain] = float(residual(model, batch))
    return energies


if __name__ == "__main__":
    windows = jax.random.normal(jax.random.key(1), (5, 16, 32))
    trained, losses = fit(list(windows))
    print(losses, compare_gains(trained, windows[0], (0.5, 1.0, 2.0)))
