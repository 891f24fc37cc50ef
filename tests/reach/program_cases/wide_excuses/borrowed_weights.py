import jax
import jax.numpy as jnp
import borrowed_weights as m

from tools.observation import is_tracer, printed


def clean():
    network = m.Network(2)
    jax.jit(network.perturbed)(0.1, jnp.ones(2))
    network.train(jnp.ones(2), 0.5)
    assert not is_tracer((network.weights, network.bias))


HOSTILE = {}
INNOCENT = [clean, lambda: printed(m.main)]
