"""Looks like a fault of JIT206.

A filter of the logger takes out the records that hold tracers.

It logs them by a callback, in every run, when the values are there.
"""
import logging

import jax
import jax.numpy as jnp


class DeferTraced(logging.Filter):
    """Records of tracers are emitted by a callback, in every run."""

    def __init__(self, logger):
        super().__init__()
        self.logger = logger

    def filter(self, record):
        if not any(isinstance(arg, jax.core.Tracer) for arg in record.args or ()):
            return True
        level, message = record.levelno, record.msg
        jax.debug.callback(lambda *args: self.logger.log(level, message, *args), *record.args)
        return False


log = logging.getLogger("surrogate")
log.setLevel(logging.INFO)
log.addFilter(DeferTraced(log))


@jax.jit
def newton(x, target):
    residual = x**2 - target
    log.info("residual %.3f at %.3f", residual, x)
    return x - residual / (2 * x)


class Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


if __name__ == "__main__":
    handler = Lines()
    log.addHandler(handler)
    x = jnp.float32(1.0)
    for _ in range(4):
        x = newton(x, 2.0)
    jax.effects_barrier()
    assert len(handler.lines) == 4, handler.lines
    assert "residual -1.000 at 1.000" in handler.lines
