"""A beam of finite elements: assembly, loads, and the best thickness."""

import sys
import warnings
from collections import deque
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

ELEMENTS = 6


def element_stiffness(thickness, length):
    shape = np.array(
        [[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]], dtype=np.float32
    )
    scale = np.outer(*(np.array([1, length, 1, length]),) * 2)
    return thickness**3 / length**3 * shape * scale


def scatter(matrix, element, local):
    where = slice(2 * element, 2 * element + 4)
    return matrix.at[where, where].add(local)


def add_element(parts, thickness):
    """Put an element's stiffness at the end of the parts."""
    if thickness.ndim != 0:
        warnings.warn(f"thickness of shape {thickness.shape}", stacklevel=2)
    parts.append(element_stiffness(thickness, 1.0 / ELEMENTS))


def assemble(thicknesses):
    parts = deque()
    for thickness in thicknesses:
        add_element(parts, thickness)
    size = 2 * len(parts) + 2
    matrix = jnp.zeros((size, size))
    element = 0
    while parts:
        matrix = scatter(matrix, element, parts.popleft())
        element += 1
    return matrix


def deflection(thicknesses, loads):
    free = slice(2, None)
    matrix = assemble(thicknesses)
    return jnp.linalg.solve(matrix[free, free], loads[free])


def compliance(thicknesses, loads):
    fields = {"u": deflection(thicknesses, loads)}
    fields["weight"] = thicknesses.sum()
    return loads[2:] @ fields.pop("u") + 0.1 * fields.pop("weight")


@partial(jax.jit, donate_argnums=0)
def improve(thicknesses, loads):
    slope = jax.grad(compliance)(thicknesses, loads)
    return jnp.clip(thicknesses - 0.01 * slope / jnp.abs(slope).max(), 0.5, 2.0)


def tip_load():
    loads = np.zeros(2 * ELEMENTS + 2, dtype=np.float32)
    loads[-2] = -1.0
    return jnp.asarray(loads)


def design(rounds=4, show=False):
    loads = tip_load()
    thicknesses = jnp.ones(ELEMENTS)
    kept = deque(maxlen=2)
    for number in range(rounds):
        thicknesses = improve(thicknesses, loads)
        kept.append(np.asarray(thicknesses).copy())
        if show:
            sys.stdout.write(f"{number} {kept[-1].round(3)}\n")
    return thicknesses, kept


if __name__ == "__main__":
    print(jax.make_jaxpr(compliance)(jnp.ones(ELEMENTS), tip_load()).out_avals)
    design(show=True)
