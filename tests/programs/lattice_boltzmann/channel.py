"""A channel with a body force."""

import functools

import jax
import jax.numpy as jnp
from jax import lax

from .lattice import D2Q9, WEIGHTS, collide, stream
from .watch import Snapshot, show, show_later, summarise, totals, watch_mass


class Channel:
    """A periodic channel."""

    def __init__(self, shape=(8, 6), relaxation=0.8):
        self.model = D2Q9(relaxation)
        self.rest = jnp.asarray(WEIGHTS, jnp.float32)[:, None, None] * jnp.ones(shape)
        self.snapshot = Snapshot()

    def step(self, f):
        return stream(self.model.collide(f))

    @functools.partial(jax.jit, static_argnums=0)
    def noisy_step(self, f):
        """A step that talks."""
        f = self.step(f)
        show("mass", watch_mass(f))
        return f

    @functools.partial(jax.jit, static_argnames=["self"])
    def quiet_step(self, f):
        f = self.step(f)
        show_later("mass", summarise(f)["mass"])
        return f

    def flow(self, steps):
        def body(_, f):
            f = self.step(f)
            self.snapshot.take(f[1])
            return f

        return lax.fori_loop(0, steps, body, self.rest)

    def free_collision(self):
        return collide(self.model, self.rest)


def drive(channel, forces):
    """Means of the flow for several body forces."""
    runs = [
        jax.jit(lambda f, force=force: channel.step(f) + force)  # expect: JIT301 @force
        for force in forces
    ]
    return [run(channel.rest).mean() for run in runs]


def drive_together(channel, forces):
    run = jax.jit(lambda f, force: (channel.step(f) + force).mean())
    return [run(channel.rest, force) for force in forces]


def main():
    channel = Channel()
    f = channel.rest
    for _ in range(3):
        f = channel.noisy_step(f)
        f = channel.quiet_step(f)
        totals["steps"] += 1
    print(totals["steps"], drive_together(channel, [0.0, 1e-3]))


if __name__ == "__main__":
    main()
