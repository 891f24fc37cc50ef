"""What library functions do when they are given a traced value: the table and its lookup.

The rows live in ``data/functions.json``, which ``tools.probes`` writes by running the installed
JAX; nothing here imports JAX.  The file is read once, on the first lookup, and a row becomes a
``FunctionFact`` only when it is asked for, so a run pays for the functions it meets.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct, field

DATA_FILE: Final = Path(__file__).with_name("data") / "functions.json"

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})

# Rows hold the bare class name; these belong to jax.errors, all others are builtins.
JAX_ERRORS: Final = frozenset(
    {
        "ConcretizationTypeError",
        "JAXTypeError",
        "JaxRuntimeError",
        "KeyReuseError",
        "NonConcreteBooleanIndexError",
        "TracerArrayConversionError",
        "TracerBoolConversionError",
        "TracerIntegerConversionError",
        "UnexpectedTracerError",
    }
)

# Spellings that older JAX releases had and the probed one no longer has.  Code that pins an older
# release still uses them, and they behave like what replaced them.
_FORMER_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "jax.numpy.in1d": "jax.numpy.isin",
        "jax.numpy.msort": "jax.numpy.sort",
        "jax.numpy.product": "jax.numpy.prod",
        "jax.numpy.cumproduct": "jax.numpy.cumprod",
        "jax.numpy.alltrue": "jax.numpy.all",
        "jax.numpy.sometrue": "jax.numpy.any",
        "jax.numpy.round_": "jax.numpy.round",
        "jax.numpy.row_stack": "jax.numpy.vstack",
        "jax.numpy.trapz": "jax.numpy.trapezoid",
        "jax.numpy.fix": "jax.numpy.trunc",
        "jax.tree_map": "jax.tree.map",
        "jax.tree_multimap": "jax.tree.map",
        "jax.tree_leaves": "jax.tree.leaves",
        "jax.tree_flatten": "jax.tree.flatten",
        "jax.tree_unflatten": "jax.tree.unflatten",
        "jax.tree_structure": "jax.tree.structure",
        "jax.tree_transpose": "jax.tree.transpose",
        "jax.tree_util.tree_multimap": "jax.tree_util.tree_map",
        "jax.scipy.linalg.tril": "jax.numpy.tril",
        "jax.scipy.linalg.triu": "jax.numpy.triu",
        "jax.scipy.integrate.trapz": "jax.scipy.integrate.trapezoid",
        "jax.random.shuffle": "jax.random.permutation",
        "jax.nn.normalize": "jax.nn.standardize",
        "numpy.product": "numpy.prod",
        "numpy.cumproduct": "numpy.cumprod",
        "numpy.alltrue": "numpy.all",
        "numpy.sometrue": "numpy.any",
        "numpy.round_": "numpy.round",
        "numpy.row_stack": "numpy.vstack",
        "numpy.trapz": "numpy.trapezoid",
        "numpy.in1d": "numpy.isin",
        "numpy.float_": "numpy.float64",
        "numpy.complex_": "numpy.complex128",
    }
)


class Parameter(Struct, frozen=True):
    """One parameter of a library function.

    Args:
      name: the name as the signature spells it, without stars.
      kind: ``positional`` (only), ``either``, ``keyword`` (only), ``var_positional`` or
        ``var_keyword``.
      has_default: whether a call may leave it out.
    """

    name: str
    kind: str
    has_default: bool


class DataDependence(Struct, frozen=True):
    """The shape of the result depends on values.

    Args:
      escapes: keywords, any one of which makes the shape static; empty when there is none.
      applies: ``traced`` when only traced operands fail, ``any`` when the call fails inside jit
        even with constant operands, because JAX stages those too.
      operand: parameters whose values decide the shape; others may be traced where nothing is
        staged, as under ``vmap`` alone.
      when_arity: the call fails only with this many operands (1 for ``where``), None for any.
      exceptions: dotted names of the exception classes seen.
      escape_values: for an escape that helps only with some values (``mode='clip'``), those
        values in Python spelling; an escape that is not listed helps with every value.
    """

    escapes: tuple[str, ...]
    applies: str
    operand: tuple[str, ...]
    when_arity: int | None
    exceptions: tuple[str, ...]
    escape_values: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NOTHING)


class FunctionFact(Struct, frozen=True):
    """What one function does with traced operands.

    Args:
      name: canonical qualified name, for example ``jax.numpy.sum`` or ``builtins.float``.
      parameters: the signature in order, None when it is not known.
      returns: what comes back for traced operands: ``array``, ``arrays:N`` (a tuple of N arrays),
        ``array_list`` (a sequence of arrays of unknown length), ``static`` (never a tracer),
        ``operand`` (the first operand itself, with its structure), ``none``, ``callable``,
        ``tree`` or ``unknown``.
      must_be_static: parameter to the exception classes seen when it is traced.
      unless_given: parameter to the keyword that lets that parameter be traced.
      data_dependent: set when the shape of the result depends on values.
      fails_on_tracer: exception classes seen when an array argument is a tracer.
      fails_parameters: the only parameters that fail on a tracer; empty for any.
      silently_wrong: True when nothing raises but the result is wrong.
      made: what a function of NumPy or SciPy surely makes for host code: ``array`` and ``arrays:N``
        are NumPy arrays with dimensions, ``rows`` is one if an operand has some; empty if it is not
        sure.
      dispatches_to_method: True for a NumPy function that calls the tracer's own method, so that
        it works and gives a traced result.
      evidence: ``run`` when the installed JAX was run, ``doc`` when it was only read.
      documented_static: parameters that the documentation or the signature says are static and
        that no run tried; not part of ``must_be_static``.
    """

    name: str
    parameters: tuple[Parameter, ...] | None = None
    returns: str = "unknown"
    must_be_static: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NOTHING)
    unless_given: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    data_dependent: DataDependence | None = None
    fails_on_tracer: tuple[str, ...] = ()
    fails_parameters: tuple[str, ...] = ()
    silently_wrong: bool = False
    made: str = ""
    dispatches_to_method: bool = False
    evidence: str = "run"
    documented_static: tuple[str, ...] = ()


class AttributeFact(Struct, frozen=True):
    """What reading an attribute of a tracer gives.

    Args:
      name: the attribute.
      kind: ``static`` (shape), ``array`` (T), ``at`` (the update helper), ``concretizes`` (raises
        because a value is needed) or ``missing`` (arrays have it, tracers do not).
      exceptions: dotted names of the exception classes seen; empty when it can be read.
    """

    name: str
    kind: str
    exceptions: tuple[str, ...] = ()


def parse_signature(text: str) -> tuple[Parameter, ...]:
    """Read the compact signature of a row.

    Args:
      text: names separated by blanks; a trailing ``=`` marks a default; ``/``, ``*``, ``*args`` and
        ``**kwargs`` mean what they mean in Python.
    """
    parameters: list[Parameter] = []
    kind = "either"
    for token in text.split():
        if token == "/":
            parameters = [Parameter(p.name, "positional", p.has_default) for p in parameters]
        elif token == "*":
            kind = "keyword"
        elif token.startswith("**"):
            parameters.append(Parameter(token[2:], "var_keyword", True))
        elif token.startswith("*"):
            parameters.append(Parameter(token[1:], "var_positional", True))
            kind = "keyword"
        else:
            parameters.append(Parameter(token.removesuffix("="), kind, token.endswith("=")))
    return tuple(parameters)


def dotted_exceptions(names: str) -> tuple[str, ...]:
    """Expand the exception names of a row, separated by blanks, to dotted class names."""
    return tuple(f"jax.errors.{name}" if name in JAX_ERRORS else name for name in names.split())


class FunctionTable:
    """The parsed table.

    Args:
      document: the decoded JSON document.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.versions: Mapping[str, str] = document["versions"]
        self.rows: Mapping[str, Mapping[str, Any]] = document["functions"]
        self.aliases: Mapping[str, str] = document["aliases"]
        self.attributes: Mapping[str, str] = document["attributes"]
        self.modules: frozenset[str] = frozenset(document["modules"])
        self.constants: Mapping[str, str] = document["constants"]
        self._facts: dict[str, FunctionFact | None] = {}

    def canonical(self, qualified: str) -> str:
        """Give the name under which a row is stored, or the name itself when it is no alias."""
        for _ in range(4):  # an alias of an alias of a former name; the bound stops a cycle
            if qualified in self.rows:
                return qualified
            target = self.aliases.get(qualified) or _FORMER_NAMES.get(qualified)
            if target is None:
                return qualified
            qualified = target
        return qualified

    def lookup(self, qualified: str) -> FunctionFact | None:
        """Give the fact of a function under any of its names, or None when it has no row."""
        try:
            return self._facts[qualified]
        except KeyError:
            pass
        name = self.canonical(qualified)
        row = self.rows.get(name)
        fact = None if row is None else _fact(name, row)
        self._facts[qualified] = fact
        return fact


