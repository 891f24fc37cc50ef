"""Chemical kinetics: rate equations, tau leaping and fits of the rate constants."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Reaction(eqx.Module):
    """One reaction with mass action kinetics."""

    log_rate: jax.Array
    reactants: tuple[int, ...] = eqx.field(static=True)
    change: tuple[float, ...] = eqx.field(static=True)
    inhibition: float | None = None

    def propensity(self, amounts):
        speed = jnp.exp(self.log_rate)
        for index in self.reactants:
            speed = speed * amounts[index]
        if self.inhibition is not None:
            speed = speed / (1.0 + self.inhibition * amounts.sum())
        return speed


class Network(eqx.Module):
    reactions: list[Reaction]
    volume: float = 1.0
    floor: Callable = jax.nn.relu
    clamp: bool = eqx.field(static=True, default=True)

    def stoichiometry(self):
        return jnp.array([reaction.change for reaction in self.reactions])

    def speeds(self, amounts):
        return jnp.stack([reaction.propensity(amounts) for reaction in self.reactions])

    def __call__(self, amounts):
        flow = self.speeds(amounts) @ self.stoichiometry()
        return flow / self.volume if self.volume != 1.0 else flow

    def leap(self, amounts, tau, key):
        counts = jax.random.poisson(key, tau * self.speeds(amounts))
        amounts = amounts + counts @ self.stoichiometry()
        return self.floor(amounts) if self.clamp else self.reject(amounts)

    def reject(self, amounts):
        if jnp.any(amounts < 0):  # expect: JIT101 @negative
            return jnp.zeros_like(amounts)
        return amounts


@eqx.filter_jit
def trajectory(network, amounts, tau, steps, key):
    """Leap a number of times; a Python number of steps is static here."""

    def body(state, step_key):
        state = network.leap(state, tau, step_key)
        return state, state

    return jax.lax.scan(body, amounts, jax.random.split(key, steps))[1]


@eqx.filter_jit
def first_reaction(network: Network, amounts, key):
    """Which reaction fires next."""
    speeds = network.speeds(amounts)
    choice = jax.random.categorical(key, jnp.log(speeds))
    fired = network.reactions[choice]  # expect: JIT107 @fired
    return fired.propensity(amounts)


@eqx.filter_jit
def half_life(network, amounts, tau):
    start, time = amounts[0], 0.0
    while amounts[0] > 0.5 * start:  # expect: JIT102 @half
        amounts = amounts + tau * network(amounts)
        time += tau
    return time


@eqx.filter_jit
def fastest(network, amounts, order: str = "down"):
    speeds = list(network.speeds(amounts))
    if order == "down":
        speeds.reverse()
    return max(speeds, key=lambda speed: speed)  # expect: JIT110 @fastest


@eqx.filter_jit
def present(network, amounts):
    """Only the species that occur."""
    return jnp.extract(amounts > 0, amounts)  # expect: JIT109 @present


@eqx.filter_value_and_grad
def loss(network, amounts, rates):
    predicted = jax.vmap(network)(amounts)
    if predicted.shape != rates.shape:
        raise ValueError("one rate for each species")
    return ((predicted - rates) ** 2).mean()


@eqx.filter_jit
def fit_step(network, optimiser, state, amounts, rates, verbose=False):
    value, gradient = loss(network, amounts, rates)
    updates, state = optimiser.update(gradient, state)
    if verbose:
        jax.debug.callback(lambda v: print(f"{float(v):.3f}"), value)
    return eqx.apply_updates(network, updates), state, value


@eqx.filter_jit
def fit_step_logged(network, amounts, rates):
    value, gradient = loss(network, amounts, rates)
    return gradient, format(value, ".3f")  # expect: JIT105 @logged


def decay_chain(**options):
    first = Reaction(jnp.array(0.1), (0,), (-1.0, 1.0))
    second = Reaction(jnp.array(-0.5), (1,), (0.0, -1.0), inhibition=0.1)
    return Network([first, second], **options)


def main():
    network, amounts, key = decay_chain(), jnp.array([8.0, 0.0]), jax.random.key(0)
    print(trajectory(network, amounts, 0.1, 5, key))
    optimiser = optax.sgd(1e-2)
    state = optimiser.init(eqx.filter(network, eqx.is_array))
    batch = jnp.stack([amounts, amounts + 1.0])
    for turn in range(3):
        network, state, value = fit_step(network, optimiser, state, batch, batch, turn == 2)
        if np.isnan(value):
            raise FloatingPointError(float(value))
    print(trajectory(decay_chain(clamp=False), amounts, 0.1, 5, key))
    print(first_reaction(network, amounts, key), half_life(network, amounts, 0.1))
    print(fastest(network, amounts), present(network, amounts))
    print(fit_step_logged(network, batch, batch))


if __name__ == "__main__":
    main()
