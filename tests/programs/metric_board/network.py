"""A residual network that reports on itself."""

import jax
import jax.numpy as jnp

from board import Board, note_all, show, warn_if_large


def init(key, depth=3, width=4):
    keys = jax.random.split(key, depth)
    return [{"w": jax.random.normal(k, (width, width)) * 0.2, "b": jnp.zeros(width)} for k in keys]


def block(layer, x, board):
    """One residual block; activations go on the board."""
    board.push("block")
    out = board.put("out", x + jnp.tanh(x @ layer["w"] + layer["b"]))
    board.put("norm", jnp.sqrt(jnp.sum(out**2)))
    board.pop()
    return out


@jax.jit
def forward_with_board(params, x):
    """The output and the metrics of the last block."""
    board = Board()
    for layer in params:
        x = block(layer, x, board)
    return x, board.values


def loss(params, x, y):
    out, metrics = forward_with_board(params, x)
    return jnp.mean((out - y) ** 2) + 0.0 * metrics["block/norm"]


@jax.jit
def train_step(params, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    largest = note_all("grad", grads)
    top = jnp.stack(jax.tree.leaves(largest)).max()
    factor = warn_if_large("gradient", top) / (top + 1e-6)
    params = jax.tree.map(lambda p, g: p - 0.1 * factor * g, params, grads)
    return params, value


def rollout(params, x, steps):
    """Apply the network again and again."""

    def advance(state, _):
        state, metrics = forward_with_board(params, state)
        show(metrics)
        return state, metrics["block/norm"]

    return jax.lax.scan(advance, x, None, length=steps)


def quiet_rollout(params, x, steps):
    norms = []
    for _ in range(steps):
        x, metrics = forward_with_board(params, x)
        norms.append(metrics["block/norm"])
        jax.debug.print("norm {n:.3f}", n=norms[-1])
    return x, jnp.stack(norms)


def main():
    params = init(jax.random.key(0))
    x = jnp.ones(4)
    for _ in range(3):
        params, value = train_step(params, x, jnp.zeros(4))
        logged = {"loss": float(value)}
        print(logged)
    _, metrics = forward_with_board(params, x)
    print(show(metrics), rollout(params, x, 3)[1], quiet_rollout(params, x, 2)[1])


if __name__ == "__main__":
    main()
