"""A state vector simulator with parametrised gates."""

import math
from functools import reduce

import jax
import jax.numpy as jnp

EYE = jnp.eye(2, dtype=complex)
X = jnp.array([[0, 1], [1, 0]], dtype=complex)
Z = jnp.array([[1, 0], [0, -1]], dtype=complex)
HADAMARD = jnp.array([[1, 1], [1, -1]], dtype=complex) / math.sqrt(2)
PAULIS = [EYE, X, Z]


def rotation_y(angle):
    c, s = jnp.cos(angle / 2), jnp.sin(angle / 2)
    return jnp.array([[c, -s], [s, c]], dtype=complex)


def lift(gate, wire, wires):
    """The gate on one wire as a matrix on all of them."""
    factors = [gate if w == wire else EYE for w in range(wires)]
    return reduce(jnp.kron, factors)


def controlled(gate, control, target, wires):
    if control == target:
        raise ValueError("control and target are the same wire")
    off = lift(jnp.diag(jnp.array([1, 0], dtype=complex)), control, wires)
    on = lift(jnp.diag(jnp.array([0, 1], dtype=complex)), control, wires)
    return off + on @ lift(gate, target, wires)


def zero_state(wires):
    return jnp.zeros(2**wires, dtype=complex).at[0].set(1.0)


def ansatz(parameters, wires):
    """Rotations and a chain of controlled flips in every layer."""
    state = zero_state(wires)
    for layer in parameters:
        for wire in range(wires):
            state = lift(rotation_y(layer[wire]), wire, wires) @ state
        for wire in range(wires - 1):
            state = controlled(X, wire, wire + 1, wires) @ state
    return state


def make_energy(hamiltonian, wires):
    def energy(parameters):
        state = ansatz(parameters, wires)
        return jnp.real(jnp.vdot(state, hamiltonian @ state))

    return energy


def noisy_layer(state, choices, wires):
    """Apply a drawn Pauli error to each wire in turn."""

    def hit(wire, state):
        choice = choices[wire]
        return lift(PAULIS[choice], 0, wires) @ state  # expect: JIT107 @pauli

    return jax.lax.fori_loop(0, wires, hit, state)


def noisy_layer_stacked(state, choices, wires):
    table = jnp.stack([lift(pauli, 0, wires) for pauli in PAULIS])
    return jax.lax.fori_loop(0, wires, lambda w, s: table[choices[w]] @ s, state)


@jax.jit
def teleport_fix(state, first, second):
    either = first or second  # expect: JIT104 @either
    return jnp.where(either, X @ state, state)


@jax.jit
def fix_phase(state, bit, enabled=True):
    if enabled:
        state = state * jnp.where(bit, 1.0, -1.0)
    return state


@jax.jit
def describe(amplitude):
    return amplitude, f"p = {abs(amplitude):.3f}"  # expect: JIT105 @label


@jax.jit
def normalised(state):
    length = jnp.linalg.norm(state)
    try:  # expect: JIT113 @norm
        if length == 0:
            return zero_state(2)
        return state / length
    except Exception:
        return state


def probabilities(state):
    """A readable table of the outcomes, for the terminal."""
    wires = int(math.log2(state.size))
    shares = jnp.abs(state) ** 2
    return {f"{i:0{wires}b}": round(p, 4) for i, p in enumerate(shares.tolist()) if p > 1e-3}


def main():
    wires = 2
    energy = make_energy(lift(Z, 0, wires), wires)
    slope = jax.jit(jax.grad(energy))
    parameters = 0.3 * jnp.ones((2, wires))
    for _ in range(5):
        parameters = parameters - 0.2 * slope(parameters)
    state = ansatz(parameters, wires)
    print(probabilities(state), probabilities(noisy_layer_stacked(state, jnp.array([1, 2]), wires)))
    print(fix_phase(state, 1), normalised(3 * state))
    print(noisy_layer(state, jnp.array([0, 1]), wires))
    print(teleport_fix(X[0], 1, 0), describe(state[0]))


if __name__ == "__main__":
    main()
