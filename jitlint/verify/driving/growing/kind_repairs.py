"""What may be changed by an error that is about what a value is.

Runs in a child process only.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from jitlint.verify.driving.growing.changes import (
    Change,
    given,
    made_of,
    on,
    other_choice,
    several,
    with_child,
)
from jitlint.verify.driving.growing.placeholders import TEXT_METHODS, Placeholder, plain
from jitlint.verify.driving.growing.specs import Inputs, Kind, Path, Spec
from jitlint.verify.driving.growing.trouble import Trouble, UnknownError
from jitlint.verify.recording.real_jax import real_jax, real_numpy

#: how many entries of one table have their turn
_MOST_KEYS = 12


def of_keys(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What gives mappings the keys, and objects the attributes, that they lack."""
    error = trouble.error
    if isinstance(error, KeyError) and error.args:
        key = error.args[0]
        if isinstance(key, str):
            mappings = [n for n, s in enumerate(inputs.walk()) if s.kind is Kind.MAPPING]
            for number in sorted(mappings, key=lambda n: _holds(trouble, inputs, n), reverse=True):
                yield with_child(number, key)
        if isinstance(key, str | int):
            yield from _of_tables(inputs, trouble, key)
        if isinstance(key, Placeholder):
            for value in trouble.own.f_globals.values() if trouble.own is not None else ():
                if isinstance(value, dict) and value:
                    yield from (given(key, known) for known in islice(value, _MOST_KEYS))
    if isinstance(error, AttributeError) and isinstance(error.name, str):
        fields = getattr(error.obj, "_fields", None)
        for number, spec in enumerate(inputs.walk()):
            if spec.kind is Kind.RECORD and fields is not None and {*spec.children} == {*fields}:
                yield with_child(number, error.name)
        for number, spec in enumerate(inputs.walk()):
            if spec.kind is Kind.RECORD:
                yield other_choice(number)
                yield with_child(number, error.name)


def _of_tables(inputs: Inputs, trouble: Trouble, key: str | int) -> Iterator[Change]:
    """What passes a name that the table has in which it was looked up, or another of the module."""
    tables: list[Any] = []
    for node in ast.walk(trouble.statement) if trouble.statement is not None else ():
        if isinstance(node, ast.Subscript):
            with contextlib.suppress(UnknownError):
                tables.append(trouble.evaluated(node.value))
    tables += trouble.own.f_globals.values() if trouble.own is not None else ()
    names = [known for value in tables if isinstance(value, dict) and value for known in value]
    choices = [name for name in dict.fromkeys(names) if isinstance(name, str | int | tuple)]
    for number, spec in enumerate(inputs.walk()):
        if spec.kind is Kind.GIVEN and type(spec.value) is type(key) and spec.value == key:
            for name in choices[:_MOST_KEYS]:
                yield partial(_named, number=number, name=name)


def other_names(inputs: Inputs, namespace: Mapping[str, Any]) -> Iterator[Inputs]:
    """Other inputs, for a call that comes through: another entry of each table of the module."""
    for number, spec in enumerate(inputs.walk()):
        if spec.kind is not Kind.GIVEN or not isinstance(spec.value, str):
            continue
        for table in [v for v in namespace.values() if isinstance(v, dict) and spec.value in v]:
            for name in islice(table, _MOST_KEYS):
                other = inputs.copy()
                if isinstance(name, str) and _named(other, number, name):
                    yield other


def single_values(inputs: Inputs) -> Iterator[Inputs]:
    """Other inputs, for a call that comes through: what it returns may compare them."""
    other = inputs.copy()
    for spec in other.walk():
        if spec.kind in (Kind.UNKNOWN, Kind.ARRAY):
            spec.kind, spec.dims = Kind.ARRAY, ()
    yield other


def _named(inputs: Inputs, number: int, name: Any) -> bool:
    spec = [*inputs.walk()][number]
    spec.kind, spec.value = Kind.GIVEN, name
    return True


