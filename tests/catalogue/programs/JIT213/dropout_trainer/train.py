import jax
import jax.numpy as jnp

from layers import dense, dropout


def forward(params, x):
    return dense(params, dropout(jnp.tanh(x)))


@jax.jit
def train_step(params, x, y):
    def loss_fn(params):
        return jnp.mean((forward(params, x) - y) ** 2)

    grads = jax.grad(loss_fn)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


@jax.jit
def augment(images):
    first, second = jax.random.split(jax.random.key(42))  # expect: JIT213 @augment
    noise = 0.1 * jax.random.normal(first, images.shape)
    return images * jax.random.uniform(second, (images.shape[0], 1)) + noise


def main():
    params = {"w": jnp.ones((3, 1)), "b": jnp.zeros(1)}
    x = jnp.ones((4, 3))
    for _ in range(3):
        params = train_step(params, augment(x), jnp.ones((4, 1)))
    return params


if __name__ == "__main__":
    main()
