"""Everything that training needs comes out of one long function."""

import collections
import os
import types

import jax
import jax.numpy as jnp
import optax

HISTORY = collections.deque(maxlen=100)


def make_learner(config):
    """Build the functions of a gait learner.

    The learner maximises how far a walker gets, minus what its motors cost.  All functions that
    come back are compiled, and share the optimizer and the settings that are given here.  Nothing
    is read from ``config`` later, so that it may be changed for the next learner.

    Args:
      config: a dictionary with

        - ``rate``: the learning rate of Adam;
        - ``cost``: what a unit of force costs;
        - ``joints``: how many joints the walker has;
        - ``clip``: the largest gradient, or None;
        - ``horizon``: the number of steps that are looked ahead;
        - ``seed``: for the first weights.

    Returns:
      A namespace with ``init``, ``improve``, ``evaluate`` and ``export``.

    Raises:
      ValueError: a setting is missing, or makes no sense.
    """
    missing = {"rate", "cost", "joints", "horizon"} - set(config)
    if missing:
        raise ValueError(f"the configuration lacks {sorted(missing)}")
    rate = float(config["rate"])
    cost = float(config["cost"])
    joints = int(config["joints"])
    horizon = int(config["horizon"])
    clip = config.get("clip")
    seed = int(config.get("seed", 0))
    if rate <= 0:
        raise ValueError("the learning rate must be positive")
    if horizon < 1:
        raise ValueError("look at least one step ahead")
    if joints % 2:
        raise ValueError("a walker has pairs of joints")
    if os.environ.get("GAIT_FAST"):
        horizon = min(horizon, 2)

    transforms = []
    if clip is not None:
        transforms.append(optax.clip(clip))
    transforms.append(optax.adam(rate))
    optimizer = optax.chain(*transforms)

    def policy(weights, posture):
        return jnp.tanh(weights["w"] @ posture + weights["b"])

    def distance(weights, posture):
        total, spent = 0.0, 0.0
        for _ in range(horizon):
            force = policy(weights, posture)
            posture = posture + 0.1 * force
            total = total + jnp.sum(posture)
            spent = spent + jnp.sum(force**2)
            if spent > 10.0:  # expect: JIT101 @exhausted
                break
        return total - cost * spent

    def init():
        key = jax.random.key(seed)
        weights = {"w": 0.1 * jax.random.normal(key, (joints, joints)), "b": jnp.zeros(joints)}
        return weights, optimizer.init(weights)

    def improve(weights, state, posture):
        value, grads = jax.value_and_grad(lambda w: -distance(w, posture))(weights)
        updates, state = optimizer.update(grads, state, weights)
        return optax.apply_updates(weights, updates), state, value

    def evaluate(weights, posture):
        force = policy(weights, posture)
        HISTORY.append(jnp.abs(force).max())  # expect: JIT202 @history
        return force

    def export(weights):
        """The gains of the joints, for the firmware."""
        return [round(float(row.sum()), 3) for row in weights["w"]]  # expect: JIT105 @gains

    return types.SimpleNamespace(
        init=init,
        improve=jax.jit(improve, donate_argnums=()),
        evaluate=jax.jit(evaluate),
        export=jax.jit(export),
    )
