import jax.numpy as jnp
import render_modes as m

from tools.observation import printed

N, L = jnp.eye(3), jnp.array([0.0, 0.6, 0.8])
HOSTILE = {}
INNOCENT = [
    m.main,
    lambda: printed(lambda: m.main(debug=True)),
    lambda: printed(lambda: m.render(N, L, verbose=True)),
    lambda: m.make_camera(0.5, jnp.float32(0.4))(L),
]
