"""Entry points and classes of the frameworks, exercised by small programs.

What the samples claim and a run contradicts is logged as an error.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import logging
import sys
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, Final

import jax
import numpy as np

from tools.probes.documents import Row
from tools.probes.framework_calls import arrays, modules
from tools.probes.framework_class_samples import CLASSES
from tools.probes.framework_transform_samples import TRANSFORMS

_LOGGER = logging.getLogger(__name__)

#: The state classes of optax are all NamedTuples, hence pytrees of traced fields.
_STATE_CLASS: Row = {
    "role": "instance", "pytree": True, "fields": "traced", "frozen": True,
    "hashable": False, "methods": {"_replace": "same"}, "evidence": "doc",
}  # fmt: skip


def transforms(stored: Mapping[str, Row], only: str = "") -> dict[str, Row]:
    """Describe every entry point that takes a callable, by running its program eagerly.

    Args:
      stored: the rows to keep for packages that are not installed.
      only: prefix of the names to measure.
    """
    rows: dict[str, Row] = {}
    names = {**modules(), **arrays()}
    for name, spec in TRANSFORMS.items():
        if not name.startswith(only):
            continue
        if spec["call"] and importlib.util.find_spec(name.partition(".")[0]) is None:
            if name in stored:
                rows[name] = stored[name]
            continue
        functions = _parse_functions(spec["functions"])
        row: Row = {**spec, "functions": functions}
        setup, call = row.pop("setup"), row.pop("call")
        if call and (recorder := _run_twice(name, setup, call, names)) is not None:
            for argument in functions:
                argument.update(recorder.seen.get(argument["name"], {}))
            row["cached"] = recorder.runs == recorder.first_runs
            row["abstract"] = any(f.get("abstract", False) for f in functions)
        else:
            row["evidence"] = "doc"
        rows[name] = {
            key: value
            for key, value in row.items()
            if value not in (False, "") or key == "functions"
        }
    return rows


def _run_twice(name: str, setup: str, call: str, names: Mapping[str, Any]) -> _Recorder | None:
    """Run the program of an entry point; None when it fails."""
    recorder = _Recorder()
    scope = {**names, "R": recorder.watch, "RESET": recorder.reset}
    try:
        exec(setup, scope)  # our own data, never a user's
        exec(call, scope)
        recorder.first_runs = recorder.runs
        exec(call, scope)
    except Exception as failure:  # whatever a library raises is reported
        _LOGGER.error("%s: %s: %s", name, type(failure).__name__, failure)
        return None
    if not recorder.seen:
        _LOGGER.error("%s: no callable ran", name)
    return recorder


def classes(only: str = "") -> dict[str, Row]:
    """Describe every class, by passing an instance to ``jax.jit`` and looking at its fields."""
    rows: dict[str, Row] = {}
    for module_name in ("optax", "optax.contrib"):
        module = importlib.import_module(module_name)
        for attribute in dir(module):
            value, name = getattr(module, attribute), f"{module_name}.{attribute}"
            if not (name.startswith(only) and attribute.endswith("State")):
                continue
            if inspect.isclass(value) and issubclass(value, tuple):
                rows[name] = dict(_STATE_CLASS)
                if fields := getattr(value, "_fields", ()):
                    rows[name]["traced_fields"] = " ".join(fields)
                    rows[name] |= _array_fields(value, fields)
    names = {**modules(), **arrays()}
    for name, spec in CLASSES.items():
        if not name.startswith(only):
            continue
        row = dict(spec)
        program = row.pop("probe", "")
        own_fields = row.pop("own_fields", False)
        if program:
            # A module of its own, since dataclasses look up the module of a class by name.
            scope: dict[str, Any] = {**names, "__name__": __name__}
            exec(program, scope)
            instance = scope["instance"]
            row |= _instance_facts(name, instance, row)
            if not own_fields and type(instance).__module__ != __name__:
                row |= _array_fields(type(instance), row.get("traced_fields", "").split())
        else:
            row["evidence"] = "doc"
        if own_fields:
            row.pop("traced_fields", None)
            row.pop("static_fields", None)
        rows[name] = row
    return rows


#: how libraries write down that a field is one array, or a number, which a trace makes one of
_ONE_ARRAY: Final = frozenset(
    {jax.Array, np.ndarray, np.bool_, np.number, bool, int, float, complex}
)


def _array_fields(cls: type, fields: Iterable[str]) -> Row:
    """Which fields a class declares to be one array, by the types that it writes down."""
    found = [field for field in fields if _is_array(_hint(cls, field))]
    return {"array_fields": " ".join(found)} if found else {}


def _hint(cls: type, field: str) -> Any:
    for owner in cls.__mro__:
        hint = inspect.get_annotations(owner).get(field)
        if isinstance(hint, typing.ForwardRef):
            hint = hint.__forward_arg__
        if isinstance(hint, str):
            # The code of an installed library, in its own module.
            hint = eval(hint, dict(vars(sys.modules[owner.__module__])))
        if hint is not None:
            return hint
    return None


def _is_array(hint: Any) -> bool:
    parts = typing.get_args(hint)
    return all(map(_is_array, parts)) if parts else hint in _ONE_ARRAY


class _Recorder:
    """Watches the callables of one program while it runs."""

    def __init__(self) -> None:
        self.runs = self.first_runs = 0
        self.seen: dict[str, Row] = {}

    def reset(self) -> None:
        """Forget what ran so far."""
        self.runs = 0
        self.seen.clear()

    def watch(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a callable so that its arguments are recorded."""

        @wraps(function)
        def watched(*arguments: Any, **keywords: Any) -> Any:
            self.runs += 1
            given = [*arguments, *keywords.values()]
            abstract = _lacks_values(given)
            # A loop may try its condition on concrete values first: the traced run counts.
            if name not in self.seen or (abstract and not self.seen[name]["abstract"]):
                self.seen[name] = {
                    "abstract": abstract,
                    "receives": " ".join(_kind(value) for value in given),
                }
            return function(*arguments, **keywords)

        return watched


