import flow_matching_eqx as p
import jax
import jax.numpy as jnp
import jax.random as jr

from tools.observation import compilations, is_tracer, printed

KEY = jr.key(0)
DATA = jnp.linspace(0.0, 1.0, 10).reshape(5, 2)


def profile_once():
    p.PROFILE["forward"] = 0
    for _ in range(3):
        p.sample_path(p.VectorField(5, KEY), jnp.zeros(2), jnp.linspace(0.0, 1.0, 2))
    return p.PROFILE["forward"] == 2


def path_lost():
    path = p.sample_path(p.VectorField(8, KEY), jnp.ones(2), jnp.linspace(0.0, 1.0, 4))
    return bool(jnp.all(path[1:] == 0.0))


def printed_once():
    text = printed(lambda: p.train(DATA[:3], KEY))
    return text.count("flow loss") == 1 and "Tracer" in text


def judge_fails():
    try:
        p.Judge(DATA).distance(DATA)
    except TypeError:
        return True
    return False


def speeds_compile():
    fields = [p.VectorField(4, key) for key in jr.split(KEY, 3)]
    p.speeds(fields, DATA)
    return compilations(lambda: p.speeds(fields, DATA)) >= 3


def trains():
    field, losses = p.train(DATA, KEY)
    assert len(losses) == 3 and not is_tracer(field)
    jax.vmap(field.divergence, (None, 0))(0.5, DATA)


HOSTILE = {}
EXPECT = {}
SILENT = {
    "profile": profile_once,
    "loss": printed_once,
    "path": path_lost,
    "judge": judge_fails,
    "speed": speeds_compile,
}
INNOCENT = [trains]