def of_owners(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What an object lacks that its constructor leaves open."""
    text = trouble.text
    if "NoneType" not in text and not isinstance(trouble.error, AttributeError):
        return
    wanted: list[tuple[Any, str]] = []
    if isinstance(trouble.error, AttributeError) and isinstance(trouble.error.name, str):
        wanted.append((trouble.error.obj, trouble.error.name))
    for node in ast.walk(trouble.statement) if trouble.statement is not None else ():
        if isinstance(node, ast.Attribute):
            with contextlib.suppress(UnknownError):
                if trouble.evaluated(node) is None:
                    wanted.append((trouble.evaluated(node.value), node.attr))
    for number, spec in enumerate(inputs.walk()):
        for owner, name in wanted:
            if spec.kind is Kind.RECORD and spec.value is not None and spec.value is type(owner):
                yield with_child(number, name)


def _holds(trouble: Trouble, inputs: Inputs, number: int) -> bool:
    """Whether a mapping of the inputs is one that the failed statement reads."""
    spec = [*inputs.walk()][number]
    for node in ast.walk(trouble.statement) if trouble.statement is not None else ():
        if isinstance(node, ast.Subscript):
            try:
                value = trouble.evaluated(node.value)
            except UnknownError:
                continue
            if isinstance(value, dict) and {*value} == {*spec.children}:
                return True
    return False


def of_initialised(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What gives a pair of ``init`` and ``apply`` the parameters that it makes itself."""
    if trouble.own is None or trouble.statement is None:
        return
    for node in ast.walk(trouble.statement):
        owner = _applied(node.func, trouble) if isinstance(node, ast.Call) else None
        if owner is None or not isinstance(node, ast.Call):
            continue
        try:
            args = [trouble.evaluated(argument) for argument in node.args]
        except UnknownError:
            continue
        made = _made_by(owner.init, args)
        for path, spec in inputs.paths():
            for value, wanted in zip(args, made, strict=False):
                if _stands_for(value, path, spec):
                    yield partial(_take, path=path, value=wanted)
        if made:
            return


def _applied(called: ast.expr, trouble: Trouble) -> Any:
    """What has both ``init`` and ``apply``, where the latter or a part of it is called."""
    inner = called.value if isinstance(called, ast.Subscript) else called
    owners: list[Any] = []
    with contextlib.suppress(UnknownError):
        if isinstance(inner, ast.Attribute):
            owners.append(trouble.evaluated(inner.value))
        elif isinstance(inner, ast.Name) and trouble.own is not None:
            function = trouble.evaluated(inner)
            if isinstance(function, Placeholder) or not callable(function):
                # Arrays are compared element by element.
                return None
            known = [*trouble.own.f_locals.values(), *trouble.own.f_globals.values()]
            known = [value for value in known if not isinstance(value, Placeholder)]
            owners += [owner for owner in known if function in _held(getattr(owner, "apply", None))]
    whole = [owner for owner in owners if callable(getattr(owner, "init", None))]
    return next((owner for owner in whole if hasattr(owner, "apply")), None)


def _held(value: Any) -> Collection[Any]:
    """The functions in a value, which may hold several."""
    if isinstance(value, Mapping):
        return [*value.values()]
    return [*value] if isinstance(value, tuple | list) else [value]


def _made_by(init: Callable[..., Any], args: Sequence[Any]) -> list[Any]:
    """The parameters, and the state if there is one, for the arguments behind them."""
    key = real_jax().random.key(0)
    for first in range(1, len(args)):
        with contextlib.suppress(Exception):
            made = _made_for(args[first:], partial(init, key))
            return [*made] if isinstance(made, tuple) else [made]
    return []


def of_random_keys(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    """What makes arrays keys of random numbers."""
    if "PRNG key" not in trouble.text and "key_data" not in trouble.text:
        return

    def single(inputs: Inputs, spec: Spec) -> bool:
        spec.kind, spec.dims = Kind.KEY, ()
        return True

    def many(inputs: Inputs, spec: Spec) -> bool:
        spec.kind, spec.dims = Kind.KEY, (spec.dims or (inputs.sizes.new(),))[:1]
        return True

    arrays = inputs.arrays()
    for number in sorted(suspects, key=lambda n: "key" not in arrays[n].name):
        yield on(number, single)
        yield on(number, many)


def of_placeholders(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What takes placeholders for arrays where JAX has no use for them."""
    asked = isinstance(getattr(trouble.error, "obj", None), Placeholder)
    if not asked and "__jax_array__" not in trouble.text and "ytree" not in trouble.text:
        return

    def settle(inputs: Inputs, dtype: str, paths: Collection[Path] | None) -> bool:
        changed = False
        for path, spec in inputs.paths():
            if spec.kind is Kind.UNKNOWN and (paths is None or path in paths):
                spec.kind, spec.dtype, changed = Kind.ARRAY, dtype, True
        return changed

    here = {value._path for value in trouble.values() if isinstance(value, Placeholder)}
    used = {v._path for v in trouble.subscripts() if isinstance(v, Placeholder)}
    if used:
        yield lambda inputs: settle(inputs, "int", used)
    if here:
        yield lambda inputs: settle(inputs, "float", here)
        yield lambda inputs: settle(inputs, "int", here)
    yield lambda inputs: settle(inputs, "float", None)


def of_variables(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What gives a Flax module the variables that it makes for these arguments itself."""
    if not type(trouble.error).__name__.startswith(("ApplyScope", "Scope")):
        return
    for frame in trouble.frames:
        module, variables = frame.f_locals.get("self"), frame.f_locals.get("variables")
        if frame.f_code.co_name != "apply" or not hasattr(module, "init_with_output"):
            continue
        with contextlib.suppress(Exception):
            known = frame.f_locals
            named = {**known["kwargs"], "method": known.get("method")}
            made = _initialised(module, known["args"], named)
            for path, spec in inputs.paths():
                for whole, wanted in ((variables, made), *_pairs(variables, made)):
                    if _stands_for(whole, path, spec):
                        yield partial(_take, path=path, value=wanted)
        return


def _initialised(module: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The variables of a Flax module, all ones, for arguments of some shapes."""
    key = real_jax().random.key(0)
    rngs = {"params": key, "dropout": key}
    named = {k: v for k, v in kwargs.items() if k not in ("rngs", "mutable")}
    return _made_for(args, lambda *args: module.init(rngs, *args, **named))


def _made_for(args: Sequence[Any], init: Callable[..., Any]) -> Any:
    """What a function makes, all ones, of arguments of some shapes; what is no array stays."""
    jax = real_jax()
    numpy = real_numpy()
    leaves, tree = jax.tree.flatten([*args], is_leaf=lambda leaf: isinstance(leaf, Placeholder))
    leaves = [plain(leaf) for leaf in leaves]
    shapes = {
        n: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype)
        for n, leaf in enumerate(leaves)
        if hasattr(leaf, "shape")
    }

    def made(arrays: Mapping[int, Any]) -> Any:
        mixed = [arrays.get(n, leaf) for n, leaf in enumerate(leaves)]
        return init(*jax.tree.unflatten(tree, mixed))

    found = jax.eval_shape(made, shapes)
    return jax.tree.map(lambda x: jax.device_put(numpy.ones(x.shape, x.dtype)), found)


def _pairs(variables: Any, made: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    if isinstance(variables, dict):
        yield from ((variables[key], made[key]) for key in variables if key in made)


def _stands_for(value: Any, path: Path, spec: Spec) -> bool:
    """Whether something is known of a value at a path."""
    if isinstance(value, Placeholder):
        return value._path == path
    return spec.kind is Kind.MAPPING and isinstance(value, dict) and {*value} == {*spec.children}


def _take(inputs: Inputs, path: Path, value: Any) -> bool:
    spec = dict(inputs.paths())[path]
    spec.kind, spec.value, spec.children = Kind.GIVEN, value, {}
    return True


def of_statics(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    """What makes arrays plain numbers, where what is static must have a hash."""
    if "static arg" not in trouble.text and "unhashable" not in trouble.text:
        return
    for value in (2, "mean"):
        for place in suspects:
            yield on(place, _given_as(value))


def _given_as(value: Any) -> Callable[[Inputs, Spec], bool]:
    def change(inputs: Inputs, spec: Spec) -> bool:
        spec.kind, spec.value = Kind.GIVEN, value
        return True

    return change


def of_texts(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    """What makes texts of arrays that are taken for such: rather one that the module knows."""
    error = trouble.error
    asked = isinstance(error, AttributeError) and error.name in TEXT_METHODS
    if not asked and not re.search(r"requires string|expected str|must be str", trouble.text):
        return
    known = [*trouble.own.f_globals.items()] if trouble.own is not None else []
    texts = [v for k, v in known if isinstance(v, str) and len(v) > 1 and not k.startswith("_")]
    for text in (*texts[:2], "mean"):
        for place in dict.fromkeys([*suspects, *range(len(inputs.arrays()))]):
            yield on(place, _given_as(text))


def of_functions(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    """What makes functions of arrays that are called."""

    def function(inputs: Inputs, spec: Spec) -> bool:
        spec.kind, spec.dims = Kind.FUNCTION, ()
        return True

    if re.search(r"callable value|(?:be|not) (?:a )?callable", trouble.text):
        for place in dict.fromkeys([*suspects, *range(len(inputs.arrays()))]):
            yield on(place, function)


def of_streams(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What gives a stream to what is written to."""

    def stream(inputs: Inputs, spec: Spec) -> bool:
        spec.kind, spec.value = Kind.GIVEN, io.StringIO()
        return True

    if isinstance(trouble.error, AttributeError) and trouble.error.name in ("write", "flush"):
        for place in range(len(inputs.arrays())):
            yield on(place, stream)
        for name, spec in inputs.roots.items():
            if spec.kind is Kind.GIVEN and hasattr(spec.value, "shape"):
                yield partial(_stream_at, name=name)


def _stream_at(inputs: Inputs, name: str) -> bool:
    inputs.roots[name] = Spec(Kind.GIVEN, value=io.StringIO(), name=name)
    return True


def of_dtypes(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    """What makes the numbers of arrays others: whole ones, truths, or fractions."""
    text = trouble.text.lower()
    arrays = inputs.arrays()

    def to(dtype: str) -> Callable[[Inputs, Spec], bool]:
        def change(inputs: Inputs, spec: Spec) -> bool:
            if spec.kind is Kind.KEY or spec.dtype == dtype:
                return False
            spec.kind, spec.dtype = Kind.ARRAY, dtype
            return True

        return change

    if any(word in text for word in ("integer", "indexer", "indices must", "dtype")):
        # Of a single number under ``vmap`` no shape says whose it is.
        floats = [n for n in suspects or range(len(arrays)) if arrays[n].dtype == "float"]
        used = _subscripts(inputs, trouble)
        if len(used.intersection(floats)) > 1:
            yield several([on(number, to("int")) for number in floats if number in used])
        for number in sorted(floats, key=lambda n: n not in used):
            yield on(number, to("int"))
    if "boolean" in text or "bool" in text or "does not accept dtype" in text:
        for number in suspects:
            yield on(number, to("bool"))
    if "inexact" in text or "float" in text:
        for number in suspects:
            yield on(number, to("float"))


def _subscripts(inputs: Inputs, trouble: Trouble) -> set[int]:
    """The arrays that serve as subscripts in the failed statement."""
    found: set[int] = set()
    arrays = inputs.arrays()
    for value in trouble.subscripts():
        shape = None if isinstance(value, Placeholder) else getattr(value, "shape", None)
        if isinstance(shape, tuple):
            found |= {*islice(made_of(inputs, arrays, shape), 2)}
    return found
