import jax
import jax.numpy as jnp


def loss_fn(params, x):
    for w in params:
        x = jnp.tanh(x @ w)
    return jnp.mean(x**2)


@jax.jit
def train_step(params, x):
    loss, grads = jax.value_and_grad(loss_fn)(params, x)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), loss


def init(width=400, depth=8):
    return [jnp.eye(width) + 0.01 * k for k in range(depth)]


def evaluate(params, batches):
    """The mean loss; nobody has waited for it."""
    return sum(loss_fn(params, x) for x in batches) / len(batches)
