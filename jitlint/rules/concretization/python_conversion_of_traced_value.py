"""JIT105: a traced value is turned into a Python number, list or text."""

from __future__ import annotations

from typing import ClassVar

from jitlint.absint.events import Conversion, Event
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.base import Rule, setting_remedy, static_phrase, traced_here
from jitlint.rules.meta import Example, RuleMeta

_DEBUG_PRINT = 'Use `jax.debug.print("{x:.2f}", x=x)`, or format the result outside.'

_REMEDIES = {
    "float": "Keep it an array (`.astype(float)` sets the dtype), or convert the result outside.",
    "int": "Keep it an array (`.astype(int)` sets the dtype)",
    "bool": "Keep it an array (`.astype(bool)` sets the dtype), or use `jnp.where`.",
    "complex": "Keep it an array (`.astype(complex)` sets the dtype).",
    ".item()": "Keep it an array, and call `.item()` on the result outside the traced function.",
    ".tolist()": "Keep it an array, and call `.tolist()` on the result outside.",
    "format specification": _DEBUG_PRINT,
    "% formatting": _DEBUG_PRINT,
    "format": _DEBUG_PRINT,
    "str.format": _DEBUG_PRINT,
}

# Where jax.numpy has the function under another name, or JAX has it elsewhere.
_MATH_TWINS = {
    "fabs": "jnp.abs",
    "pow": "jnp.power",
    "fsum": "jnp.sum",
    "dist": "jnp.linalg.norm",
    "erf": "jax.scipy.special.erf",
    "erfc": "jax.scipy.special.erfc",
    "gamma": "jax.scipy.special.gamma",
    "lgamma": "jax.scipy.special.gammaln",
    "factorial": "jax.scipy.special.factorial",
}
# fmt: off
_SAME_IN_JNP = frozenset({
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign",
    "cos", "cosh", "degrees", "exp", "exp2", "expm1", "floor", "fmod", "frexp", "gcd",
    "hypot", "isclose", "isfinite", "isinf", "isnan", "lcm", "ldexp", "log", "log10", "log1p",
    "log2", "modf", "nextafter", "prod", "radians", "remainder", "sin", "sinh", "sqrt", "tan",
    "tanh", "trunc",
})
# fmt: on


class PythonConversionOfTracedValue(Rule):
    """Reports conversions, ``math`` and format specifications."""

    meta: ClassVar[RuleMeta] = RuleMeta(
        code="JIT105",
        name="python-conversion-of-traced-value",
        summary="float, int, bool, .item(), math.* or a format specification on a traced value",
        severity=Severity.ERROR,
        why=(
            "A Python number holds a value, and a traced array has none: float, int, complex, "
            ".item(), .tolist() and the functions of math raise ConcretizationTypeError, "
            "operator.index raises TracerIntegerConversionError, and an array with several "
            "elements raises TypeError. A format specification (`{loss:.3f}`) raises TypeError "
            "too, while a plain `{loss}` prints the tracer. jax.grad alone is no way out for "
            "float: differentiated values refuse it as well."
        ),
        help=(
            "Stay with arrays inside the traced function: `.astype` changes the dtype, jnp has the "
            "functions of math, jax.debug.print formats values when they exist. Convert the result "
            "outside."
        ),
        bad=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def mean_loss(pred, target):\n"
                "    loss = jnp.mean((pred - target) ** 2)\n"
                "    return {'loss': float(loss)}\n"
            ),
            call="mean_loss(jnp.ones(3), jnp.zeros(3))",
        ),
        good=Example(
            code=(
                "import jax\n"
                "import jax.numpy as jnp\n"
                "\n"
                "\n"
                "@jax.jit\n"
                "def mean_loss(pred, target):\n"
                "    loss = jnp.mean((pred - target) ** 2)\n"
                "    return {'loss': loss}\n"
                "\n"
                "\n"
                "def report(pred, target):\n"
                "    return float(mean_loss(pred, target)['loss'])\n"
            ),
            call="report(jnp.ones(3), jnp.zeros(3))",
        ),
        hazard=Hazard(
            "raises",
            (
                "jax.errors.ConcretizationTypeError",
                "jax.errors.TracerBoolConversionError",
                "jax.errors.TracerIntegerConversionError",
                "TypeError",
                "ValueError",
            ),
        ),
        since="0.1.0",
        references=("https://docs.jax.dev/en/latest/errors.html",),
    )
    events: ClassVar[tuple[type[Event], ...]] = (Conversion,)

    def describe(self, event: Event) -> tuple[str, str]:
        """Name the conversion, and what keeps the value an array."""
        assert isinstance(event, Conversion)
        callee = event.callee
        if callee in ("format specification", "% formatting"):
            word = "a format specification" if callee.startswith("format") else "`%` formatting"
            return f"{traced_here(event)}: {word} needs a Python value.", _DEBUG_PRINT
        remedy = setting_remedy(event)
        if remedy is None and callee in ("int", "operator.index"):
            static = static_phrase(event, "its source")
            kept = _REMEDIES.get(callee)
            remedy = f"{kept}, or {static}." if kept else f"{static[0].upper()}{static[1:]}."
        return (
            f"{traced_here(event)}: `{callee}` needs a concrete value.",
            remedy or _remedy(callee),
        )


def _remedy(callee: str) -> str:
    known = _REMEDIES.get(callee)
    if known is not None:
        return known
    module, _, name = callee.rpartition(".")
    if callee.endswith(".format"):
        return _DEBUG_PRINT
    if name in _MATH_TWINS and (module == "math" or not module):
        return f"Use `{_MATH_TWINS[name]}`."
    if name in _SAME_IN_JNP and (module == "math" or not module):
        return f"Use `jnp.{name}`."
    return "Do this outside the traced function, or on the host with `jax.pure_callback`."
