import jax
import jax.numpy as jnp
import label_budget as al
import numpy as np

from tools.observation import compilations, is_tracer, printed

HOSTILE = {}
rng = np.random.default_rng(0)
inputs = rng.normal(size=(30, 4)).astype(np.float32)
answers = (inputs[:, 0] > 0).astype(np.int32)
first, second = jax.random.split(jax.random.key(0))
params = {"in": jax.random.normal(first, (4, 5)), "out": jax.random.normal(second, (5, 2))}


def run(name):
    oracle = al.Oracle(answers)
    text = printed(lambda: al.run(name, params, inputs, oracle, 7))
    assert oracle.asked == 7 and text.count("asked") == 4 and not is_tracer(oracle.log)


def one_compilation():
    run("entropy")
    jnp.zeros(3)
    assert compilations(lambda: run("entropy")) <= 1


INNOCENT = [lambda: run("first"), lambda: run("margin"), one_compilation]
