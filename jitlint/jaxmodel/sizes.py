"""Functions of JAX and NumPy by what decides the size of the arrays that they make."""

from __future__ import annotations

from typing import Final

from jitlint.jaxmodel import functions
from jitlint.jaxmodel.functions import FunctionFact

#: put arrays together, end to end or as rows: the more of them, the larger
JOINING: Final = frozenset(
    "append concatenate concat vstack hstack dstack column_stack row_stack".split()
)
#: make an array out of a list, of as many rows
STACKING: Final = frozenset("array asarray stack asanyarray ascontiguousarray".split())
#: give arrays of the size that they are given
KEEPING: Final = frozenset(
    """copy device_put sin cos tan tanh arctan exp expm1 log log1p sqrt square abs absolute negative
    sign round clip cumsum float32 float64 float16 int32 int64 bool_ uint8 sort argsort flip roll
    nan_to_num zeros_like ones_like full_like squeeze atleast_1d atleast_2d transpose ravel
    expand_dims permutation shuffle maximum minimum add multiply subtract where""".split()
)
#: the same of methods
KEEPING_METHODS: Final = frozenset(
    """astype copy block_until_ready round clip ravel flatten transpose squeeze cumsum argsort conj
    to_numpy numpy tolist""".split()
)
#: parameters that say how large the result is
_SHAPING: Final = frozenset(
    "shape N M n m num size repeats reps start stop length total_repeat_length".split()
)
#: functions with a parameter of such a name that says something else
_OTHERWISE: Final = frozenset("linspace logspace geomspace".split())
#: what NumPy's draws are given by position, up to how many there are to be
_BEFORE_SIZE: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("uniform", "randint", "integers"), ("low", "high", "size")),
    "normal": ("loc", "scale", "size"),
    "choice": ("a", "size"),
    **dict.fromkeys(("random", "random_sample", "standard_normal"), ("size",)),
}
_MODULES: Final = ("numpy", "jax.numpy")


def twin(name: str) -> str:
    """The name in ``jax.numpy`` of a function of NumPy; any other name as it is."""
    return f"jax.{name}" if name.startswith("numpy.") else name


def plain_name(name: str) -> str:
    """The last part of the name of a function of JAX or NumPy, empty for any other one."""
    return name.rpartition(".")[2] if name.partition(".")[0] in ("jax", "numpy") else ""


def fact_of(name: str) -> FunctionFact | None:
    """What the tables know of a function of JAX, also if it is NumPy's that is called."""
    return functions.lookup(twin(name))


def shaping_parameters(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The parameters that say how large the result is, and the names of those passed by position.

    Args:
      name: the qualified name of a function of JAX or NumPy.
    """
    if name.startswith("numpy.random."):
        plain = name.rpartition(".")[2]
        # `np.random.randn(n, 2)`.
        shaping = frozenset({"size", "*"} if plain in ("rand", "randn") else {"size"})
        return shaping, _BEFORE_SIZE.get(plain, ())
    fact = fact_of(name)
    if fact is None or fact.parameters is None:
        return frozenset(), ()
    shaping = _SHAPING & ({*fact.must_be_static, *fact.unless_given} | _repeating(fact))
    if plain_name(name) in _OTHERWISE:
        shaping &= {"num"}
    return shaping, tuple(parameter.name for parameter in fact.parameters)


def _repeating(fact: FunctionFact) -> set[str]:
    # Traced counts are a matter of data, which the tables say in another place.
    return set() if fact.data_dependent is None else {"repeats"} & set(fact.data_dependent.operand)


def is_data_dependent(name: str, given: int, keywords: frozenset[str]) -> bool:
    """Whether the values in its arguments decide how large a result is.

    Args:
      name: the qualified name of a function of JAX or NumPy.
      given: how many arguments are passed by position.
      keywords: the names of the others.
    """
    fact = fact_of(name)
    if fact is None or fact.data_dependent is None or fact.data_dependent.applies != "any":
        return False
    if plain_name(name) not in _SELECTING:
        return False
    arity = fact.data_dependent.when_arity
    return keywords.isdisjoint(fact.data_dependent.escapes) and arity in (None, given)


#: what is left of an array depends on it alone
_SELECTING: Final = frozenset("argwhere compress extract flatnonzero nonzero unique where".split())
