"""Looks like a fault of JIT103.

What is compiled is a copy of the model, made by dataclasses.replace with the checks turned off.
"""

import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Epidemic:
    dt: float = 0.1
    validate: bool = True

    def advance(self, state, rates):
        susceptible, infected, recovered = state
        if self.validate:
            assert (rates >= 0).all(), "rates must not be negative"
            assert jnp.isclose(sum(state), 1.0), "the fractions must add up to one"
        infection, recovery = rates
        new = infection * susceptible * infected
        healed = recovery * infected
        change = jnp.stack([-new, new - healed, healed])
        return state + self.dt * change

    def compiled(self):
        trusted = dataclasses.replace(self, validate=False)
        return jax.jit(trusted.advance)


def forecast(model, state, rates, days):
    model.advance(state, rates)
    advance = model.compiled()
    for _ in range(days):
        state = advance(state, rates)
    return state


if __name__ == "__main__":
    start = jnp.array([0.9, 0.1, 0.0])
    end = forecast(Epidemic(), start, jnp.array([0.5, 0.1]), 50)
    assert jnp.isclose(end.sum(), 1.0, atol=1e-4) and end[2] > 0.1
    try:
        forecast(Epidemic(), start, jnp.array([-0.5, 0.1]), 1)
    except AssertionError:
        pass
    else:
        raise SystemExit("nothing was checked")
