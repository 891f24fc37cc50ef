"""Looks like a fault of JIT208.

The only way to change the captured global is a property setter that also clears the compiled function's cache.
"""
import jax
import jax.numpy as jnp
import numpy as np

GAIN = 0.5


@jax.jit
def control(error, integral):
    integral = integral + error
    return GAIN * error + 0.1 * integral, integral


class Tuning:
    @property
    def gain(self):
        return GAIN

    @gain.setter
    def gain(self, value):
        global GAIN
        if value != GAIN:
            GAIN = value
            control.clear_cache()


def simulate(target, steps):
    level = jnp.float32(0.0)
    integral = jnp.float32(0.0)
    for _ in range(steps):
        action, integral = control(target - level, integral)
        level = level + 0.5 * action
    return level


if __name__ == "__main__":
    tuning = Tuning()
    zero = jnp.float32(0.0)
    for gain in (0.5, 0.8, 0.8, 0.25, 0.5):
        tuning.gain = gain
        action, _ = control(jnp.float32(1.0), zero)
        np.testing.assert_allclose(action, gain + 0.1, rtol=1e-6)
        assert control._cache_size() == 1
    tuning.gain = 0.8
    settled = simulate(1.0, 100)
    np.testing.assert_allclose(settled, 1.0, atol=1e-2)
    print("settled at", float(settled))
