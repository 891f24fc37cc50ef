"""Functions of SciPy that call a function and look at the numbers it gives.

Under a trace those numbers must not be traced: SciPy makes NumPy arrays or Python floats of them.
Observed under SciPy 1.17 and JAX 0.10.2; ``tests/jaxmodel/test_host_solvers.py`` runs each.
"""

from __future__ import annotations

from typing import Final

#: what a function is called with: ``x`` is an array, ``t`` a number, ``*`` any number of these
_HOW: Final = {
    "integrate": {
        "quad": "t",
        "quad_vec": "t",
        "dblquad": "t t",
        "solve_ivp": "t x",
        "odeint": "x t",
    },
    "optimize": {
        "minimize": "x",
        "minimize_scalar": "t",
        "root": "x",
        "root_scalar": "t",
        "fsolve": "x",
        "fmin": "x",
        "fmin_bfgs": "x",
        "brentq": "t",
        "bisect": "t",
        "newton": "t",
        "least_squares": "x",
        "curve_fit": "x *",
    },
}
#: by qualified name
CALLED_WITH: Final = {
    f"scipy.{module}.{name}": tuple(how.split())
    for module, functions in _HOW.items()
    for name, how in functions.items()
}
#: raised when the function gives a tracer
ERRORS: Final = (
    "jax.errors.TracerArrayConversionError",
    "jax.errors.ConcretizationTypeError",
    "jax.errors.TracerBoolConversionError",
    "TypeError",
    "ValueError",
)
