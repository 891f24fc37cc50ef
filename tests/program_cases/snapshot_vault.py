import os
import pathlib
import tempfile

import jax
import jax.numpy as jnp

import fit
import vault

from tools.observation import is_tracer

PARAMS = {"slope": jnp.zeros(()), "offset": jnp.zeros(())}
BATCH = (jnp.arange(5.0), jnp.arange(5.0))


def with_folder(call):
    with tempfile.TemporaryDirectory() as folder:
        return call(folder)


def lines(folder):
    fit.run(folder)
    return len((pathlib.Path(folder) / "steps.jsonl").read_text().splitlines())


def scale_ignored(folder):
    step = fit.make_step(vault.Store(folder), fit.squared)
    key = jax.random.key(0)
    try:
        before = step(PARAMS, BATCH, key)["slope"]
        os.environ["FIT_NOISE"] = "100.0"
        after = step(PARAMS, BATCH, key)["slope"]
    finally:
        os.environ.pop("FIT_NOISE", None)
    return bool(before == after)


def salt_repeats(folder):
    store, key = vault.Store(folder), jax.random.key(0)
    step = fit.make_step(store, fit.squared)
    one, two = (step(PARAMS, BATCH, key)["slope"] for _ in range(2))
    others = {float(fit.make_step(store, fit.squared)(PARAMS, BATCH, key)["slope"]) for _ in range(3)}
    return bool(one == two) and len(others) > 1


def normal():
    out = fit.normalised({"slope": jnp.ones(3), "offset": jnp.ones(1)})
    assert float(out["slope"][0]) == 0.75 and not is_tracer(out)


def saves(folder):
    store, _ = fit.run(folder)
    assert len(store.names) == 2 and len(set(store.names)) == 2


def eager_best():
    loss = vault.keep_best(fit.squared)
    for _ in range(3):
        loss(PARAMS, BATCH)
    assert loss.best()[1] == 3 and not is_tracer(loss.best())


SILENT = {
    "stamp": lambda: with_folder(lines) == 1,
    "environ": lambda: with_folder(scale_ignored),
    "uuid": lambda: with_folder(salt_repeats),
    "count": lambda: with_folder(fit.run_keeping)[0][1] == 1,
    "best": lambda: is_tracer(with_folder(fit.run_keeping)[0][0]),
}
INNOCENT = [normal, eager_best, lambda: with_folder(saves)]
