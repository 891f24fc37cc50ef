"""What is kept of the chains."""

import jax
import jax.numpy as jnp

from sweeps import assign, responsibilities, update_means


def collect(value, kept=[]):
    """Keep a value, and count what was kept."""
    kept.append(jnp.sum(value))  # expect: JIT211 @kept
    return len(kept)


def gather(values, kept=None):
    kept = [] if kept is None else kept
    for value in values:
        kept.append(value)
    return jnp.stack(kept)


@jax.jit
def summary(means):
    return {"gap": means[1] - means[0], "kept": collect(means)}


@jax.jit
def moments(means):
    return gather([means.mean(), (means**2).mean()])


def ensemble(data, starts):
    """The best mean over several chains."""
    best = None

    def chain(means):
        nonlocal best
        means = update_means(data, assign(data, means, 0.5))
        best = means.max()  # expect: JIT203 @best
        return means

    finished = jax.vmap(chain)(starts)
    return finished, best


def counted(data, starts):
    """Chains that do their bookkeeping inside."""

    def chain(means):
        level = 0.0

        def rise(amount):
            nonlocal level
            level = level + amount

        for weight in responsibilities(data, means).mean(axis=0):
            rise(weight)
        return level

    return jax.vmap(chain)(starts)


class Monitor:
    """Running logs of several chains."""

    def __init__(self, chains):
        self.logs = {name: [] for name in chains}

    def observer(self, name):
        def observe(means):
            self.logs[name] += [means[0]]  # expect: JIT202 @log
            return means * 1.0

        return observe


def monitored(names):
    monitor = Monitor(names)
    return monitor, {name: jax.jit(monitor.observer(name)) for name in names}
