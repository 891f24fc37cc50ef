"""Central pattern generators as Equinox modules."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr


class Oscillator(eqx.Module):
    """One leg; the methods are compiled, for the module is a pytree."""

    frequency: jax.Array
    amplitude: jax.Array
    leg: str = eqx.field(static=True)

    def __init__(self, leg, key):
        self.leg = leg
        self.frequency = 1.0 + 0.1 * jr.normal(key)
        self.amplitude = jnp.ones(())

    @jax.jit
    def angle(self, phase):
        return self.amplitude * jnp.sin(self.frequency * phase)

    @eqx.filter_jit
    def swing(self, phases, smooth=True):
        angles = jax.vmap(self.angle)(phases)
        return jnp.convolve(angles, jnp.ones(3) / 3, "same") if smooth else angles


class Gait(eqx.Module):
    """Four coupled legs with a counter in Equinox state."""

    legs: list
    coupling: jax.Array
    strides: eqx.nn.StateIndex

    def __init__(self, key):
        keys = jr.split(key, 5)
        self.legs = []
        for leg, leg_key in zip(("lf", "rf", "lh", "rh"), keys):
            self.legs.append(Oscillator(leg, leg_key))
        self.coupling = 0.1 * jr.normal(keys[4], (4, 4))
        self.strides = eqx.nn.StateIndex(jnp.zeros(()))

    def __call__(self, phases, state):
        state = state.set(self.strides, state.get(self.strides) + 1)
        by_leg = {}
        for leg, phase in zip(self.legs, phases):
            by_leg[leg.leg] = leg.angle(phase)
        angles = jnp.stack([by_leg[leg.leg] for leg in self.legs])
        return angles + self.coupling @ angles, state


@eqx.filter_jit
def random_gait_speed(key):
    """Builds a whole gait within the trace."""
    gait, state = eqx.nn.make_with_state(Gait)(key)
    angles, _ = gait(jnp.linspace(0.0, 1.0, 4), state)
    return jnp.abs(angles).mean()


@eqx.filter_value_and_grad(has_aux=True)
def effort(gait, state, phases):
    angles, state = gait(phases, state)
    return jnp.mean(angles**2), state


@eqx.filter_jit
def relax(gait, state, phases, rate):
    """One step towards less effort, and the new counter."""
    (value, state), grads = effort(gait, state, phases)
    gait = eqx.apply_updates(gait, jax.tree.map(lambda g: -rate * g, grads))
    return gait, state, value


def walk(key, steps=3):
    """Relax a random gait; what is logged comes from the device."""
    gait, state = eqx.nn.make_with_state(Gait)(key)
    log = []
    for number in range(steps):
        gait, state, value = relax(gait, state, jnp.linspace(0.0, 1.0, 4), jnp.float32(0.1))
        log.append((number, value.item()))
        print("step", number, "effort", value)
    frozen = eqx.tree_at(lambda g: g.coupling, gait, jnp.zeros((4, 4)))
    return frozen, state, log
