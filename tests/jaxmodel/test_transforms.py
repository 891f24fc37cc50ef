"""Every row of the transforms against the installed JAX.

A probe function is handed to each transform and notes what it is given: whether Python may see the
value, whether operations on constants are traced too, and how often its Python body runs.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from jitlint.jaxmodel.transforms import APPLIED, ASSUMED, JAX_TRANSFORMS, STEPPED

jax: Any
pytestmark = pytest.mark.jax

#: JAX runs their functions at every call up to 0.10, and keeps the trace since
CACHED_LATER = frozenset(
    {
        "jax.custom_batching.custom_vmap",
        "jax.custom_batching.sequential_vmap",
        "jax.lax.custom_root",
    }
)


@pytest.fixture(scope="module", autouse=True)
def _jax() -> None:
    """Import it when a test runs, not when tests are collected."""
    global jax
    import jax


@dataclass
class Probe:
    """A function that looks at its arguments.

    Args:
      answer: what it returns for them; by default the first one.
    """

    answer: Callable[..., Any] = lambda *arguments: arguments[0]
    runs: int = 0
    tracers: tuple[bool, ...] = ()
    abstract: bool = False
    staging: bool = False
    results: list[Any] = field(default_factory=list)

    def __call__(self, *arguments: Any) -> Any:
        import jax.numpy as jnp

        self.runs += 1
        leaves = jax.tree.leaves(arguments)
        self.tracers = tuple(isinstance(leaf, jax.core.Tracer) for leaf in leaves)
        try:
            # The bare value: checkify, for one, stages every operation on a concrete array.
            bool(jnp.size(leaves[0]) and all(leaves[0].reshape(-1)) if _is_array(leaves[0]) else 1)
        except jax.errors.ConcretizationTypeError:
            # Some call it more than once, in different ways: one that fails is enough.
            self.abstract = True
        # The tracers of shard_map outside jit have values.
        constant = jnp.ones(()) + 1
        self.staging |= isinstance(constant, jax.core.Tracer) and not _has_value(constant)
        return self.answer(*arguments)


def _has_value(tracer: Any) -> bool:
    try:
        return bool(tracer)
    except jax.errors.ConcretizationTypeError:
        return False


def _is_array(value: Any) -> bool:
    return isinstance(value, jax.Array)


def _resolve(name: str) -> Any:
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise AttributeError(name)


def _exists(name: str) -> bool:
    try:
        return _resolve(name) is not None
    except AttributeError:
        return False


def _wrapped(*arguments: Any, **options: Any) -> Callable[..., Any]:
    """The transform makes a callable once, which is called with the arguments."""

    def prepare(transform: Any, function: Any) -> Callable[[], Any]:
        made = transform(function, **options)
        return lambda: made(*arguments)

    return prepare


def _direct(call: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The transform is called with the function and its operands each time."""
    return lambda transform, function: lambda: call(transform, function)


def _custom_jvp(transform: Any, function: Any) -> Callable[[], Any]:
    made = transform(function)
    made.defjvp(lambda primals, tangents: (primals[0], tangents[0]))
    return lambda: made(1.0)


def _custom_vjp(transform: Any, function: Any) -> Callable[[], Any]:
    made = transform(function)
    made.defvjp(lambda x: (x, None), lambda residual, g: (g,))
    return lambda: made(1.0)


def _custom_vmap(transform: Any, function: Any) -> Callable[[], Any]:
    made = transform(function)
    made.def_vmap(lambda size, batched, x: (x, batched[0]))
    return lambda: made(jax.numpy.ones(()))


def _shard_map(transform: Any, function: Any) -> Callable[[], Any]:
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    spec = jax.sharding.PartitionSpec("i")
    made = transform(function, mesh=mesh, in_specs=spec, out_specs=spec)
    return lambda: made(jax.numpy.ones(2))


def _while(transform: Any, function: Any) -> Callable[[], Any]:
    def condition(c: Any) -> Any:
        return c < 0

    return lambda: transform(condition, function, 1.0)


def _while_condition(transform: Any, function: Any) -> Callable[[], Any]:
    def condition(c: Any) -> Any:
        function(c)
        return c < 0

    def body(c: Any) -> Any:
        return c

    return lambda: transform(condition, body, 1.0)


def _switch(transform: Any, function: Any) -> Callable[[], Any]:
    def other(x: Any) -> Any:
        return x

    return lambda: transform(0, [function, other], 1.0)


