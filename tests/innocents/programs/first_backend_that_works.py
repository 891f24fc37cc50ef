"""Looks like a fault of JIT301.

The generator of candidates ends with the first success, told by `send`.

The loop body runs once: the other candidates are for machines without the
first one.
"""
import jax
import jax.numpy as jnp


def candidates(names):
    """Platforms to try, until the consumer sends that one of them works."""
    for name in names:
        try:
            device = jax.devices(name)[0]
        except RuntimeError:
            continue
        done = yield device
        if done:
            return


def compile_model(weights, example):
    choices = candidates(["cpu", "METAL"])
    device = next(choices, None)
    tried, model = [], None
    while device is not None:
        placed = jax.device_put(weights, device)
        model = jax.jit(lambda x: jnp.tanh(x @ placed))
        model(jax.device_put(example, device))
        tried.append(device.platform)
        try:
            device = choices.send(model is not None)
        except StopIteration:
            device = None
    return model, tried


if __name__ == "__main__":
    model, tried = compile_model(jnp.eye(4), jnp.ones((2, 4)))
    assert len(tried) == 1
    assert jnp.allclose(model(jnp.ones((2, 4))), jnp.tanh(1.0))
