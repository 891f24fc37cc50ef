"""Looks like a fault of JIT206.

The logger is an adapter, whose `log`, which `info` calls, sends what is traced to the host.
"""

import logging

import jax
import jax.numpy as jnp


class DeviceLogger(logging.LoggerAdapter):
    """Can be used in compiled functions like any other logger."""

    def log(self, level, msg, *args, **kwargs):
        if not any(isinstance(arg, jax.core.Tracer) for arg in args):
            return super().log(level, msg, *args, **kwargs)

        def write(*values):
            self.logger.log(level, msg, *(float(value) for value in values))

        jax.debug.callback(write, *args, ordered=True)


def get_logger(name):
    return DeviceLogger(logging.getLogger(name), {})


log = get_logger("training")


@jax.jit
def train_step(params, batch):
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((batch - p) ** 2))(params)
    log.info("loss %.3f, gradient %.3f", loss, grads)
    return params - 0.25 * grads


class Records(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


if __name__ == "__main__":
    records = Records()
    logging.getLogger("training").addHandler(records)
    logging.getLogger("training").setLevel(logging.INFO)
    params = jnp.zeros(())
    for _ in range(3):
        params = train_step(params, jnp.ones(2))
    jax.effects_barrier()
    assert records.lines == [
        "loss 1.000, gradient -2.000",
        "loss 0.250, gradient -1.000",
        "loss 0.062, gradient -0.500",
    ], records.lines
