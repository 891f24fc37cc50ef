import jax
import jax.numpy as jnp

from attention import Attention

layer = Attention(4, 8)


@jax.jit
def loss(w, x):
    return jnp.mean(layer(x @ w, x @ w, x) ** 2)


@jax.jit
def evaluate(w, x):
    return layer(x @ w, x @ w, x)


def main():
    x = jnp.ones((4, 8))
    w = jnp.eye(8)
    print(loss(w, x))
    print(evaluate(w, x))


if __name__ == "__main__":
    main()
