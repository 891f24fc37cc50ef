"""Whether layers of Equinox have the leaves that the table says, and JAX refuses them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pytest

from jitlint.jaxmodel.leaves import (
    CHECKS_RESULTS,
    FILTERED,
    HOLDERS,
    LEAVES_NO_ARRAYS,
    OPAQUE_LEAVES,
    STRUCTURE_OF,
)

_PROGRAM = """
import json, sys
import equinox as eqx
import jax

made = {
    "MLP": (2, 2, 4, 1), "WeightNorm": (), "BatchNorm": (4, "batch"),
    "Pool": (0.0, jax.lax.add, 2, 2), "AdaptivePool": (2, 2, jax.numpy.mean),
    "Lambda": (jax.nn.relu,), "Sequential": ([eqx.nn.Lambda(jax.nn.relu)],),
}
key = {"key": jax.random.key(0)}
found = {}
for name in json.loads(sys.argv[1]):
    short = name.rpartition(".")[2]
    args, keywords = made.get(short, (2,)), {}
    if short == "MLP":
        keywords = key
    elif short == "BatchNorm":
        keywords = {"mode": "batch"}
    elif short == "WeightNorm":
        args = (eqx.nn.Linear(2, 2, **key),)
    layer = getattr(eqx.nn, short)(*args, **keywords)
    kinds = {"str" if isinstance(leaf, str) else "function"
             for leaf in jax.tree.leaves(layer) if callable(leaf) or isinstance(leaf, str)}
    try:
        jax.jit(lambda _: None)(layer)
    except TypeError:
        found[name] = sorted(kinds)
print(json.dumps(found))
"""


@pytest.mark.jax
def test_what_is_no_array_is_refused() -> None:
    names = [*OPAQUE_LEAVES, *HOLDERS]
    command = [sys.executable, "-c", _PROGRAM, json.dumps(names)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    expected = {name: [kind] for name, kind in OPAQUE_LEAVES.items()}
    expected |= {name: ["function"] for name in HOLDERS}
    assert json.loads(run.stdout) == expected


_RESULTS = """
import json
import jax
import jax_dataclasses
from jax.experimental import pjit

x = jax.numpy.ones(1)
refused = []


def beside(result):
    return lambda value: (value, result)


def calls(result):
    one = lambda *_: result
    yield "jax.jit", lambda: jax.jit(beside(result))(x)
    yield "jax.experimental.pjit.pjit", lambda: pjit.pjit(beside(result))(x)
    yield "jax_dataclasses.jit", lambda: jax_dataclasses.jit(beside(result))(x)
    yield "jax.pmap", lambda: jax.pmap(beside(result))(x)
    yield "jax.vmap", lambda: jax.vmap(beside(result))(x)
    yield "jax.checkpoint", lambda: jax.checkpoint(beside(result))(x)
    yield "jax.remat", lambda: jax.remat(beside(result))(x)
    yield "jax.eval_shape", lambda: jax.eval_shape(beside(result), x)
    yield "jax.make_jaxpr", lambda: jax.make_jaxpr(beside(result))(x)
    yield "jax.lax.scan", lambda: jax.lax.scan(lambda carry, _: (carry, result), 0.0, x)
    yield "jax.lax.fori_loop", lambda: jax.lax.fori_loop(0, 2, one, 0.0)
    yield "jax.lax.map", lambda: jax.lax.map(beside(result), x)
    yield "jax.lax.cond", lambda: jax.lax.cond(True, one, one)
    yield "jax.lax.switch", lambda: jax.lax.switch(0, [one, one])
    yield "has_aux", lambda: jax.value_and_grad(lambda w: (w, result), has_aux=True)(1.0)


for result in ("name", len, object()):
    for name, call in calls(result):
        try:
            call()
        except TypeError:
            refused.append(name)
print(json.dumps(refused))
"""


@pytest.mark.jax
def test_what_a_trace_must_not_give_back() -> None:
    command = [sys.executable, "-c", _RESULTS]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert Counter(json.loads(run.stdout)) == dict.fromkeys(CHECKS_RESULTS, 3)


@pytest.mark.jax
def test_there_are_filtered_transforms() -> None:
    program = f"import equinox; [getattr(equinox, name) for name in {_names()!r}]"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)


_STRUCTURES = """
import importlib, json, sys
import equinox, jax, jax.numpy as jnp
from flax import nnx

model = nnx.Linear(2, 3, rngs=nnx.Rngs(0))
other = nnx.merge(nnx.graphdef(model), jax.tree.map(lambda leaf: leaf + 1, nnx.state(model)))
module = equinox.nn.Linear(2, 3, key=jax.random.key(0))
trees = {"flax": (model, other), "equinox": (module, jax.tree.map(lambda leaf: leaf + 1, module))}
found = {}
for name, part, filters in json.loads(sys.argv[1]):
    package, _, attribute = name.rpartition(".")
    function = getattr(importlib.import_module(package), attribute)
    filters = [getattr(equinox, name.removeprefix("equinox.")) for name in filters] or [None]
    one, two = trees.get(name.partition(".")[0], ({"a": jnp.ones(2)}, {"a": jnp.zeros(2)}))
    for filter_ in filters:
        options = () if filter_ is None else (filter_,)
        left, right = function(one, *options), function(two, *options)
        if part is not None:
            left, right = left[part], right[part]
        if attribute == "ravel_pytree":
            flat = jnp.arange(2.0)
            left, right = (str(unravel(flat)) for unravel in (left, right))
        found[name] = found.get(name, True) and bool(left == right)
print(json.dumps(found))
"""


@pytest.mark.jax
def test_numbers_leave_the_structure_as_it_is() -> None:
    rows = [
        (name, part, sorted(LEAVES_NO_ARRAYS) if name == "equinox.partition" else [])
        for name, part in STRUCTURE_OF.items()
    ]
    command = [sys.executable, "-c", _STRUCTURES, json.dumps(rows)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert json.loads(run.stdout) == dict.fromkeys(STRUCTURE_OF, True)


def _names() -> list[str]:
    return [name.removeprefix("equinox.") for name in FILTERED.values()]