def _kind(value: Any) -> str:
    leaves = jax.tree.leaves(value)
    if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
        return "traced"
    if any(hasattr(leaf, "dtype") and hasattr(leaf, "shape") for leaf in leaves):
        return "array"
    if leaves and all(isinstance(leaf, (bool, int, float)) for leaf in leaves):
        return "python"
    return "object"


def _lacks_values(given: list[Any]) -> bool:
    for leaf in jax.tree.leaves(given):
        if isinstance(leaf, jax.Array) and getattr(leaf.dtype, "kind", None) in set("biuf"):
            try:
                bool((leaf * 0).sum() == 0)
            except jax.errors.ConcretizationTypeError:
                return True
    return False


def _parse_functions(text: str) -> list[Row]:
    arguments: list[Row] = []
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        head, _, passes = part.partition(":")
        index, name = head.split()
        argument: Row = {"name": name.removesuffix("[]"), "passes": passes.strip()}
        if index != "-":
            argument["index"] = int(index)
        if name.endswith("[]"):
            argument["sequence"] = True
        arguments.append(argument)
    return arguments


def _instance_facts(name: str, instance: Any, row: Row) -> Row:
    found: Row = {}
    leaves = jax.tree.leaves(instance)
    found["pytree"] = not (len(leaves) == 1 and leaves[0] is instance)
    try:
        hash(instance)
    except TypeError:
        found["hashable"] = False
    claimed = [(field, "traced") for field in row.get("traced_fields", "").split()]
    claimed += [(field, "static") for field in row.get("static_fields", "").split()]

    def traced(received: Any) -> None:
        for field, claim in claimed:
            kind = _kind(getattr(received, field))
            if (kind == "traced") != (claim == "traced"):
                _LOGGER.error("%s.%s: claimed %s, is %s", name, field, claim, kind)

    try:
        jax.eval_shape(jax.jit(traced), instance)
    except Exception as failure:
        found["exceptions"] = type(failure).__name__
    if claimed:
        field = claimed[0][0]
        try:
            setattr(instance, field, getattr(instance, field))
        except (AttributeError, TypeError):
            found["frozen"] = True
        else:
            if row.get("frozen"):
                _LOGGER.error("%s: claimed frozen, is not", name)
    return found
