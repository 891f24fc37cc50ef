"""JIT106: NumPy or SciPy is given a traced value."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Event, NumpyCall
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, operand_text, traced_here
from jitlint.rules.meta import Example, RuleMeta

# In jnp these would need the value as a static shape, so the twin alone is no cure.
_SHAPE_TAKERS = frozenset(["arange", "empty", "eye", "full", "identity", "ones", "tri", "zeros"])
# fmt: off
_NEED_SIZE = frozenset({
    "argwhere", "flatnonzero", "intersect1d", "nonzero", "setdiff1d", "setxor1d", "union1d",
    "unique",
})
# fmt: on
_HOST_ONLY = frozenset(["load", "save", "savetxt", "savez", "savez_compressed", "seterr", "tofile"])
# fmt: off
_DTYPES = frozenset({
    "bool_", "complex64", "complex128", "float16", "float32", "float64", "int8", "int16",
    "int32", "int64", "uint8", "uint16", "uint32", "uint64",
})
# fmt: on
# Methods of NumPy's random generators, under whatever name the generator goes.
_DRAWS = frozenset(
    """beta binomial chisquare choice dirichlet exponential gamma geometric gumbel integers laplace
    logistic lognormal multinomial multivariate_normal normal pareto permutation permuted poisson
    rayleigh shuffle standard_normal triangular uniform wald""".split()
)
_RENAMED = {"random.rand": "uniform", "random.randn": "normal", "random.random": "uniform"}


class NumpyCallOnTracedValue(Rule):
    """Reports the NumPy and SciPy calls that fail on a tracer."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT106",
        name="numpy-call-on-traced-value",
        summary="a NumPy or SciPy call that needs the values of a traced array",
        severity=Severity.ERROR,
        why=(
            "NumPy computes at once and wants numbers. It asks a traced array for them through "
            "__array__, and JAX raises TracerArrayConversionError; functions that want an integer "
            "or a shape raise TypeError, and storing into a NumPy array ValueError. The few calls "
            "that hand over to a method of the array (np.sum, np.mean, np.reshape) do work. "
            "np.array_equal hides the error and returns False, which is silently wrong."
        ),
        help=(
            "Use jax.numpy (jnp) or jax.scipy inside traced functions. NumPy on shapes and on "
            "other static values is fine. If there is no JAX twin, use jax.pure_callback."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "import numpy as np\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def wave(t, frequency):\n"
                "    return np.sin(2 * np.pi * frequency * t)\n"
            ),
            call="wave(jnp.linspace(0.0, 1.0, 8), 3.0)",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "import numpy as np\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def wave(t, frequency):\n"
                "    return jnp.sin(2 * np.pi * frequency * t)\n"
            ),
            call="wave(jnp.linspace(0.0, 1.0, 8), 3.0)",
        ),
        hazard=Hazard(
            "raises",
            (
                "jax.errors.TracerArrayConversionError",
                "jax.errors.TracerIntegerConversionError",
                "jax.errors.ConcretizationTypeError",
                "TypeError",
                "ValueError",
            ),
        ),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/errors.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (NumpyCall,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the call and its twin in JAX."""
        assert isinstance(event, NumpyCall)
        if event.silent:
            fault = f"`{event.callee}` silently returns False, as {operand_text(event)} is traced."
            return fault, f"Use `{_twin(event.callee) or 'jnp.array_equal'}`."
        # A description ("NumPy array index") and not the name of a function.
        if " " in event.callee:
            fault = f"{traced_here(event)}: a {event.callee} needs a concrete value."
            return fault, "Turn the NumPy array into a JAX array with `jnp.asarray` first."
        return f"{traced_here(event)}: `{event.callee}` needs its values.", _remedy(event.callee)

    def hazard(self, event: Event) -> Hazard | None:
        """Silently wrong where NumPy hides the error; else what can be raised."""
        if isinstance(event, NumpyCall) and event.silent:
            return Hazard("silently-wrong")
        return super().hazard(event)


def _path(callee: str) -> str:
    """The function below its package: ``linalg.norm`` of ``np.linalg.norm``."""
    return callee.partition(".")[2] or callee


def _remedy(callee: str) -> str:
    path = _path(callee)
    name = path.rpartition(".")[2]
    if path in _SHAPE_TAKERS:
        return "Make its source a static argument, or take the size from a shape."
    if path in _NEED_SIZE:
        return f"Use `jnp.{path}` with `size=`."
    if path in _DTYPES:
        return f"Use `.astype(jnp.{path})`."
    if name in _HOST_ONLY:
        return "Do this outside the traced function, or with `jax.experimental.io_callback`."
    if path.startswith("testing."):
        return "Check it outside the traced function, or with `jax.debug.callback`."
    if path.startswith("random."):
        drawn = _RENAMED.get(path, name)
        if _exists(f"jax.random.{drawn}"):
            return f"Use `jax.random.{drawn}` with a key."
        return "Use `jax.random` with a key."
    twin = _twin(callee)
    if twin is not None:
        return f"Use `{twin}`."
    if name in _DRAWS:
        return "Use `jax.random` with a key."
    return "Use `jax.numpy`, or call it on the host with `jax.pure_callback`."


def _twin(callee: str) -> str | None:
    """The function of the same name in JAX, if there is one."""
    path = _path(callee)
    if _exists(f"jax.numpy.{path}"):
        return f"jnp.{path}"
    for candidate in (f"jax.scipy.{path}", f"jax.scipy.special.{path}"):
        if _exists(candidate):
            return candidate
    return None


def _exists(qualified: str) -> bool:
    # Only a report needs the table, so listing the rules does not load it.
    from jitlint.jaxmodel.functions import lookup

    return lookup(qualified) is not None
