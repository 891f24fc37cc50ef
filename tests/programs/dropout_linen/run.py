"""Train all variants."""

import jax
import jax.numpy as jnp

from model import Calibrated, Mlp, Router
from train import create, error_rate, guarded_step, logged_step, train_step, wrong_inputs


def main():
    key = jax.random.key(0)
    batch = {"x": jax.random.normal(key, (6, 4)), "y": jnp.arange(6) % 3}
    state = create(Mlp([8, 3]), key)
    for epoch in range(3):
        state, loss = train_step(state, batch)
        if not jnp.isfinite(loss):
            raise FloatingPointError("the loss is not finite")
        print(f"epoch {epoch} step {int(state.step)} loss {loss:.4f}")
    print(error_rate(state, batch), wrong_inputs(state, batch))
    print(guarded_step(state, batch).step, logged_step(state, batch).step)
    for model in (Calibrated(Mlp([3])), Router(), Router(soft=True)):
        print(train_step(create(model, key), batch, dropout=False)[1])


if __name__ == "__main__":
    main()
