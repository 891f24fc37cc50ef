"""Looks like a fault of JIT308.

A loop over the subclasses registers them as pytrees, with their texts in the structure.
"""
import jax
import jax.numpy as jnp


class Message:
    def __init__(self, **values):
        vars(self).update(values)


class Observation(Message):
    pass


class Command(Message):
    pass


def flatten(message):
    items = sorted(vars(message).items())
    arrays = [(k, v) for k, v in items if not isinstance(v, str)]
    texts = tuple((k, v) for k, v in items if isinstance(v, str))
    return [v for _, v in arrays], (tuple(k for k, _ in arrays), texts)


for kind in Message.__subclasses__():
    def unflatten(aux, values, kind=kind):
        return kind(**dict(zip(aux[0], values)), **dict(aux[1]))
    jax.tree_util.register_pytree_node(kind, flatten, unflatten)


@jax.jit
def respond(observation, command):
    gain = {"slow": 0.1, "fast": 1.0}[command.pace]
    return Command(pace=command.pace, force=-gain * observation.error + command.force)


if __name__ == "__main__":
    command = Command(pace="slow", force=jnp.float32(0.0))
    for error in (1.0, 2.0, 3.0):
        command = respond(Observation(sensor="left", error=jnp.float32(error)), command)
    assert command.pace == "slow" and abs(float(command.force) + 0.6) < 1e-6
    respond(Observation(sensor="left", error=jnp.float32(1.0)), Command(pace="fast", force=jnp.float32(0)))
    assert respond._cache_size() == 2
