"""Transforms: what traces a function, which arguments become tracers, and how it is called.

Rows for JAX stand here, each with what was measured under JAX 0.10.2 (reference: the semantics
catalogue of the project; ``tests/jaxmodel/test_transforms.py`` runs every row).  Rows of other
frameworks come from :mod:`jitlint.jaxmodel.frameworks` and are given the same form.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from msgspec import Struct

from jitlint.jaxmodel import companions, frameworks, functions
from jitlint.jaxmodel.mapping import is_mapping
from jitlint.jaxmodel.moved import current_name


class Transform(Struct, frozen=True):
    """One entry point that traces, wraps or passes on a callable.

    Args:
      name: qualified name.
      kind: how it is called.  ``wrap`` gives a callable; ``scan``, ``while``, ``fori``, ``cond``,
        ``switch``, ``map``, ``associative_scan``, ``reduce``, ``custom_root``, ``linear_solve``,
        ``piecewise`` call the function by their own convention; ``apply`` calls its first argument
        with the operands that follow; ``jvp``, ``vjp``, ``linearize`` take the function and its
        primals; ``custom_jvp``, ``custom_vjp``, ``custom_vmap`` wrap a function that gets further
        rules; ``tree_map`` calls it on leaves; ``host`` runs it outside the trace; ``kernel`` gives
        a jitted function that calls it on references to memory; ``transformed`` gives an object
        with ``init`` and ``apply``; ``solver`` calls it with traced values later;
        ``filter_custom`` wraps a function that gets Equinox's rules, ``bind_primitive`` calls those
        of a primitive; ``lowering`` gives a rule that traces it whenever a primitive is compiled;
        ``module_wrap`` wraps a Flax linen class or a function of a module; ``variants`` leaves a
        test what it is.
      abstract: arguments lose their values, whatever surrounds the call.
      staging: operations on constants inside are traced too and give no values.
      cached: the Python body does not run again on an equal call.
      traces: ``leaves`` (all), ``arrays`` (array leaves only: Python scalars stay static),
        ``in_axes``, ``in_specs`` (all but those whose specification is None, observed under JAX
        0.10.2), ``argnums``, ``first``, ``none`` (inherits).
      options: names of the positional parameters after the function.
      static_by: whether ``static_argnums`` and ``static_argnames`` are understood.
      gives: what calling the wrapped function gives: ``same``, ``gradient``,
        ``value_and_gradient``, ``array``, ``static``, ``pair`` (value, callable), ``function`` (the
        one that it took).
      functions: positions of the callables.
      names: their names where they may be passed by them, in the same order.
      maps_keywords: whether keyword arguments need a mapped axis, which no number has.
      by_position: whether what comes by name is dropped, or handed on where it is excluded
        (observed under JAX 0.10.2).
      rehearsed: whether the function runs once outside of every trace before it is traced.
    """

    name: str
    kind: str = "wrap"
    abstract: bool = True
    staging: bool = True
    cached: bool = True
    traces: str = "leaves"
    options: tuple[str, ...] = ()
    static_by: bool = False
    gives: str = "same"
    functions: tuple[int, ...] = (0,)
    names: tuple[str, ...] = ()
    maps_keywords: bool = False
    by_position: bool = False
    rehearsed: bool = False

    @property
    def runs(self) -> bool:
        """Whether a call of the entry point itself makes JAX compute something."""
        return self.kind in _RUNNING and self.gives == "same"

    @property
    def leaves(self) -> str:
        """Which leaves of a pytree become tracers: ``arrays`` only, or all ``leaves``."""
        return "arrays" if self.traces == "arrays" else "leaves"


#: kinds of entry points that are given operands, and compute
_RUNNING: Final = frozenset(
    """scan while fori cond switch map associative_scan reduce custom_root linear_solve odeint
    minimize linear_operator piecewise apply_along_axis fromfunction apply jvp vjp
    linearize""".split()
)


def _row(name: str, **fields: Any) -> Transform:
    return Transform(name, **fields)


def _value(name: str, kind: str = "wrap", **fields: Any) -> Transform:
    """A transform that keeps values: grad, jvp and their family."""
    return Transform(name, kind, abstract=False, staging=False, cached=False, **fields)


#: options of transforms that JAX must know while tracing, with what it raises where one is traced:
#: observed under JAX 0.10.2 by ``tests/jaxmodel/test_static_options.py``
STATIC_OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "argnums": ("jax.errors.ConcretizationTypeError",),
    "has_aux": ("jax.errors.TracerBoolConversionError",),
    "in_axes": ("TypeError",),
    "out_axes": ("TypeError",),
    "static_argnums": ("jax.errors.ConcretizationTypeError",),
    "donate_argnums": ("jax.errors.ConcretizationTypeError",),
}
_JIT_OPTIONS = ("in_shardings", "out_shardings", "static_argnums", "static_argnames")
_GRAD_OPTIONS = ("argnums", "has_aux", "holomorphic", "allow_int")
_SPECS_OPTIONS = ("mesh", "in_specs", "out_specs")
_AXES_OPTIONS = ("in_axes", "out_axes", "axis_name", "axis_size")

#: what traces a function of which the configuration says that somebody will jit it
ASSUMED: Final = "jitlint.assumed_traced"
#: what traces a module of a framework that nobody in the project applies: its users, under jit
APPLIED: Final = {
    "flax.linen": "jitlint.applied_linen_module",
    "flax.nnx": "jitlint.applied_nnx_module",
    "haiku": "jitlint.applied_haiku_module",
    "equinox": "jitlint.applied_equinox_module",
}
#: what traces the methods of an environment that its base class jits, whoever steps it
STEPPED: Final = "jitlint.stepped_environment"

_ROWS: Final = (
    _row("jax.jit", static_by=True, options=_JIT_OPTIONS),
    _row(ASSUMED, static_by=True, options=_JIT_OPTIONS),
    # Whether the trace is kept is the user's choice, and so is what is no array.
    *(_row(name, traces="arrays", cached=False) for name in APPLIED.values()),
    _row(STEPPED, static_by=True, options=_JIT_OPTIONS),
    _row("jax.experimental.pjit.pjit", static_by=True, options=_JIT_OPTIONS),
    # in_axes=None arguments of pmap are traced all the same, unlike those of vmap.
    _row("jax.pmap", static_by=True, options=("axis_name",), maps_keywords=True),
    _row(
        "jax.vmap",
        staging=False,
        cached=False,
        traces="in_axes",
        options=_AXES_OPTIONS,
        maps_keywords=True,
    ),
    # Outside jit what is the same on all devices keeps its value: constants, and arguments whose
    # specification names no axis.
    _row("jax.shard_map", options=_SPECS_OPTIONS, staging=False, cached=False, traces="in_specs"),
    _row(
        "jax.experimental.shard_map.shard_map",
        options=_SPECS_OPTIONS,
        staging=False,
        cached=False,
        traces="in_specs",
    ),
    _row("jax.checkpoint", static_by=True, options=("prevent_cse", "policy", "static_argnums")),
    _row("jax.remat", static_by=True, options=("prevent_cse", "policy", "static_argnums")),
    _row("jax.ad_checkpoint.checkpoint", static_by=True),
    _value("jax.grad", traces="argnums", gives="gradient", options=_GRAD_OPTIONS),
    _value(
        "jax.value_and_grad", traces="argnums", gives="value_and_gradient", options=_GRAD_OPTIONS
    ),
    _value("jax.jacfwd", traces="argnums", gives="gradient", options=_GRAD_OPTIONS),
    _value("jax.jacrev", traces="argnums", gives="gradient", options=_GRAD_OPTIONS),
    _value("jax.jacobian", traces="argnums", gives="gradient", options=_GRAD_OPTIONS),
    _value("jax.hessian", traces="argnums", gives="gradient", options=_GRAD_OPTIONS),
    _value("jax.jvp", "jvp"),
    _value("jax.vjp", "vjp"),
    _value("jax.linearize", "linearize"),
    _row("jax.linear_transpose", kind="apply", gives="callable", staging=False, cached=False),
    _row("jax.closure_convert", kind="apply", gives="callable"),
    _row("jax.eval_shape", kind="apply", gives="static"),
    _row("jax.make_jaxpr", static_by=True, gives="static", options=("static_argnums",)),
    _row("jax.export.export", gives="static"),
    _value("jax.custom_jvp", "custom_jvp", traces="none"),
    _value("jax.custom_vjp", "custom_vjp", traces="none"),
    _value("jax.custom_gradient", "custom_gradient", traces="none"),
    _value("jax.custom_derivatives.custom_jvp", "custom_jvp", traces="none"),
    _value("jax.custom_derivatives.custom_vjp", "custom_vjp", traces="none"),
    _value("jax.named_call", traces="none"),
    _value("jax.named_scope", "none", traces="none"),
    _row("jax.custom_batching.custom_vmap", kind="custom_vmap", cached=False),
    _row("jax.custom_batching.sequential_vmap", cached=False),
    _row("jax.lax.scan", kind="scan"),
    _row("jax.lax.while_loop", kind="while", functions=(0, 1)),
    _row("jax.lax.fori_loop", kind="fori", functions=(2,)),
    _row("jax.lax.cond", kind="cond", functions=(1, 2)),
    _row("jax.lax.switch", kind="switch", functions=(1,)),
    _row("jax.lax.map", kind="map", cached=False),
    _value("jax.lax.associative_scan", "associative_scan", traces="none"),
    _row("jax.lax.reduce", kind="reduce", functions=(2,)),
    _row("jax.lax.reduce_window", kind="reduce", functions=(2,)),
    _row("jax.lax.custom_root", kind="custom_root", functions=(0, 2, 3), cached=False),
    _row("jax.lax.custom_linear_solve", kind="linear_solve", functions=(0, 2, 3), cached=False),
    _value("jax.lax.platform_dependent", "host"),
    _row("jax.numpy.vectorize", staging=False, cached=False, by_position=True),
    _row("jax.numpy.frompyfunc", kind="host"),
    _row("jax.numpy.apply_along_axis", kind="apply_along_axis", staging=False, cached=False),
    _value("jax.numpy.apply_over_axes", "host"),
    _row("jax.numpy.piecewise", kind="piecewise", functions=(2,)),
    _row("jax.numpy.fromfunction", kind="fromfunction", staging=False, cached=False),
    _row("jax.scipy.optimize.minimize", kind="minimize", cached=False),
    _row("jax.experimental.ode.odeint", kind="odeint"),
    _row("jax.scipy.sparse.linalg.cg", kind="linear_operator", cached=False),
    _row("jax.scipy.sparse.linalg.gmres", kind="linear_operator", cached=False),
    _row("jax.scipy.sparse.linalg.bicgstab", kind="linear_operator", cached=False),
    _row(
        "jax.experimental.checkify.checkify",
        kind="checkify",
        traces="none",
        abstract=False,
        cached=False,
    ),
    _row("jax.experimental.pallas.pallas_call", kind="kernel"),
    _value("jax.pure_callback", "host"),
    _value("jax.experimental.io_callback", "host"),
    _value("jax.debug.callback", "host"),
    _value("jax.tree.map", "tree_map", traces="none"),
    _value("jax.tree_util.tree_map", "tree_map", traces="none"),
    _value("jax.tree_map", "tree_map", traces="none"),
    _value("jax.tree.map_with_path", "tree_map_with_path", traces="none"),
    _value("jax.tree_util.tree_map_with_path", "tree_map_with_path", traces="none"),
)  # fmt: skip

#: what compiles at a call, so that a fresh function costs a compilation each time
COMPILING: Final = frozenset(
    {
        "jax.jit",
        "jax.experimental.pjit.pjit",
        "jax.pmap",
        "equinox.filter_jit",
        "equinox.filter_pmap",
        "flax.nnx.jit",
        "flax.nnx.pmap",
        "jax_dataclasses.jit",
    }
)
#: gives no arrays, and yet what is traced is run later, by whoever loads it
EXPORTING: Final = frozenset({"jax.export.export"})
#: the class of what their functions are compiled to ahead of a call
COMPILED: Final = "jax.stages.Compiled"
#: those of them that know a function again which was handed to them before
RECOGNISING: Final = COMPILING - {"flax.nnx.jit", "flax.nnx.pmap"}
#: those that compare functions by structure: bound methods and transformed functions are no news
STRUCTURAL: Final = frozenset({"equinox.filter_jit", "equinox.filter_pmap"})
#: control flow, and solvers on it, that compile by themselves where they are called outside of jit,
#: once for each function object: the position and the name of each parameter that takes one, or a
#: sequence of them.  Seen by counting compilations under JAX 0.10.2, Optimistix and Diffrax 0.7, in
#: which eager ``vmap``, ``associative_scan`` and ``checkpoint`` compile nothing of their own.
EAGERLY_COMPILED: Final = {
    "jax.lax.scan": ((0, "f"),),
    "jax.lax.while_loop": ((0, "cond_fun"), (1, "body_fun")),
    "jax.lax.fori_loop": ((2, "body_fun"),),
    "jax.lax.cond": ((1, "true_fun"), (2, "false_fun")),
    "jax.lax.switch": ((1, "branches"),),
    "jax.lax.map": ((0, "f"),),
    "jax.lax.reduce": ((2, "computation"),),
    "jax.lax.reduce_window": ((2, "computation"),),
    "jax.numpy.piecewise": ((2, "funclist"),),
    "jax.experimental.ode.odeint": ((0, "func"),),
    "jax.scipy.optimize.minimize": ((0, "fun"),),
    "jax.scipy.sparse.linalg.cg": ((0, "A"),),
    "jax.scipy.sparse.linalg.gmres": ((0, "A"),),
    "jax.scipy.sparse.linalg.bicgstab": ((0, "A"),),
    "jax.experimental.pallas.pallas_call": ((0, "kernel"),),
    "diffrax.diffeqsolve": ((0, "terms"),),
    **dict.fromkeys(companions.ROOT_FINDERS, ((0, "fn"),)),
}
#: those of them that compare functions by structure, being jitted by Equinox: a method that is
#: bound to the same object again is no news.  Seen under JAX 0.10.2: calls with ``model.field``
#: compile once, those with a partial function or a method of an object made for the call each time
STRUCTURAL_FLOW: Final = frozenset({"diffrax.diffeqsolve", *companions.ROOT_FINDERS})
#: those of them that wrap what they are given in a function of their own, made anew by each call:
#: the same function compiles again, too
WRAPS_ANEW: Final = frozenset(
    {
        "jax.experimental.pallas.pallas_call",
        "jax.lax.map",
        "jax.scipy.optimize.minimize",
        "jax.scipy.sparse.linalg.cg",
        "jax.scipy.sparse.linalg.gmres",
        "jax.scipy.sparse.linalg.bicgstab",
    }
)
#: whose static and donated names and positions are checked when they are applied
CHECKS_OPTIONS: Final = frozenset(
    {"jax.jit", "jax.experimental.pjit.pjit", "flax.nnx.jit", "jax_dataclasses.jit"}
)
#: what makes those parameters static whose annotations say so; seen in jax_dataclasses 1.6
STATIC_BY_ANNOTATION: Final = frozenset({"jax_dataclasses.jit"})
#: the annotations that say so, of parameters and of the fields of dataclasses
STATIC_TYPES: Final = frozenset({"jax_dataclasses.Static"})
#: whose static arguments must be hashable
CHECKS_HASHES: Final = CHECKS_OPTIONS | {
    "jax.pmap",
    "chex.variants.with_jit",
    "chex.variants.with_pmap",
}
#: that trace ``self`` when they decorate a method
TRACES_SELF: Final = CHECKS_OPTIONS | {"jax.pmap", "jax.checkpoint", "jax.remat"}
#: whose other arguments must be arrays, numbers or pytrees of these
CHECKS_ARGUMENTS: Final = TRACES_SELF | {"jax.vmap", "jax.grad", "jax.value_and_grad"}

JAX_TRANSFORMS: Final = {row.name: row for row in _ROWS}

#: what traces the implementation of a primitive; observed under JAX 0.10.2
_LOWERING: Final = _row("jax.interpreters.mlir.lower_fun", kind="lowering", static_by=True)

#: entry points of Equinox that call a function at once; observed under Equinox 0.13
_EQUINOX: Final = {
    row.name: row
    for row in (
        _row("equinox.filter_eval_shape", kind="apply", traces="arrays", gives="static"),
        _row("equinox.internal.cached_filter_eval_shape", kind="apply", traces="arrays",
             gives="static"),
        _row("equinox.filter_closure_convert", kind="apply", traces="arrays", gives="function"),
        _value("equinox.filter_jvp", "jvp", traces="arrays"),
        _value("equinox.filter_vjp", "vjp", traces="arrays"),
        _value("equinox.filter_custom_jvp", "filter_custom", traces="none"),
        _value("equinox.filter_custom_vjp", "filter_custom", traces="none"),
        _row("equinox.internal.filter_primitive_bind", kind="bind_primitive", traces="arrays"),
    )
}  # fmt: skip

#: Chex's tests: a decorator runs a method several times, and ``self.variant`` is ``jax.jit`` or
#: ``jax.pmap`` in some of them; seen in Chex 0.1
_CHEX: Final = {
    row.name: row
    for row in (
        _value("chex.variants", "variants", traces="none"),
        _value("chex.all_variants", "variants", traces="none"),
        _row("chex.variants.with_jit", static_by=True, options=_JIT_OPTIONS),
        _row("chex.variants.with_pmap", static_by=True),
    )
}
#: framework entry points that behave as a JAX one does, argument by argument
_LIKE: Final = {
    "haiku.scan": "jax.lax.scan",
    "haiku.while_loop": "jax.lax.while_loop",
    "haiku.fori_loop": "jax.lax.fori_loop",
    "haiku.cond": "jax.lax.cond",
    "haiku.switch": "jax.lax.switch",
    "haiku.map": "jax.lax.map",
    "haiku.vmap": "jax.vmap",
    "haiku.grad": "jax.grad",
    "haiku.value_and_grad": "jax.value_and_grad",
    "haiku.remat": "jax.checkpoint",
    "haiku.eval_shape": "jax.eval_shape",
    "flax.nnx.cond": "jax.lax.cond",
    "flax.nnx.switch": "jax.lax.switch",
    "flax.nnx.while_loop": "jax.lax.while_loop",
    "flax.nnx.fori_loop": "jax.lax.fori_loop",
    "flax.nnx.vmap": "jax.vmap",
    "flax.nnx.grad": "jax.grad",
    "flax.nnx.value_and_grad": "jax.value_and_grad",
    "flax.nnx.eval_shape": "jax.eval_shape",
    "jax_dataclasses.jit": "jax.jit",
    "equinox.internal.while_loop": "jax.lax.while_loop",
    "equinox.internal.scan": "jax.lax.scan",
    # Of older releases of JAX.  ``xmap`` compiles; what it keeps of a trace is not said.
    "jax.experimental.maps.xmap": "jax.numpy.vectorize",
    "jax.experimental.host_callback.call": "jax.pure_callback",
    "jax.experimental.host_callback.id_tap": "jax.debug.callback",
}


@cache
def transform(name: str) -> Transform | None:
    """The row of a qualified name, None if it transforms nothing."""
    name = current_name(name)
    row = _LOWERING if name == _LOWERING.name else JAX_TRANSFORMS.get(name)
    if row is None and name.startswith("equinox."):
        row = _EQUINOX.get(frameworks.canonical(name))
    if row is None:
        row = _CHEX.get(name)
    if row is not None:
        return row
    like = _LIKE.get(name)
    if like is not None:
        row = JAX_TRANSFORMS[like]
        return Transform(
            name, row.kind, row.abstract, row.staging or name.endswith(".xmap"), row.cached,
            row.traces, row.options, row.static_by, row.gives, row.functions,
        )  # fmt: skip
    if name.partition(".")[0] == "jax":
        return None
    if name in companions.SAMPLERS:
        return Transform(name, "solver", cached=False, names=("logdensity_fn",))
    if name in companions.EQUATIONS:
        return Transform(name, "equation", names=("terms",))
    fact = frameworks.framework_transform(name)
    return None if fact is None else _from_framework(name, fact)


def _from_framework(name: str, fact: frameworks.FrameworkTransform) -> Transform | None:
    positions = tuple(f.index for f in fact.functions if f.index is not None)
    if fact.host:
        return _value(name, "host", functions=positions)
    if fact.gives == "transformed":
        return _value(name, "transformed", traces="none")
    if fact.gives == "solver":
        names = tuple(f.name for f in fact.functions if f.index is not None)
        return Transform(
            name, "solver", cached=fact.cached, functions=positions, names=names,
            rehearsed=fact.rehearsed,
        )  # fmt: skip
    if name in companions.ROOT_FINDERS:
        return Transform(name, "root_finder", cached=fact.cached, functions=positions)
    if fact.gives != "callable" or not fact.functions:
        return None
    passes = fact.functions[0].passes
    if passes[:1] == ("module",):
        traces = "none" if fact.traced == "none" else "leaves"
        return Transform(name, "module_wrap", fact.abstract, fact.abstract, fact.cached, traces)
    if passes[:1] not in (("*args",), ("carry",)):
        # Called by a convention of its own: nothing is known of its arguments.
        return None
    traces = {"selected": "argnums", "leaves": "leaves", "arrays": "arrays", "first": "first"}.get(
        fact.traced, "leaves" if fact.abstract else "none"
    )
    gives = "same"
    last = name.rpartition(".")[2]
    if "value_and_grad" in last:
        gives = "value_and_gradient"
    elif "grad" in last or "jac" in last or "hessian" in last:
        gives = "gradient"
    elif last.endswith("make_jaxpr"):
        gives = "static"
    staging = fact.abstract and not is_mapping(last)
    return Transform(
        name,
        "wrap",
        abstract=fact.abstract,
        staging=staging,
        cached=fact.cached,
        traces=traces,
        static_by=bool(fact.static_by),
        gives=gives,
    )


def configured(name: str, argument: int | str, static: str | None) -> Transform:
    """The row of a project's own transform, as its configuration describes it.

    Args:
      name: qualified name of the transform.
      argument: position or keyword of the function that it traces.
      static: the keyword that names static parameters, None if it has none.
    """
    options = (str(argument), static or "")
    return Transform(name, "configured", options=options, static_by=static is not None)


#: modules whose every attribute is a name of the model
_MODELLED: Final = frozenset({"jax", "numpy", "scipy", "math", "builtins", "functools"})


@cache
def is_modelled(name: str) -> bool:
    """Whether the tables know a name, so that its definition is not looked for in the project.

    Matters when the linted project is one of the modelled libraries itself.
    """
    if transform(name) is not None:
        return name not in companions.FOLLOWED
    return functions.lookup(name) is not None and name.partition(".")[0] in _MODELLED


@cache
def transform_words() -> frozenset[str]:
    """Last parts of the names of everything that traces: what the index looks for in the text."""
    untraced = ("tree_map", "tree_map_with_path", "host")
    names = [row.name for row in _ROWS if row.kind not in untraced]
    names += [*_LIKE, *_EQUINOX, *_CHEX, _LOWERING.name]
    names += [n for n in frameworks.transform_names() if transform(n) is not None]
    names += [*companions.SAMPLERS, *companions.EQUATIONS]
    return frozenset(name.rpartition(".")[2] for name in names)


def static_option(name: str) -> str:
    """How a transform has arguments declared static.

    Args:
      name: its qualified name.

    Returns:
      The option that lists them; ``values`` where every Python value is static (Equinox); empty for
      a transform that knows no static arguments.
    """
    if name.startswith("equinox."):
        return "values"
    if name in ("jax.pmap", "flax.nnx.pmap"):
        return "static_broadcasted_argnums"
    return "static_argnames" if name in _BY_NAME else ""


_BY_NAME: Final = frozenset(
    {"jax.jit", ASSUMED, STEPPED, "jax.experimental.pjit.pjit", "flax.nnx.jit"}
)