def _custom_root(transform: Any, function: Any) -> Callable[[], Any]:
    return lambda: transform(
        function, 1.0, lambda f, x: (f(x), x)[1], lambda g, y: y / g(jax.numpy.ones(()))
    )


def _linear_solve(transform: Any, function: Any) -> Callable[[], Any]:
    def solve(matvec: Any, b: Any) -> Any:
        return matvec(b)

    return lambda: transform(function, jax.numpy.ones(2), solve, solve)


def _tuple_of_first(*arguments: Any) -> Any:
    return arguments[0], arguments[-1]


def _sum(*arguments: Any) -> Any:
    return arguments[0] + arguments[1]


def _with_rule(x: Any) -> Any:
    return x, lambda g: (g,)


@cache
def _samples() -> dict[str, tuple[Callable[..., Any], Callable[..., Any]]]:
    """How each transform is used, and what the probe returns to it."""
    jnp = jax.numpy
    xs = jnp.ones(2)
    first: Callable[..., Any] = Probe().answer
    one = _wrapped(1.0)
    samples: dict[str, Any] = {
        "jax.jit": one,
        "jax.experimental.pjit.pjit": one,
        "jax.pmap": _wrapped(jnp.ones(1)),
        "jax.vmap": _wrapped(xs),
        "jax.shard_map": _shard_map,
        "jax.experimental.shard_map.shard_map": _shard_map,
        "jax.checkpoint": one,
        "jax.remat": one,
        "jax.ad_checkpoint.checkpoint": one,
        "jax.jvp": _direct(lambda t, f: t(f, (1.0,), (1.0,))),
        "jax.vjp": _direct(lambda t, f: t(f, 1.0)),
        "jax.linearize": _direct(lambda t, f: t(f, 1.0)),
        "jax.linear_transpose": _direct(lambda t, f: t(f, 1.0)(1.0)),
        "jax.closure_convert": _direct(lambda t, f: t(f, 1.0)),
        "jax.eval_shape": _direct(lambda t, f: t(f, 1.0)),
        "jax.make_jaxpr": one,
        "jax.export.export": lambda t, f: lambda: t(jax.jit(f))(1.0),
        "jax.custom_jvp": _custom_jvp,
        "jax.custom_vjp": _custom_vjp,
        "jax.custom_derivatives.custom_jvp": _custom_jvp,
        "jax.custom_derivatives.custom_vjp": _custom_vjp,
        "jax.custom_gradient": (one, _with_rule),
        "jax.named_call": _wrapped(1.0, name="inner"),
        "jax.custom_batching.custom_vmap": _custom_vmap,
        "jax.custom_batching.sequential_vmap": _wrapped(xs[0]),
        "jax.lax.scan": (_direct(lambda t, f: t(f, 1.0, xs)), _tuple_of_first),
        "jax.lax.while_loop": _while,
        "jax.lax.fori_loop": (
            _direct(lambda t, f: t(0, 3, f, 1.0)),
            lambda i, carry: carry,
        ),
        "jax.lax.cond": _direct(lambda t, f: t(True, f, f, 1.0)),
        "jax.lax.switch": _switch,
        "jax.lax.map": _direct(lambda t, f: t(f, xs)),
        "jax.lax.associative_scan": (_direct(lambda t, f: t(f, xs)), _sum),
        "jax.lax.reduce": (_direct(lambda t, f: t(xs, 0.0, f, (0,))), _sum),
        "jax.lax.reduce_window": (
            _direct(lambda t, f: t(xs, 0.0, f, (1,), (1,), "valid")),
            _sum,
        ),
        "jax.lax.custom_root": _custom_root,
        "jax.lax.custom_linear_solve": _linear_solve,
        "jax.lax.platform_dependent": _direct(lambda t, f: t(1.0, default=f)),
        "jax.numpy.vectorize": _wrapped(xs),
        "jax.numpy.frompyfunc": (
            lambda t, f: lambda: t(f, nin=2, nout=1)(xs, xs),
            _sum,
        ),
        "jax.numpy.apply_along_axis": _direct(lambda t, f: t(f, 0, jnp.ones((2, 2)))),
        "jax.numpy.apply_over_axes": _direct(lambda t, f: t(f, jnp.ones((2, 2)), [0])),
        "jax.numpy.piecewise": _direct(lambda t, f: t(xs, [xs > 0], [f, 0.0])),
        "jax.numpy.fromfunction": _direct(lambda t, f: t(f, (2,))),
        "jax.scipy.optimize.minimize": (
            _direct(lambda t, f: t(f, xs, method="BFGS")),
            lambda x: (x**2).sum(),
        ),
        "jax.experimental.ode.odeint": _direct(lambda t, f: t(f, xs, jnp.linspace(0.0, 1.0, 2))),
        "jax.scipy.sparse.linalg.cg": _direct(lambda t, f: t(f, xs)),
        "jax.scipy.sparse.linalg.gmres": _direct(lambda t, f: t(f, xs)),
        "jax.scipy.sparse.linalg.bicgstab": _direct(lambda t, f: t(f, xs)),
        "jax.experimental.checkify.checkify": one,
        "jax.pure_callback": (lambda t, f: lambda: t(f, xs, xs), first),
        "jax.experimental.io_callback": (lambda t, f: lambda: t(f, xs, xs), first),
        "jax.debug.callback": (lambda t, f: lambda: t(f, xs), lambda x: None),
        "jax.tree.map": _direct(lambda t, f: t(f, [1.0])),
        "jax.tree_util.tree_map": _direct(lambda t, f: t(f, [1.0])),
        "jax.tree_map": _direct(lambda t, f: t(f, [1.0])),
        "jax.tree.map_with_path": (_direct(lambda t, f: t(f, [1.0])), lambda path, x: x),
        "jax.tree_util.tree_map_with_path": (
            _direct(lambda t, f: t(f, [1.0])),
            lambda path, x: x,
        ),
    }
    for name in ("grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian"):
        samples[f"jax.{name}"] = one
    return {
        name: sample if isinstance(sample, tuple) else (sample, first)
        for name, sample in samples.items()
    }


