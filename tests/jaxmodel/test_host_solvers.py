"""Whether SciPy's solvers refuse what the table says they refuse."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from jitlint.jaxmodel.host_solvers import CALLED_WITH, ERRORS

_PROGRAM = """
import importlib, json, sys
import jax, jax.numpy as jnp, numpy as np

rest = {
    "dblquad": (0.0, 1.0, 0.0, 1.0), "solve_ivp": ((0.0, 1.0), np.ones(1)),
    "odeint": (np.ones(1), np.linspace(0.0, 1.0, 3)), "minimize": (np.zeros(1),),
    "minimize_scalar": (), "root": (np.zeros(1),), "fsolve": (np.zeros(1),),
    "fmin": (np.zeros(1),), "fmin_bfgs": (np.zeros(1),), "newton": (0.5,),
    "least_squares": (np.zeros(1),), "curve_fit": (np.arange(3.0), np.arange(3.0)),

}
keywords = {"root_scalar": {"bracket": (0.0, 1.0)}}
found = {}
for name, how in json.loads(sys.argv[1]).items():
    module, _, short = name.rpartition(".")
    solver = getattr(importlib.import_module(module), short)

    arguments = () if short == "root_scalar" else rest.get(short, (0.0, 1.0))
    if short == "curve_fit":
        function = lambda x, a: jnp.sin(x) * a
    elif short in ("minimize", "fmin", "fmin_bfgs"):
        function = lambda x: jnp.sum(x)
    else:
        function = lambda *given: jnp.sin(given[how.index("x") if "x" in how else 0])
    try:
        jax.jit(lambda: solver(function, *arguments, **keywords.get(short, {})) and 0)()
    except Exception as error:
        kind = type(error)
        found[name] = kind.__module__.replace("jax._src.errors", "jax.errors") + "." + kind.__name__
print(json.dumps(found))
"""


@pytest.mark.jax
def test_results_that_are_traced_are_refused() -> None:
    command = [sys.executable, "-c", _PROGRAM, json.dumps(CALLED_WITH)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    errors = json.loads(run.stdout).items()
    found = {name: error.removeprefix("builtins.") for name, error in errors}
    assert found.keys() == CALLED_WITH.keys()
    assert set(found.values()) <= set(ERRORS)
