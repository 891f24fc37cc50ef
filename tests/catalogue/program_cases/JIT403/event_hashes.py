import jax.numpy as jnp

import events

HOSTILE = {}
SILENT = {
    "uint": lambda: events.mix(jnp.arange(3, dtype=jnp.uint32)).dtype == "uint32",
    "constant": lambda: events.weights(2).dtype == "float32",
    "settings": lambda: events.times(2).dtype == "int32",
    "like": lambda: events.like(jnp.ones(2)).dtype == "float32",
}
