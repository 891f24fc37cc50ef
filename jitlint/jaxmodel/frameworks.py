"""What optax, Flax, Equinox, Haiku and Chex do with traced values: the tables and their lookups.

``data/frameworks.json`` holds functions, layers and classes, ``data/framework_transforms.json`` the
entry points that trace a callable or pass it on.  ``tools.probes`` writes both by running the
installed packages; nothing here imports them.  A file is read on the first lookup, and a row
becomes an object only when it is asked for.

Three lookups, all by qualified name with import aliases resolved (``flax.linen.Dense``; the
spellings ``flax.linen.linear.Dense`` and ``optax.losses.l2_loss`` are known as well):

* :func:`lookup` for what a call gives and which of its parameters must be static,
* :func:`base_class` for classes that user code derives from, decorates with or gets instances of,
* :func:`framework_transform` for callables that get traced.

**What a call gives** (``returns`` and ``call_returns``): ``array``; ``arrays:N``, a tuple of N;
``tree``, a pytree with traced leaves and unknown structure; ``tree_pair``, a tuple of two trees;
``static``, never a tracer; ``argument``, the first argument as it is; ``none``; ``callable``;
``object``; ``object:NAME``, an instance of the class NAME that :func:`base_class` knows; ``same``
(in methods), another instance of the same class; ``raises`` when every call with a traced operand
raises; ``unknown``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct, field

from jitlint.jaxmodel.functions import Parameter, dotted_exceptions, parse_signature

FACTS_FILE: Final = Path(__file__).with_name("data") / "frameworks.json"
TRANSFORMS_FILE: Final = Path(__file__).with_name("data") / "framework_transforms.json"

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class FrameworkFact(Struct, frozen=True):
    """What one function or layer class of a framework does with traced values.

    Args:
      name: canonical qualified name.
      kind: ``function``, ``class`` or ``module_class`` (a layer whose instances are called).
      returns: what the call gives for traced operands, see the module's docstring.
      parameters: the signature in order (of ``__init__`` for a class), None when not known.
      must_be_static: parameter to the exception classes seen when it alone is traced besides the
        array operands.
      traced_ok: Python-number parameters that may be traced.
      same_as: the JAX function that this name is, to be looked up instead, or None.
      fails_on_tracer: exception classes seen when the operands are tracers; set with ``raises``.
      call_returns: what calling the result gives: the layer's output, the schedule's value.
      call_parameters: the signature of that call, None when not known.
      call_must_be_static: like ``must_be_static``, for that call (``deterministic``, ``train``).
      call_traced_ok: like ``traced_ok``, for that call.
      note: a caveat for readers, or the empty string.
      evidence: ``run`` when the installed package was run, ``doc`` when it was only read.
    """

    name: str
    kind: str = "function"
    returns: str = "unknown"
    parameters: tuple[Parameter, ...] | None = None
    must_be_static: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NOTHING)
    traced_ok: tuple[str, ...] = ()
    same_as: str | None = None
    fails_on_tracer: tuple[str, ...] = ()
    call_returns: str | None = None
    call_parameters: tuple[Parameter, ...] | None = None
    call_must_be_static: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NOTHING)
    call_traced_ok: tuple[str, ...] = ()
    note: str = ""
    evidence: str = "run"

    @property
    def asserts(self) -> bool:
        """Whether it is an assertion that takes the values of arrays outside of a trace alone."""
        asked = {"RuntimeError", "jax.errors.TracerBoolConversionError"}
        return ".assert_" in self.name and not asked.isdisjoint(self.fails_on_tracer)


class StaticMarker(Struct, frozen=True):
    """How a class declares that a field is static.

    Args:
      call: qualified name of the field function (``equinox.field``), of the field's type
        (``flax.nnx.Static``), or of the class decorator or registration function.
      keyword: the argument that says so, the empty string when the call alone does.
      value: the value of that argument as Python text (``True``, ``False``), or ``names`` when the
        argument lists the field names.
    """

    call: str
    keyword: str
    value: str


class ClassFact(Struct, frozen=True):
    """A class to derive from or to decorate with, or one whose instances user code holds.

    Args:
      name: canonical qualified name.
      role: ``base`` (derived from), ``decorator`` (applied to a class), ``registration`` (called
        with the class) or ``instance`` (only its instances matter).
      pytree: True when instances are pytrees; False when they are not, so that ``jax.jit`` cannot
        take one as an argument.
      fields: what a plain field of an instance that passes ``jax.jit`` holds: ``traced`` (all
        leaves, Python numbers too), ``static`` (configuration; traced values live elsewhere),
        ``variables`` (only ``flax.nnx.Variable`` and array attributes are traced, Python
        attributes are static) or ``unknown`` (the class's own flatten function decides).
      static_markers: declarations that make a field static.
      static_fields: fields that are static in this class.
      traced_fields: fields that are traced in this class.
      array_fields: those of them that it declares to be one array each, or a number.
      methods: method to what a call gives.
      frozen: True when assigning an attribute raises.
      hashable: True when an instance can be a static argument.
      exceptions: exception classes seen when a plain instance is passed to ``jax.jit``.
      note: a caveat for readers, or the empty string.
      evidence: ``run`` or ``doc``.
    """

    name: str
    role: str
    pytree: bool
    fields: str = "unknown"
    static_markers: tuple[StaticMarker, ...] = ()
    static_fields: tuple[str, ...] = ()
    traced_fields: tuple[str, ...] = ()
    array_fields: tuple[str, ...] = ()
    methods: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    frozen: bool = False
    hashable: bool = True
    exceptions: tuple[str, ...] = ()
    note: str = ""
    evidence: str = "run"


class FunctionArgument(Struct, frozen=True):
    """One callable that an entry point takes.

    Args:
      index: position in the call, None for keyword-only.
      name: name of the parameter.
      passes: what the callable gets, in order.  ``*args`` and ``**kwargs``: what the transformed
        callable, or the entry point itself behind its own parameters, is called with.
        ``*operands``: the remaining operands.  ``module`` or ``scope``: the framework's object, no
        tracer itself.  Every other word (``carry``, ``x``, ``index``) is one argument.
      sequence: True when the argument is a sequence of callables.
      abstract: whether its array arguments lack values, even when the entry point is called
        outside ``jax.jit``.  None when that was not measured.
      receives: kinds seen for its arguments in an eager run, ``traced``, ``array`` (concrete),
        ``python`` and ``object``, in the order of the probe's call; empty when not measured.
    """

    index: int | None
    name: str
    passes: tuple[str, ...]
    sequence: bool = False
    abstract: bool | None = None
    receives: tuple[str, ...] = ()


class FrameworkTransform(Struct, frozen=True):
    """An entry point that traces a callable or passes it on.

    Args:
      name: canonical qualified name.
      functions: the callables it takes.
      gives: ``callable`` (the transformed callable, called later), ``result`` (the callables are
        called at once), ``transformed`` (an object with ``init`` and ``apply`` that call it),
        ``solver`` (an object whose methods call it later) or ``context``.
      abstract: True when values are unavailable in the callables, whatever surrounds the call;
        False when they only inherit what surrounds it, or get tracers that carry values.
      cached: True when the Python body does not run again in a second equal call.
      host: True for callbacks, which get concrete arrays; nothing in them is hostile.
      traced: which arguments become traced: ``leaves`` (all leaves, Python numbers too),
        ``arrays`` (array leaves only, Python numbers stay static), ``selected`` (those that
        ``selected_by`` selects), ``first`` (the first argument), ``operands`` (all arguments named
        in ``passes``), ``variables`` (the module's variables and all leaves of the arguments),
        ``none`` (inherits) or ``unknown``.
      selected_by: the parameter that selects them (``argnums``, ``in_axes``), or empty.
      static_by: parameters that declare static arguments.
      factory: True when a call without the callable gives a decorator.
      takes_class: True when a module class may stand for the callable, so that its methods
        (``__call__``, or those in ``methods=``) are traced; they get ``self`` untraced.
      rehearsed: True when the callable runs once outside of every trace before it is traced.
      note: a caveat for readers, or the empty string.
      evidence: ``run`` or ``doc``.
    """

    name: str
    functions: tuple[FunctionArgument, ...]
    gives: str = "callable"
    abstract: bool = False
    cached: bool = False
    host: bool = False
    traced: str = "unknown"
    selected_by: str = ""
    static_by: tuple[str, ...] = ()
    factory: bool = False
    takes_class: bool = False
    rehearsed: bool = False
    note: str = ""
    evidence: str = "run"


def _exceptions(rows: Mapping[str, str] | None) -> Mapping[str, tuple[str, ...]]:
    if not rows:
        return _NOTHING
    return MappingProxyType({name: dotted_exceptions(text) for name, text in rows.items()})


def _fact(name: str, row: Mapping[str, Any]) -> FrameworkFact:
    signature = row.get("parameters")
    called = row.get("call_parameters")
    return FrameworkFact(
        name=name,
        kind=row.get("kind", "function"),
        returns=row.get("returns", "unknown"),
        parameters=None if signature is None else parse_signature(signature),
        must_be_static=_exceptions(row.get("must_be_static")),
        traced_ok=tuple(row.get("traced_ok", "").split()),
        same_as=row.get("same_as"),
        fails_on_tracer=dotted_exceptions(row.get("fails", "")),
        call_returns=row.get("call_returns"),
        call_parameters=None if called is None else parse_signature(called),
        call_must_be_static=_exceptions(row.get("call_must_be_static")),
        call_traced_ok=tuple(row.get("call_traced_ok", "").split()),
        note=row.get("note", ""),
        evidence=row.get("evidence", "run"),
    )


def _class(name: str, row: Mapping[str, Any]) -> ClassFact:
    return ClassFact(
        name=name,
        role=row["role"],
        pytree=row["pytree"],
        fields=row.get("fields", "unknown"),
        static_markers=tuple(StaticMarker(*marker) for marker in row.get("static_markers", ())),
        static_fields=tuple(row.get("static_fields", "").split()),
        traced_fields=tuple(row.get("traced_fields", "").split()),
        array_fields=tuple(row.get("array_fields", "").split()),
        methods=MappingProxyType(row.get("methods", {})),
        frozen=row.get("frozen", False),
        hashable=row.get("hashable", True),
        exceptions=dotted_exceptions(row.get("exceptions", "")),
        note=row.get("note", ""),
        evidence=row.get("evidence", "run"),
    )


def _argument(row: Mapping[str, Any]) -> FunctionArgument:
    return FunctionArgument(
        index=row.get("index"),
        name=row["name"],
        passes=tuple(row["passes"].split()),
        sequence=row.get("sequence", False),
        abstract=row.get("abstract"),
        receives=tuple(row.get("receives", "").split()),
    )


def _transform(name: str, row: Mapping[str, Any]) -> FrameworkTransform:
    return FrameworkTransform(
        name=name,
        functions=tuple(_argument(argument) for argument in row["functions"]),
        gives=row.get("gives", "callable"),
        abstract=row.get("abstract", False),
        cached=row.get("cached", False),
        host=row.get("host", False),
        traced=row.get("traced", "unknown"),
        selected_by=row.get("selected_by", ""),
        static_by=tuple(row.get("static_by", "").split()),
        factory=row.get("factory", False),
        takes_class=row.get("takes_class", False),
        rehearsed=row.get("rehearsed", False),
        note=row.get("note", ""),
        evidence=row.get("evidence", "run"),
    )


@cache
def _facts_document() -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads(FACTS_FILE.read_bytes())
    return document


@cache
def _transforms_document() -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads(TRANSFORMS_FILE.read_bytes())
    return document


#: the class of what Optax and those who use it combine, a tuple of functions: two are never equal
#: unless they are one (optax 0.2.8: five compilations in five turns that each make one)
TRANSFORMATION: Final = "optax.GradientTransformation"
#: parameters of Optax functions that may be a schedule: observed under jit with optax 0.2.8, where
#: it is called with a tracer, the count of updates
SCHEDULES: Final = frozenset({"learning_rate", "weight_decay", "step_size_fn"})


#: whose functions the tables know
_PACKAGES: Final = frozenset({"chex", "equinox", "flax", "haiku", "jmp", "optax"})
#: names of older releases: chex called it deprecated in 0.1.0, and has dropped it since
_FORMER: Final = {"chex.assert_tree_all_close": "chex.assert_trees_all_close"}


@cache
def canonical_function(qualified: str) -> str:
    """The name under which the tables know something: ``flax.core.freeze`` for where it is made.

    Args:
      qualified: full dotted name, of whatever package.
    """
    if qualified.partition(".")[0] not in _PACKAGES:
        return qualified
    name: str = _facts_document()["aliases"].get(qualified, _FORMER.get(qualified, qualified))
    return name


@cache
def lookup(qualified: str) -> FrameworkFact | None:
    """Give what is known of a framework's function or layer class.

    Args:
      qualified: full dotted name with import aliases resolved, as in ``flax.linen.Dense``.

    Returns:
      The fact under its canonical name, or None.  When ``same_as`` is set, the name is a JAX
      function (``flax.linen.relu`` is ``jax.nn.relu``): look that one up in
      ``jitlint.jaxmodel.functions``.
    """
    document, name = _facts_document(), canonical_function(qualified)
    row = document["functions"].get(name)
    if row is not None:
        return _fact(name, row)
    same_as = document["same_as"].get(name)
    return None if same_as is None else FrameworkFact(name=name, same_as=same_as)


#: fields of train states that are none of their leaves, whatever object it is that has them: an
#: update hands them on
STATIC_FIELDS: Final = frozenset({"apply_fn", "graphdef", "tx"})
#: methods that tell whose object it is on which they are called, the likeliest class first
TELLING_METHODS: Final = {
    "apply_gradients": ("flax.training.train_state.TrainState", "flax.nnx.TrainState"),
}


@cache
def base_class(qualified: str) -> ClassFact | None:
    """Give what is known of a class that user code derives from, decorates with or holds.

    Args:
      qualified: full dotted name, as in ``equinox.Module``, ``flax.struct.dataclass``,
        ``flax.training.train_state.TrainState`` or ``jax.tree_util.register_dataclass``.
    """
    document = _facts_document()
    name = document["aliases"].get(qualified, qualified)
    row = document["classes"].get(name)
    return None if row is None else _class(name, row)


@cache
def framework_transform(qualified: str) -> FrameworkTransform | None:
    """Give what is known of an entry point that takes callables.

    Args:
      qualified: full dotted name, as in ``equinox.filter_jit``, ``flax.nnx.scan``,
        ``haiku.transform``, or of a method, as in ``flax.linen.Module.apply``.
    """
    document = _transforms_document()
    name = document["aliases"].get(qualified, qualified)
    row = document["transforms"].get(name)
    return None if row is None else _transform(name, row)


def canonical(qualified: str) -> str:
    """The name under which :func:`framework_transform` knows an entry point, as users write it."""
    name: str = _transforms_document()["aliases"].get(qualified, qualified)
    return name


def transform_names() -> frozenset[str]:
    """Give every spelling that :func:`framework_transform` knows."""
    document = _transforms_document()
    return frozenset(document["transforms"]) | frozenset(document["aliases"])


#: the boxed arrays of nnx layers by attribute, read off instances made under flax 0.12; an optional
#: one (``bias`` without ``use_bias``) is None instead
_LAYER_ARRAYS: Final = {
    "flax.nnx.Linear": frozenset({"kernel", "bias"}),
    "flax.nnx.LinearGeneral": frozenset({"kernel", "bias"}),
    "flax.nnx.Einsum": frozenset({"kernel", "bias"}),
    "flax.nnx.Conv": frozenset({"kernel", "bias"}),
    "flax.nnx.ConvTranspose": frozenset({"kernel", "bias"}),
    "flax.nnx.Embed": frozenset({"embedding"}),
    "flax.nnx.BatchNorm": frozenset({"mean", "var", "scale", "bias"}),
    "flax.nnx.LayerNorm": frozenset({"scale", "bias"}),
    "flax.nnx.GroupNorm": frozenset({"scale", "bias"}),
    "flax.nnx.RMSNorm": frozenset({"scale"}),
}


def layer_arrays(name: str) -> frozenset[str]:
    """The attributes of a built-in nnx layer that hold arrays in boxes.

    Args:
      name: the qualified name of the layer's class, as users write it.

    Returns:
      Their names; none for a class that is no such layer.
    """
    return _LAYER_ARRAYS.get(name, frozenset())