def _fact(name: str, row: Mapping[str, Any]) -> FunctionFact:
    signature = row.get("parameters")
    dependence = row.get("data_dependent")
    return FunctionFact(
        name=name,
        parameters=None if signature is None else parse_signature(signature),
        returns=row.get("returns", "array"),
        must_be_static=_expanded(row.get("must_be_static")),
        unless_given=MappingProxyType(row.get("unless_given", {})),
        data_dependent=None if dependence is None else _dependence(dependence),
        fails_on_tracer=dotted_exceptions(row.get("fails", "")),
        fails_parameters=tuple(row.get("fails_parameters", "").split()),
        silently_wrong=row.get("silently_wrong", False),
        made=row.get("made", ""),
        dispatches_to_method=row.get("dispatches", False),
        evidence=row.get("evidence", "run"),
        documented_static=tuple(row.get("documented_static", "").split()),
    )


def _expanded(names: Mapping[str, str] | None) -> Mapping[str, tuple[str, ...]]:
    if not names:
        return _NOTHING
    return MappingProxyType({key: dotted_exceptions(value) for key, value in names.items()})


def _dependence(row: Mapping[str, Any]) -> DataDependence:
    return DataDependence(
        escapes=tuple(row.get("escapes", "").split()),
        applies=row.get("applies", "traced"),
        operand=tuple(row.get("operand", "").split()),
        when_arity=row.get("when_arity"),
        exceptions=dotted_exceptions(row.get("exceptions", "")),
        escape_values=MappingProxyType(
            {key: tuple(value.split()) for key, value in row.get("escape_values", {}).items()}
        ),
    )