#: rows that need no probe: a context, kernels that see references instead of arrays, and what the
#: configuration or a framework says of functions
UNPROBED = {
    "jax.named_scope", "jax.experimental.pallas.pallas_call", ASSUMED, STEPPED, *APPLIED.values()
}  # fmt: skip
PROBED = sorted(name for name in JAX_TRANSFORMS if name not in UNPROBED)
#: rows whose function is called on the host or by the caller's own Python
CONCRETE_KINDS = {"host", "tree_map", "tree_map_with_path", "checkify"}


@cache
def _measured(name: str) -> Probe:
    """The probe after two equal calls under a transform."""
    if not _exists(name):
        pytest.skip(f"this JAX has no {name}")
    prepare, answer = _samples()[name]
    probe = Probe(answer)

    # jit keeps functions in weak references and reads their signature.
    def probed(*arguments: Any) -> Any:
        return probe(*arguments)

    call = prepare(_resolve(name), probed)
    probe.results.append(call())
    jax.effects_barrier()
    probe.results.append(probe.runs)
    call()
    jax.effects_barrier()
    return probe


def test_every_row_is_probed() -> None:
    assert set(_samples()) == set(PROBED)


def test_what_is_assumed_to_be_traced_is_as_under_jit() -> None:
    for name in (ASSUMED, STEPPED):
        assert replace(JAX_TRANSFORMS[name], name="jax.jit") == JAX_TRANSFORMS["jax.jit"]


@pytest.mark.parametrize("name", PROBED)
def test_abstract(name: str) -> None:
    assert _measured(name).abstract is JAX_TRANSFORMS[name].abstract


@pytest.mark.parametrize("name", PROBED)
def test_staging(name: str) -> None:
    assert _measured(name).staging is JAX_TRANSFORMS[name].staging


def _is_newer() -> bool:
    return tuple(map(int, jax.__version__.split(".")[:2])) > (0, 10)


@pytest.mark.parametrize("name", PROBED)
def test_cached(name: str) -> None:
    probe = _measured(name)
    cached = JAX_TRANSFORMS[name].cached or (name in CACHED_LATER and _is_newer())
    assert (probe.runs == probe.results[1]) is cached


@pytest.mark.parametrize("name", PROBED)
def test_value_carrying(name: str) -> None:
    row, probe = JAX_TRANSFORMS[name], _measured(name)
    traces = row.traces in ("leaves", "in_axes", "in_specs", "argnums")
    if traces and row.kind not in CONCRETE_KINDS:
        assert any(probe.tracers)
    elif name != "jax.numpy.frompyfunc":  # followed by nobody, and no callback
        assert not any(probe.tracers)


