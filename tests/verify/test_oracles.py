"""Each kind of hazard, confirmed where it is and refuted where it is not, under real JAX.

The reports are made up, since ``check`` does not make the false ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jitlint.diagnostics import Diagnostic
from jitlint.verify.plan import Plan
from jitlint.verify.session import verify
from tests.verify.made_up import made_up_report

pytestmark = pytest.mark.jax

HEADER = """\
import os
import random
import time

import jax
import jax.numpy as jnp
import numpy as np

seen = []


def scaled(x):
    return x * 2


"""

# code, kind, expected verdict, body: HERE marks the reported place, in what `run()` reaches.
CASES: dict[str, tuple[str, str, str, str]] = {
    "raises": (
        "JIT101",
        "raises",
        "confirmed",
        "@jax.jit\ndef f(x):\n    return 1 if «x > 0» else 2\ndef run():\n    f(1.0)\n",
    ),
    "raises_not": (
        "JIT101",
        "raises",
        "refuted",
        "@jax.jit\ndef f(x):\n    return 1 if «x.ndim > 0» else 2\ndef run():\n    f(1.0)\n",
    ),
    "runs_once": (
        "JIT201",
        "runs-once",
        "confirmed",
        "@jax.jit\ndef f(x):\n    «print(x)»\n    return x\ndef run():\n    f(1.0)\n",
    ),
    "runs_every_time": (
        "JIT201",
        "runs-once",
        "refuted",
        "def f(x):\n    «print(x)»\n    return x * x\ndef run():\n    jax.grad(f)(1.0)\n",
    ),
    "seed": (
        "JIT207",
        "stale",
        "confirmed",
        "@jax.jit\ndef f(x):\n    return x + «random.random()»\ndef run():\n    f(1.0)\n",
    ),
    "numpy_seed": (
        "JIT207",
        "stale",
        "confirmed",
        "@jax.jit\ndef f(x):\n    return x + «np.random.normal()»\ndef run():\n    f(1.0)\n",
    ),
    "clock": (
        "JIT207",
        "stale",
        "confirmed",
        "@jax.jit\ndef f(x):\n    return x + «time.time()»\ndef run():\n    f(1.0)\n",
    ),
    "environment": (
        "JIT207",
        "stale",
        "confirmed",
        "@jax.jit\ndef f(x):\n    return x + len(«os.environ.get('HOME', '')»)\n"
        "def run():\n    f(1.0)\n",
    ),
    "drawn_anew": (
        "JIT207",
        "stale",
        "refuted",
        "def f(x):\n    return x * «random.random()»\ndef run():\n    jax.grad(f)(1.0)\n",
    ),
    "leaks": (
        "JIT202",
        "leaks",
        "confirmed",
        "@jax.jit\ndef f(x):\n    «seen.append(x)»\n    return x\ndef run():\n    f(1.0)\n",
    ),
    "leaks_not": (
        "JIT202",
        "leaks",
        "refuted",
        "@jax.jit\ndef f(x):\n    «seen.append(x)»\n    return x + seen.pop()\n"
        "def run():\n    f(1.0)\n",
    ),
    "recompiles": (
        "JIT301",
        "recompiles",
        "confirmed",
        "def run():\n    x = jnp.ones(3)\n    for k in range(3):\n"
        "        x = «jax.jit(lambda v: v * k)»(x)\n",
    ),
    "recompiles_not": (
        "JIT301",
        "recompiles",
        "refuted",
        "def run():\n    x = jnp.ones(3)\n    for k in range(3):\n"
        "        x = «jax.jit(scaled)»(x)\n",
    ),
    "type_test": (
        "JIT112",
        "silently-wrong",
        "confirmed",
        "@jax.jit\ndef f(n):\n    return n // 2 if «isinstance(n, int)» else n / 2\n"
        "def run():\n    f(3)\n",
    ),
    "type_test_not": (
        "JIT112",
        "silently-wrong",
        "refuted",
        "@jax.jit\ndef f(n):\n    return n // 2 if «isinstance(n, jax.Array)» else n / 2\n"
        "def run():\n    f(jnp.ones(3))\n",
    ),
    "array_equal": (
        "JIT106",
        "silently-wrong",
        "confirmed",
        "@jax.jit\ndef f(x):\n    return «np.array_equal(x, x + 1)»\n"
        "def run():\n    f(jnp.ones(3))\n",
    ),
    "dropped": (
        "JIT212",
        "silently-wrong",
        "confirmed",
        "def f(x):\n    «x.at[0].set(5.0)»\n    return x\ndef run():\n    f(jnp.ones(3))\n",
    ),
    "swallowed": (
        "JIT113",
        "silently-wrong",
        "confirmed",
        "@jax.jit\ndef f(x):\n    «try:»\n        return float(x)\n    except Exception:\n"
        "        return 0.0\ndef run():\n    f(1.0)\n",
    ),
    "unrolls": (
        "JIT404",
        "unrolls",
        "confirmed",
        "@jax.jit\ndef f(x):\n    «for k in range(40):»\n        x = x * k\n    return x\n"
        "def run():\n    f(1.0)\n",
    ),
    "unrolls_not": (
        "JIT404",
        "unrolls",
        "refuted",
        "@jax.jit\ndef f(x):\n    «for k in range(2):»\n        x = x * k\n    return x\n"
        "def run():\n    f(1.0)\n",
    ),
    "caught_in_the_trace": (
        "JIT101",
        "raises",
        "refuted",
        "CAUGHT = (KeyError, jax.errors.TracerBoolConversionError)\n"
        "@jax.jit\ndef f(x):\n    try:\n        if «x > 0»:\n            return x\n"
        "        return -x\n    except CAUGHT:\n        return jnp.abs(x)\n"
        "def run():\n    f(1.0)\n",
    ),
    "not_caught_in_the_trace": (
        "JIT101",
        "raises",
        "confirmed",
        "@jax.jit\ndef f(x):\n    try:\n        if «x > 0»:\n            return x\n"
        "        return -x\n    except KeyError:\n        return jnp.abs(x)\n"
        "def run():\n    f(1.0)\n",
    ),
    "caught_after_the_trace": (
        "JIT101",
        "raises",
        "confirmed",
        "@jax.jit\ndef f(x):\n    with jax.named_scope('f'):\n        if «x > 0»:\n"
        "            return x\n        return -x\n"
        "def run():\n    try:\n        f(1.0)\n    except Exception:\n        print('no')\n",
    ),
    "put_back": (
        "JIT204",
        "leaks",
        "refuted",
        "class Model:\n    weight = None\nmodel = Model()\n"
        "@jax.jit\ndef f(x):\n    «model.weight» = x\n    try:\n        return model.weight * 2\n"
        "    finally:\n        model.weight = None\n"
        "def run():\n    f(1.0)\n",
    ),
    "taken_out_again": (
        "JIT202",
        "runs-once",
        "refuted",
        "@jax.jit\ndef f(x):\n    «seen.append(1)»\n    y = x * len(seen)\n    seen.pop()\n"
        "    return y\ndef run():\n    f(1.0)\n",
    ),
    "counted": (
        "JIT202",
        "runs-once",
        "confirmed",
        "@jax.jit\ndef f(x):\n    «seen.append(1)»\n    return x * len(seen)\n"
        "def run():\n    f(1.0)\n",
    ),
    "stored_again": (
        "JIT203",
        "runs-once",
        "confirmed",
        "size = None\ndef f(x):\n    global size\n    «size» = x.shape\n    return x\n"
        "def run():\n    f(jnp.ones(3))\n    jax.jit(f)(jnp.ones(3))\n",
    ),
    "printed_by_the_program": (
        "JIT201",
        "runs-once",
        "refuted",
        "say = jax.debug.print\n@jax.jit\ndef f(x):\n    «say('{}', x)»\n    return x\n"
        "def run():\n    f(1.0)\n",
    ),
    "written_to_a_file": (
        "JIT206",
        "runs-once",
        "confirmed",
        "@jax.jit\ndef f(x):\n    with open(os.devnull, 'w') as file:\n        «file.write('x')»\n"
        "    return x\ndef run():\n    f(1.0)\n",
    ),
    "drawn_by_the_program": (
        "JIT207",
        "stale",
        "refuted",
        "@jax.jit\ndef f(key):\n    normal = jax.random.normal\n    draw = lambda: normal(key)\n"
        "    return «draw()»\ndef run():\n    f(jax.random.key(0))\n",
    ),
    "another_program_in_each_turn": (
        "JIT301",
        "recompiles",
        "refuted",
        "def loop():\n    for size in (1, 2, 3):\n        f = «jax.jit(lambda x: x.sum())»\n"
        "        f(jnp.ones(size))\n"
        "def run():\n    seen or loop()\n    seen.append(1)\n",
    ),
    "another_number_in_each_turn": (
        "JIT301",
        "recompiles",
        "confirmed",
        "def run():\n    for rate in (0.1, 0.2, 0.3):\n"
        "        f = «jax.jit(lambda x: x * rate)»\n        f(jnp.ones(2))\n",
    ),
    "made_in_the_first_turn": (
        "JIT301",
        "recompiles",
        "refuted",
        "made = []\ndef run():\n    for _ in range(3):\n        if not made:\n"
        "            made.append(«jax.jit(lambda x: x * 2)»)\n        made[0](1.0)\n",
    ),
    "called_in_another_program": (
        "JIT307",
        "recompiles",
        "refuted",
        "@jax.jit\ndef mean(x):\n    return x.mean()\n"
        "@jax.jit\ndef means(x):\n    return [«mean(x[:k])» for k in range(1, 4)]\n"
        "def run():\n    means(jnp.ones(4))\n",
    ),
    "hashable_after_all": (
        "JIT304",
        "raises",
        "refuted",
        "f = jax.jit(lambda x, n: x, static_argnums=1)\ndef run():\n    f(1.0, «(1, 2)»)\n",
    ),
}
EXCEPTIONS = {"raises": ("jax.errors.TracerBoolConversionError", "ValueError")}


def _report(folder: Path, name: str) -> Diagnostic:
    code, kind, _, body = CASES[name]
    return made_up_report(folder, name, code, kind, HEADER + body, EXCEPTIONS.get(kind, ()))


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Mapping[str, Any]]:
    folder = tmp_path_factory.mktemp("oracles")
    reports = [_report(folder, name) for name in CASES]
    plan = Plan(
        root=folder,
        files=[Path(item.filename) for item in reports],
        reports=reports,
        everything=reports,
        platforms=["cpu"],
    )
    return {item["fingerprint"]: item["verdicts"][0] for item in verify(plan).reports}


@pytest.mark.parametrize("name", CASES)
def test_verdict(verdicts: Mapping[str, Mapping[str, Any]], name: str) -> None:
    verdict = verdicts[name]
    assert verdict["verdict"] == CASES[name][2], verdict
    assert verdict["evidence"]["summary"]
    assert verdict["inputs"] == f"the main block of {name}.py"


def test_every_kind_has_both() -> None:
    kinds = {kind for _, kind, _, _ in CASES.values()}
    assert kinds == {
        "raises",
        "leaks",
        "runs-once",
        "stale",
        "recompiles",
        "silently-wrong",
        "unrolls",
    }
    for kind in kinds:
        assert {v for _, k, v, _ in CASES.values() if k == kind} == {"confirmed", "refuted"}
