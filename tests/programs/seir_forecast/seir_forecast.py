"""Forecast an epidemic with an SEIR model whose state is a flax.struct dataclass."""

import uuid
import warnings
from datetime import date, datetime

import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Compartments:
    """People in each stage; the population is fixed."""

    susceptible: jax.Array
    exposed: jax.Array
    infectious: jax.Array
    recovered: jax.Array
    population: float = struct.field(pytree_node=False, default=1000.0)


@struct.dataclass
class Rates:
    """How fast people move between stages."""

    contact: jax.Array
    incubation: jax.Array
    recovery: jax.Array


def seasonal(contact):
    """Contacts are more frequent in winter."""
    month = datetime.now().month  # expect: JIT207 @month
    return contact * (1.0 + 0.2 * jnp.cos(2 * jnp.pi * month / 12))


def flows(state, rates):
    """People who change stage within a day."""
    moves = {}
    pressure = seasonal(rates.contact) * state.infectious / state.population
    moves["infection"] = pressure * state.susceptible
    moves["onset"] = rates.incubation * state.exposed
    moves["recovery"] = rates.recovery * state.infectious
    return moves


def one_day(state, rates):
    """The state on the next day."""
    moves = flows(state, rates)
    return state.replace(
        susceptible=state.susceptible - moves["infection"],
        exposed=state.exposed + moves["infection"] - moves["onset"],
        infectious=state.infectious + moves["onset"] - moves["recovery"],
        recovered=state.recovered + moves["recovery"],
    )


def outbreak(infected=5.0, population=1000.0):
    """A few infectious people among many susceptible ones."""
    zero = jnp.zeros(())
    return Compartments(population - infected, zero, zero + infected, zero, population)


def simulate(state, rates, days):
    """Daily infectious people; how many days were run is returned too."""
    days_run = 0

    def body(state, _):
        nonlocal days_run
        days_run += 1  # expect: JIT203 @days
        state = one_day(state, rates)
        return state, state.infectious

    _, curve = jax.lax.scan(body, state, None, length=days)
    return curve, days_run


@jax.jit
def peak(state, rates):
    """Height of the wave within thirty days, from a trace that counts its own body."""
    bodies = 0

    def body(state, _):
        nonlocal bodies
        bodies += 1
        state = one_day(state, rates)
        return state, state.infectious

    _, curve = jax.lax.scan(body, state, None, length=30)
    total = state.susceptible + state.exposed + state.infectious + state.recovered
    warnings.warn(f"population drifted to {total}")  # expect: JIT206 @drift
    return jnp.max(curve), bodies


@jax.jit
def scenario(rates, spread):
    """Rates disturbed at random."""
    seed = uuid.uuid4().int % 2**31  # expect: JIT207 @seed
    keys = jax.random.split(jax.random.key(seed), 3)
    leaves, structure = jax.tree.flatten(rates)
    disturbed = [
        leaf * jnp.exp(spread * jax.random.normal(key)) for leaf, key in zip(leaves, keys)
    ]
    return jax.tree.unflatten(structure, disturbed)


def calibrate(rates, observed, steps=3):
    """Gradient descent on the squared error of the curve."""
    residuals = []
    shown = []

    def loss(rates):
        state, error = outbreak(), 0.0
        for cases in observed:
            state = one_day(state, rates)
            error = error + (state.infectious - cases) ** 2
        residuals.append(error)  # expect: JIT202 @residuals
        shown.append(len(observed))
        print("evaluated on", len(observed), "days")
        return error

    for _ in range(steps):
        grads = jax.grad(loss)(rates)
        rates = jax.tree.map(lambda rate, grad: rate - 1e-6 * grad, rates, grads)
    return rates, residuals


def headline(curve):
    """One sentence for the report."""
    return f"{date.today()}: {float(curve[-1]):.0f} infectious at the end"
