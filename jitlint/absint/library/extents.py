"""How large the arrays are that functions of NumPy and JAX make, where their arguments say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jitlint.absint.library.registry import Call
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import NONE, Array, Const, Static, Tuple, Value
from jitlint.absint.values.extents import Extent
from jitlint.absint.values.statics import is_number


def _named(modules: str, names: str, position: int) -> dict[str, int]:
    return {f"{module}.{name}": position for module in modules.split() for name in names.split()}


_UNIFORM: Final = "zeros ones empty full"
#: by name, at which position the shape is
_SHAPES: Final[Mapping[str, int]] = {
    **_named("numpy jax.numpy", _UNIFORM, 0),
    **_named("numpy.random", "standard_normal random random_sample ranf sample", 0),
    **_named("numpy.random", "exponential poisson choice rayleigh standard_gamma", 1),
    **_named("numpy.random", "normal uniform randint integers lognormal laplace gamma beta", 2),
    **_named("numpy.random", "binomial logistic gumbel", 2),
    **_named("jax.random", "normal uniform randint bits exponential laplace logistic gumbel", 1),
    **_named("jax.random", "rademacher cauchy ball split", 1),
    **_named("jax.random", "bernoulli choice gamma poisson", 2),
    **_named("jax.random", "truncated_normal", 3),
}
_DIMENSIONS: Final = frozenset({"numpy.random.rand", "numpy.random.randn"})
_ROWS: Final = frozenset({"numpy.arange", "jax.numpy.arange"})
#: as long as their first argument says
_AS_LONG: Final = frozenset(
    {
        *_named("numpy jax.numpy", "hanning hamming blackman bartlett", 0),
        *_named("numpy.fft jax.numpy.fft", "fftfreq", 0),
    }
)
_SPACED: Final = frozenset(_named("numpy jax.numpy", "linspace logspace geomspace", 0))
_SQUARES: Final = frozenset(_named("numpy jax.numpy", "eye identity", 0))
_KEEPING: Final = frozenset(
    {*_named("numpy jax.numpy", "array asarray copy ascontiguousarray", 0), "jax.device_put"}
)
_ELEMENTWISE: Final = frozenset(
    _named(
        "numpy jax.numpy",
        """sin cos tan tanh arctan exp expm1 log log1p sqrt square abs absolute negative sign round
        clip float32 float16 cumsum real imag conj""",
        0,
    )
)
#: leave a part of what they are given, and zeros
_CUTTING: Final = frozenset(_named("numpy jax.numpy", "tril triu", 0))
#: methods that give an array of the same shape
_KEEPING_METHODS: Final = frozenset({"astype", "copy", "block_until_ready", "__array__", "round"})


def sized(it: Interpreter, name: str, call: Call, made: Value) -> Value:
    """What a function gives, with its size where that is known."""
    if not isinstance(made, (Array, Static)):
        return made
    if name in _KEEPING:
        return with_extent(made, extent_of(call.first))
    if name in _ELEMENTWISE or name in _CUTTING:
        extent = extent_of(call.first)
        if is_number(call.first):
            extent = Extent((), uniform=True, outside=it.trace is None)
        elif extent is not None and name in _CUTTING:
            extent = Extent(extent.shape, False, extent.outside)
        return with_extent(made, extent)
    shape = _shape(name, call)
    if shape is None:
        return made
    uniform = name.rpartition(".")[2] in _UNIFORM.split()
    return with_extent(made, Extent(shape, uniform, it.trace is None))


def asked_size(name: str, call: Call) -> bool:
    """Whether a function of NumPy that draws numbers is asked for an array of them."""
    if not name.startswith("numpy.random."):
        return False
    position = _SHAPES.get(name)
    if position is None:
        return name in _DIMENSIONS and bool(call.positional)
    size = call.args.get(position, "size")
    return size is not None and size != NONE


def sized_by_method(call: Call, made: Value) -> Value:
    """What a method of an array gives, with its size where that is known."""
    extent = extent_of(call.receiver)
    if extent is None or not isinstance(made, (Array, Static)):
        return made
    if call.name in _KEEPING_METHODS:
        return with_extent(made, extent)
    if call.name in ("reshape", "ravel", "flatten"):
        return with_extent(made, Extent((extent.size,), extent.uniform, extent.outside))
    return made


def extent_of(value: Value) -> Extent | None:
    """The size of an array, None where it is not known."""
    return value.extent if isinstance(value, (Array, Static)) else None


def with_extent(value: Value, extent: Extent | None) -> Value:
    """An array of this size."""
    if extent is None:
        return value
    if isinstance(value, Array):
        return value.replace(extent=extent, buffers=value.buffers)
    return value.of_extent(extent) if isinstance(value, Static) else value


def _shape(name: str, call: Call) -> tuple[int, ...] | None:
    position = _SHAPES.get(name)
    if position is not None:
        last = name.rpartition(".")[2]
        keyword = "num" if last == "split" else "size" if "numpy.random" in name else "shape"
        given = call.args.get(position, keyword)
        return None if given is None else _dimensions(given)
    if name in _DIMENSIONS:
        return _dimensions(Tuple(tuple(call.positional)))
    first = number(call.first)
    if name in _ROWS:
        stop = call.second
        end = first if stop is None else number(stop)
        start = 0 if stop is None else first
        plain = len(call.positional) < 3 and "step" not in call.keywords
        known = plain and start is not None and end is not None
        return (max(end - start, 0),) if known and start is not None and end is not None else None
    if name in _AS_LONG:
        return None if first is None else (first,)
    if name in _SPACED:
        count = call.args.get(2, "num")
        length = None if count is None else number(count)
        return None if length is None else (length,)
    if name in _SQUARES:
        return None if first is None or len(call.positional) > 1 else (first, first)
    return None


def _dimensions(value: Value) -> tuple[int, ...] | None:
    if not isinstance(value, Tuple):
        length = number(value)
        return None if length is None else (length,)
    lengths = [number(item) for item in value.items]
    found = tuple(length for length in lengths if length is not None)
    return found if len(found) == len(lengths) else None


def number(value: Value) -> int | None:
    """A Python integer, if only that which the calls seen pass; None where it is not known."""
    if isinstance(value, Const):
        return value.value if type(value.value) is int else None
    if isinstance(value, Static) and value.type == "int" and value.extent is not None:
        return value.extent.size
    return None
