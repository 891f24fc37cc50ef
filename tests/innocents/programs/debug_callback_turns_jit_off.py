"""Looks like a fault of JIT104.

A callback of the trainer enters jax.disable_jit when the fit begins, and leaves it when it ends.
"""

import contextlib

import jax
import jax.numpy as jnp


class Callback:
    def on_fit_begin(self): ...
    def on_fit_end(self): ...


class Eagerly(Callback):
    """Runs the steps line by line, for breakpoints and for checks on values."""
    def on_fit_begin(self):
        self.stack = contextlib.ExitStack()
        self.stack.enter_context(jax.disable_jit())

    def on_fit_end(self):
        self.stack.close()


class Watchdog:
    def __init__(self, limit, callbacks=(Eagerly(),)):
        self.limit, self.callbacks = limit, callbacks

    def notify(self, event):
        for callback in self.callbacks:
            getattr(callback, event)()

    def fit(self, params, batches):
        @jax.jit
        def step(params, batch):
            loss, grads = jax.value_and_grad(lambda p: jnp.mean((batch - p) ** 2))(params)
            if not jnp.isfinite(loss) or loss > self.limit:
                raise FloatingPointError("the loss has run away")
            return params - 0.1 * grads

        self.notify("on_fit_begin")
        try:
            for batch in batches:
                params = step(params, batch)
        finally:
            self.notify("on_fit_end")
        return params


if __name__ == "__main__":
    assert Watchdog(100.0).fit(jnp.zeros(()), [jnp.ones(4)] * 3) > 0.4
    try:
        Watchdog(100.0).fit(jnp.zeros(()), [jnp.ones(4), jnp.full(4, 1e3)])
    except FloatingPointError:
        pass
    else:
        assert False, "the watchdog slept"
    assert not jax.config.jax_disable_jit
