import jax.numpy as jnp
import microbatch_optax as p

from tools.observation import is_tracer


def fits():
    batches = [(jnp.full((4, 3), float(i)), jnp.full(4, float(i))) for i in range(4)]
    params, state, losses = p.fit(batches)
    assert not is_tracer((params, state))
    assert abs(p.learning_rate(state) - 0.0025) < 1e-6
    assert len(losses) == 2 and losses[1] < 1.0


INNOCENT = [fits]
HOSTILE = {}
