"""Whether layers of Equinox have the leaves that the table says, and JAX refuses them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from jitlint.jaxmodel.leaves import FILTERED, HOLDERS, OPAQUE_LEAVES

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


@pytest.mark.jax
def test_there_are_filtered_transforms() -> None:
    program = f"import equinox; [getattr(equinox, name) for name in {_names()!r}]"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)


def _names() -> list[str]:
    return [name.removeprefix("equinox.") for name in FILTERED.values()]
