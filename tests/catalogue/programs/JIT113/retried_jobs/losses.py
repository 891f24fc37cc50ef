import jax.numpy as jnp


def huber(residual, delta):
    if abs(residual) < delta:  # expect: JIT101 @huber
        return 0.5 * residual**2
    return delta * (jnp.abs(residual) - 0.5 * delta)


def safe_log(x):
    assert x > 0, "needs a positive number"  # expect: JIT103 @log
    return jnp.log(x)
