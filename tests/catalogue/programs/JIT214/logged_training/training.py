"""Training with metrics that are collected on the way."""

import jax
import jax.numpy as jnp


def loss_fn(params, batch):
    return jnp.mean((batch["x"] @ params["w"] - batch["y"]) ** 2)


@jax.jit
def train_step(params, batch, losses):
    loss, grads = jax.value_and_grad(loss_fn)(params, batch)
    losses.append(loss)  # expect: JIT214 @losses
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


@jax.jit
def count_batch(metrics, batch):
    metrics["seen"] = metrics["seen"] + batch["x"].shape[0]  # expect: JIT214 @seen
    return loss_fn({"w": jnp.zeros(2)}, batch)


@jax.jit
def normalise(batch, stats):
    mean = batch["x"].mean(0)
    stats.update(mean=0.9 * stats["mean"] + 0.1 * mean)  # expect: JIT214 @stats
    return {**batch, "x": batch["x"] - stats["mean"]}


def fit(batches):
    params, losses = {"w": jnp.zeros(2)}, []
    metrics, stats = {"seen": 0}, {"mean": jnp.zeros(2)}
    for batch in batches:
        count_batch(metrics, batch)
        params = train_step(params, normalise(batch, stats), losses)
    return losses, metrics, stats
