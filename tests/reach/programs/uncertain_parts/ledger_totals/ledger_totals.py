"""Values that may be traced or not, behind questions that are answered while tracing."""

import jax
import jax.numpy as jnp
import numpy as np


def as_array(value):
    """Lists, numbers and arrays."""
    if isinstance(value, (list, tuple)):
        return jnp.stack([as_array(item) for item in value])
    if hasattr(value, "shape") and value.shape == ():
        return jnp.asarray(value)
    return jnp.asarray(value)


@jax.jit
def balance(accounts):
    """A tree of any shape."""
    total = jnp.zeros(())
    for name, entries in accounts.items():
        values = as_array(entries)
        if values.ndim == 0:
            values = values[None]
        if values.size > 2 and name != "cash":
            values = values[:2]
        total = total + values.sum()
    return total


@jax.jit
def first_of(entries, fallback=None):
    """Length and identity are structure."""
    chosen = entries[0] if len(entries) else fallback
    if chosen is None:
        return jnp.zeros(())
    return chosen * 2


@jax.jit
def normalised(entries):
    out = list(entries)
    out.append(sum(entries))
    while len(out) < 4:
        out.append(jnp.zeros(()))
    return [entry / out[-1].size for entry in out]


def audit(accounts):
    """On the host, with the same names."""
    total = balance(accounts)
    problems = []
    for name, entries in accounts.items():
        for entry in np.ravel(np.asarray(entries)):
            if entry < 0:
                problems.append(f"{name}: {entry:.2f}")
    if total < 0 or not np.isfinite(total):
        problems.append(f"balance {float(total):.2f}")
    return problems


def main():
    accounts = {"cash": [1.0, 2.0, -3.0], "bank": jnp.array([4.0, 5.0, 6.0]), "safe": 7.0}
    print(balance(accounts), audit(accounts), first_of([jnp.ones(())]), first_of([]))
    print(normalised([jnp.ones(()), jnp.ones(())]))


if __name__ == "__main__":
    main()