@pytest.mark.parametrize("name", sorted(n for n, row in JAX_TRANSFORMS.items() if row.options))
def test_options(name: str) -> None:
    row = JAX_TRANSFORMS[name]
    if not _exists(name):
        pytest.skip(f"this JAX has no {name}")
    positional = [
        parameter.name
        for parameter in inspect.signature(_resolve(name)).parameters.values()
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY
    ]
    # What can be given by keyword only never needs its place.
    assert tuple(positional[1 : 1 + len(row.options)]) == row.options[: len(positional) - 1]


@pytest.mark.parametrize(
    "name", sorted(name for name, row in JAX_TRANSFORMS.items() if row.kind == "wrap")
)
def test_static_by(name: str) -> None:
    row = JAX_TRANSFORMS[name]
    if not _exists(name):
        pytest.skip(f"this JAX has no {name}")
    parameters = inspect.signature(_resolve(name)).parameters
    assert any(parameter.startswith("static_") for parameter in parameters) is row.static_by


@pytest.mark.parametrize("name", PROBED)
def test_what_it_gives(name: str) -> None:
    row = JAX_TRANSFORMS[name]
    result = _measured(name).results[0]
    if row.gives == "static":
        assert not any(_is_array(leaf) for leaf in jax.tree.leaves(result))
    elif row.gives == "value_and_gradient":
        assert len(result) == 2
    elif row.gives == "gradient":
        assert _is_array(result)
    elif row.gives == "callable" and name == "jax.closure_convert":
        assert callable(result[0])


def test_the_condition_of_a_while_loop_is_traced() -> None:
    probe = Probe()
    _while_condition(jax.lax.while_loop, probe)()
    assert probe.abstract
    assert probe.staging


@pytest.mark.parametrize("name", ["jax.jit", "jax.checkpoint", "jax.remat", "jax.make_jaxpr"])
def test_static_positions_stay_python(name: str) -> None:
    probe = Probe()

    def probed(x: Any, n: Any) -> Any:
        return probe(x, n)

    _resolve(name)(probed, static_argnums=(1,))(1.0, 3)
    assert probe.tracers == (True, False)


def test_unmapped_arguments_stay_python() -> None:
    probe = Probe()
    jax.vmap(probe, in_axes=(0, None))(jax.numpy.ones(2), 3)
    assert probe.tracers == (True, False)
    nested = Probe(lambda tree: tree["w"])
    jax.vmap(nested, in_axes=({"w": 0, "n": None},))({"w": jax.numpy.ones(2), "n": 3})
    assert sorted(nested.tracers) == [False, True]


def test_unmapped_arguments_of_pmap_are_traced() -> None:
    probe = Probe()

    def probed(x: Any, n: Any) -> Any:
        return probe(x, n)

    jax.pmap(probed, in_axes=(0, None))(jax.numpy.ones(1), 3)
    assert probe.tracers == (True, True)


@pytest.mark.parametrize("name", ["jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev"])
def test_arguments_without_a_gradient_stay_python(name: str) -> None:
    probe = Probe()
    _resolve(name)(probe)(1.0, 3)
    assert probe.tracers == (True, False)
    other = Probe(lambda x, y: y)
    _resolve(name)(other, argnums=1)(1.0, 3.0)
    assert other.tracers == (False, True)


def test_defaults_that_are_not_passed_stay_python() -> None:
    seen = []

    @jax.jit
    def probed(x: Any, n: int = 3, *, flag: bool = True) -> Any:
        seen.extend([type(n), type(flag), isinstance(x, jax.core.Tracer)])
        return x

    probed(1.0)
    assert seen == [int, bool, True]


def test_grad_carries_values_for_bool_and_int_but_not_for_float() -> None:
    def probed(x: Any) -> Any:
        assert x > 0
        assert int(x) == 2
        with pytest.raises(jax.errors.ConcretizationTypeError):
            float(x)
        return x

    jax.grad(probed)(2.0)


def test_checkify_stages_operations_on_concrete_arguments() -> None:
    from jax.experimental import checkify

    def probed(x: Any) -> Any:
        assert x
        with pytest.raises(jax.errors.TracerBoolConversionError):
            bool(x > 0)
        return x

    checkify.checkify(probed)(jax.numpy.ones(()))


def test_compile_time_evaluation_keeps_constants_concrete() -> None:
    @jax.jit
    def probed(x: Any) -> Any:
        with jax.ensure_compile_time_eval():
            assert jax.numpy.array(2) > 1
            with pytest.raises(jax.errors.TracerBoolConversionError):
                bool(x > 0)
        return x

    probed(1.0)
