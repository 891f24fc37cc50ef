"""What libraries on top of JAX give: samples, densities, solutions, losses.

Observed under jit with numpyro 0.22, diffrax 0.7, optimistix 0.1, lineax 0.1 and jaxopt 0.8; of
distrax, of TensorFlow Probability's JAX side and of rlax their documentation tells.  The words for
what a call gives are those of :mod:`jitlint.jaxmodel.frameworks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_TFP: Final = "tensorflow_probability.substrates.jax.distributions"
#: packages all of whose classes are distributions, or bijectors
_DISTRIBUTIONS: Final = ("distrax", "numpyro.distributions", _TFP)
_ARRAYS: Final = """sample log_prob prob cdf log_cdf icdf quantile survival_function
    log_survival_function entropy cross_entropy kl_divergence""".split()
#: methods of distrax and TensorFlow Probability, which are attributes in numpyro
_MOMENTS: Final = "mean variance".split()
_MORE_MOMENTS: Final = "mode median stddev".split()
_BIJECTOR: Final = "forward inverse forward_log_det_jacobian inverse_log_det_jacobian".split()
_COMMON: Final = dict.fromkeys(_ARRAYS, "array")

_METHODS: Final[Mapping[str, Mapping[str, str]]] = {
    "distrax": {
        **_COMMON,
        **dict.fromkeys([*_MOMENTS, *_MORE_MOMENTS, *_BIJECTOR], "array"),
        "sample_and_log_prob": "arrays:2",
        "forward_and_log_det": "arrays:2",
        "inverse_and_log_det": "arrays:2",
    },
    "numpyro.distributions": {
        **_COMMON,
        "rsample": "array",
        "enumerate_support": "array",
        **dict.fromkeys("expand expand_by to_event mask".split(), "same"),
    },
    _TFP: {
        **_COMMON,
        **dict.fromkeys([*_MOMENTS, *_MORE_MOMENTS], "array"),
        "experimental_sample_and_log_prob": "arrays:2",
    },
    "diffrax.Solution": {"evaluate": "tree", "derivative": "tree"},
    "jaxopt": {"run": "named:params,state", "update": "named:params,state", "init_state": "tree"},
}
_FIELDS: Final[Mapping[str, Mapping[str, str]]] = {
    "numpyro.distributions": dict.fromkeys(_MOMENTS, "array"),
    "diffrax.Solution": {"ts": "array", "ys": "tree", "stats": "tree", "result": "array"},
    "lineax.Solution": {"value": "tree", "stats": "tree", "result": "array"},
    "optimistix.Solution": {"value": "tree", "stats": "tree", "result": "array"},
}
_RLAX: Final = """batched_index clip_gradient discounted_returns double_q_learning
    entropy_loss expected_sarsa general_off_policy_returns_from_q_and_v huber_loss l2_loss
    lambda_returns likelihood n_step_bootstrapped_returns policy_gradient_loss q_lambda q_learning
    qv_learning sarsa sarsa_lambda softmax_cross_entropy td_lambda td_learning
    truncated_generalized_advantage_estimation vtrace""".split()
_SOLVERS: Final = """Bosh3 Dopri5 Dopri8 Euler Heun ImplicitEuler KenCarp3 KenCarp4 KenCarp5
    Kvaerno3 Kvaerno4 Kvaerno5 LeapfrogMidpoint Midpoint Ralston ReversibleHeun SemiImplicitEuler
    Sil3 Tsit5""".split()
_RETURNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "lineax.linear_solve": "object:lineax.Solution",
        **{f"rlax.{name}": "array" for name in _RLAX},
        # Of a result they tell whether it is one of some: a number each, which is traced.
        **{f"diffrax.{name}": "array" for name in ("is_okay", "is_successful", "is_event")},
        **{f"diffrax.{name}": "object:diffrax.AbstractSolver" for name in _SOLVERS},
    }
)
#: which argument is the first guess of optimistix' functions, and what they give
ROOT_FINDERS: Final = frozenset(
    f"optimistix.{name}" for name in "fixed_point least_squares minimise root_find".split()
)
ROOT: Final = "optimistix.Solution"
#: options of solvers that JAX must know while tracing, and what they raise if it does not: observed
#: under Diffrax 0.7.2 and Optimistix 0.1
SOLVER_OPTIONS: Final = MappingProxyType(
    {
        "max_steps": ("jax.errors.TracerBoolConversionError", "ValueError"),
        "throw": ("jax.errors.TracerBoolConversionError",),
    }
)
#: samplers that call the density within JAX's loops, whatever surrounds them: blackjax 1.7
SAMPLERS: Final = frozenset({"blackjax.hmc", "blackjax.nuts", "blackjax.dynamic_hmc"})
#: what solves the equations that its first argument holds, and gives what the second part says
EQUATIONS: Final = MappingProxyType({"diffrax.diffeqsolve": "diffrax.Solution"})
#: their parameters that may be Python numbers, by position: under Diffrax 0.7.2 and Equinox 0.13.8
#: six programs for six of them, one for six arrays
EQUATION_NUMBERS: Final = MappingProxyType({"t0": 2, "t1": 3, "dt0": 4})
#: such an argument that holds one function: its class, and the name of that
TERMS: Final = MappingProxyType({"diffrax.ODETerm": "vector_field"})
#: objects that keep functions for others of their package to call, as the source of both shows;
#: diffrax calls those of a ControlTerm or an Event where its source is not followed to
_HOLDERS: Final = frozenset(
    """diffrax.ODETerm diffrax.SaveAt
    lineax.FunctionLinearOperator lineax.JacobianLinearOperator""".split()
)
#: what these rows say is less than their own source does, where it is part of the project: what
#: goes wrong in it is for that project to know
FOLLOWED: Final = ROOT_FINDERS | SAMPLERS | _HOLDERS | EQUATIONS.keys()


def returns(name: str) -> str | None:
    """What a function or class of such a library gives, None if it is not known.

    Args:
      name: its qualified name.
    """
    words = _RETURNS.get(name)
    package, _, last = name.rpartition(".")
    if words is None and package in _DISTRIBUTIONS and last[:1].isupper() and "Joint" not in last:
        return f"object:{name}"
    return words


def method_gives(cls: str, name: str) -> str | None:
    """What a method of an object of such a library gives, None if it is not known."""
    return _member(_METHODS, cls, name)


def field_holds(cls: str, name: str) -> str | None:
    """What an attribute of an object of such a library holds, None if it is not known."""
    return _member(_FIELDS, cls, name)


def is_solution(cls: str) -> bool:
    """Whether objects of a class hold what a solver gave; others compute what they are asked."""
    return cls in _FIELDS and cls.endswith(".Solution")


def _member(table: Mapping[str, Mapping[str, str]], cls: str, name: str) -> str | None:
    found = table.get(cls) or table.get(cls.rpartition(".")[0])
    return None if found is None else found.get(name)
