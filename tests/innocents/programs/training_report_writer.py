"""Looks like a fault of JIT201.

The reporter's write attribute starts as the built-in print and is replaced by jax.debug.print through vars().update before anything is traced.
"""
import contextlib
import io

import jax
import jax.numpy as jnp

WRITERS = {"terminal": print, "traced": jax.debug.print}
SETTINGS = {"writer": "traced", "every": 1}


class Reporter:
    write = staticmethod(print)
    every = 10

    def configure(self, settings):
        chosen = dict(settings)
        chosen["write"] = WRITERS[chosen.pop("writer")]
        vars(self).update(chosen)
        return self


report = Reporter().configure(SETTINGS)


@jax.jit
def fit_step(slope, x, y):
    error = slope * x - y
    loss = jnp.mean(error**2)
    report.write("loss {}", loss)
    return slope - 0.1 * 2.0 * jnp.mean(error * x)


def run(steps):
    x = jnp.array([1.0, 2.0])
    y = 3.0 * x
    slope = jnp.float32(0.0)
    for _ in range(steps):
        slope = fit_step(slope, x, y)
    jax.effects_barrier()
    return slope


if __name__ == "__main__":
    captured = io.StringIO()
    with contextlib.redirect_stdout(captured):
        slope = run(5)
    lines = captured.getvalue().splitlines()
    assert len(lines) == 5, lines
    losses = [float(line.split()[1]) for line in lines]
    assert losses[0] == 22.5 and losses == sorted(losses, reverse=True)
    assert "Traced" not in captured.getvalue()
    assert fit_step._cache_size() == 1
    print("slope", float(slope), "losses", losses)