@cache
def table() -> FunctionTable:
    """Load the table that ships with the package; the first call reads the file."""
    # Not importlib.resources: importing it costs more than reading this table.
    return FunctionTable(json.loads(DATA_FILE.read_bytes()))


def lookup(qualified: str) -> FunctionFact | None:
    """Give what is known of a function.

    Args:
      qualified: the full dotted name with import aliases resolved, as in ``jax.numpy.sum``.  A
        name without a dot is a builtin.

    Returns:
      The fact under its canonical name, or None when nothing is known.
    """
    return table().lookup(qualified if "." in qualified else f"builtins.{qualified}")


def knows_module(qualified: str) -> bool:
    """Tell whether the table covers a module, so that a name it lacks is an unknown function."""
    return qualified in table().modules


def are_one(left: str, right: str) -> bool | None:
    """Tell whether two names stand for one module or function.

    Args:
      left: a full dotted name, as :func:`lookup` takes it; one without a dot is a module.
      right: another.

    Returns:
      None where it is not known: of names that the table lacks, and of functions of two libraries
      that one of them may have from the other.
    """
    modules = [knows_module(name) or "." not in name for name in (left, right)]
    if any(modules):
        known = all(modules) or lookup(left) is not None or lookup(right) is not None
        return left == right if known else None
    facts = [lookup(left), lookup(right)]
    if facts[0] is None or facts[1] is None or constant(left) or constant(right):
        return None
    if facts[0] is facts[1]:
        return True
    roots = {fact.name.partition(".")[0] for fact in facts if fact is not None}
    own = all(fact is not None and fact.returns.startswith("array") for fact in facts)
    return False if own and ("jax" in roots or len(roots) == 1) else None


def constant(qualified: str) -> str | None:
    """Tell what a plain name of a covered module is.

    Args:
      qualified: the full dotted name, as in ``jax.numpy.pi``.

    Returns:
      ``static`` for a Python value (``jax.numpy.pi``, ``math.inf``), ``dtype`` for a scalar type
      (``jax.numpy.float32``), ``type`` for another class, None when it is none of these.
    """
    loaded = table()
    return loaded.constants.get(loaded.aliases.get(qualified, qualified))


def array_attribute(name: str) -> AttributeFact | None:
    """Give what reading ``x.name`` does for a tracer ``x``; None for methods and unknown names."""
    row = table().attributes.get(name)
    if row is None:
        return None
    kind, _, exceptions = row.partition(" ")
    return AttributeFact(name, kind, dotted_exceptions(exceptions))


def array_method(name: str) -> FunctionFact | None:
    """Give the fact of the method ``x.name(...)`` of a tracer; its parameters are without self."""
    return table().lookup(f"jax.Array.{name}")


#: keywords by which PyTorch's functions take what those of NumPy and JAX call otherwise, or do not
#: take: a function of JAX that has not one of that name raises TypeError
_OF_PYTORCH: Final = frozenset({"dim", "dims", "keepdim", "requires_grad", "shifts"})


def is_of_pytorch(fact: FunctionFact, keywords: Collection[str]) -> bool:
    """Whether a function of JAX is called as its like of PyTorch is: ``jnp.sum(x, dim=1)``.

    Other keywords that it does not have may be those of another version of JAX.
    """
    foreign = _OF_PYTORCH.intersection(keywords)
    if not foreign or fact.parameters is None or not fact.name.startswith("jax."):
        return False
    return foreign.isdisjoint(parameter.name for parameter in fact.parameters)


def lacks(name: str) -> bool:
    """Whether a concrete array has a method that a tracer has not: ``clone``, ``tofile``."""
    fact = array_method(name)
    return fact is not None and "AttributeError" in {
        error.rpartition(".")[2] for error in fact.fails_on_tracer
    }


def __getattr__(name: str) -> Any:
    # ARRAY_ATTRIBUTES is a module constant to its readers, but must not cost an import a file read.
    if name == "ARRAY_ATTRIBUTES":
        return MappingProxyType(
            {key: row.partition(" ")[0] for key, row in table().attributes.items()}
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
