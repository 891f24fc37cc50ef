import jax.numpy as jnp
import spinning_top as st
from tools.observation import compilations, is_tracer

BODY = st.Body(jnp.array([1.0, 1.0, 2.0]))
st.wobble([st.Mount(BODY, 0.1)], jnp.ones(3))


def names():
    st.filtered_step(BODY, st.still())
    st.ledger.names.clear()
    st.filtered_step(BODY, st.still())
    return not st.ledger.names


def fastest():
    st.coast(BODY, st.still(), 2)
    leaked = is_tracer(st.fastest)
    st.fastest = 0.0
    return leaked


def energy():
    st.filtered_step(BODY, st.still())
    return is_tracer(st.ledger.last)


def together():
    st.wobble_together([BODY], jnp.ones(3))
    assert compilations(lambda: st.wobble_together([BODY] * 3, jnp.ones(3))) == 0


HOSTILE = {
    "position": lambda: st.compile_rotation("active"),
    "axes": lambda: st.named_rates(st.still()),
}
EXPECT = {"position": ("ValueError",), "axes": ("TypeError",)}
SILENT = {
    "names": names,
    "energy": energy,
    "fastest": fastest,
    "accelerate": lambda: (
        compilations(lambda: st.wobble([st.Mount(BODY, 0.1)] * 3, jnp.ones(3))) >= 3
    ),
}
INNOCENT = [together, lambda: st.clean_step(BODY, st.still())]
