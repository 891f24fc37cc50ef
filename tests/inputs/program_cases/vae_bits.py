import jax
import jax.numpy as jnp
import vae_bits as m

P = {
    "enc_w": jnp.ones((6, 5)),
    "enc_b": jnp.zeros(5),
    "lat_w": jnp.ones((5, 4)),
    "dec_w": jnp.ones((2, 5)),
    "dec_b": jnp.zeros(5),
    "out_w": jnp.ones((5, 6)),
}

HOSTILE = {
    "beta": lambda: m.train(P, jax.random.key(0), jnp.ones((3, 6))),
}
EXPECT = {
    "beta": ("TracerBoolConversionError",),
}
