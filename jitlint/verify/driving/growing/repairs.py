"""What may be changed in inputs so that a call comes further, by the error that ended it.

Runs in a child process only.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from jitlint.verify.driving.growing.learning import new
from jitlint.verify.driving.growing.placeholders import Placeholder
from jitlint.verify.driving.growing.specs import Inputs, Kind, Path, Spec
from jitlint.verify.driving.growing.trouble import Shape, Trouble, UnknownError
from jitlint.verify.driving.inputs import OMITTED

#: how many different ways out of one error are tried
_MOST = 24

#: how many classes or functions one value is tried as
_MOST_CHOICES = 4
#: what is split has no more parts
_LARGEST_PART = 64
_MOST_AXES = 5

Change = Callable[[Inputs], bool]

_AXIS = re.compile(r"axis (-?\d+) is out of bounds for array of dimension (\d+)")
_UNPACK = re.compile(r"values to unpack \(expected (?:at least )?(\d+)(?:, got (\d+))?")
_EINSUM = re.compile(
    r"subscript '?\"?([\w.]+)'?\"? does not contain the correct number of indices for operand (\d+)"
)
_INDICES = re.compile(
    r"(\d+)-dimensional,? (?:array )?but (\d+) were indexed|got (\d+) indices for.*?(\d+)-d"
)
_RESHAPE = re.compile(
    r"cannot reshape array of shape \(([\d, ]*)\).*?into shape [\(\[]([-\d, ]*)[\)\]]"
)


def repairs(inputs: Inputs, trouble: Trouble) -> Iterator[Inputs]:
    """Other inputs, the likeliest to come further first.

    Args:
      inputs: those of the call.
      trouble: how it ended.
    """
    seen = {inputs.described()}
    found = _changes(inputs, trouble)
    for change in islice(found, 4 * _MOST):
        other = inputs.copy()
        if change(other) and other.described() not in seen:
            seen.add(other.described())
            yield other
            if len(seen) > _MOST:
                return


def scalar_repairs(inputs: Inputs, shape: Shape) -> Iterator[Inputs]:
    """Other inputs, for a condition or a number that turned out to be an array.

    Args:
      inputs: those of the call.
      shape: of the array.
    """
    for change in _without(inputs, shape):
        other = inputs.copy()
        if change(other):
            yield other


def _changes(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    suspects = [*_suspects(inputs, trouble)]
    yield from _of_owners(inputs, trouble)
    yield from _of_keys(inputs, trouble)
    if trouble.condition is not None:
        yield from _of_condition(inputs, trouble)
    yield from _of_random_keys(inputs, trouble, suspects)
    yield from _of_placeholders(inputs, trouble)
    yield from _of_statics(inputs, trouble, suspects)
    yield from _of_squares(inputs, trouble)
    yield from _of_dtypes(inputs, trouble, suspects)
    yield from _of_reshape(inputs, trouble)
    yield from _of_division(inputs, trouble, suspects)
    yield from _of_lengths(inputs, trouble)
    yield from _of_scalars(inputs, trouble)
    free = [n for n in trouble.numbers if inputs.sizes.with_size(n) is not None]
    if len({*free}) > 1:
        # Two sizes that should be one are likelier than too few axes.
        yield from _of_sizes(inputs, trouble)
    yield from _of_ranks(inputs, trouble, suspects)
    yield from _of_sizes(inputs, trouble)
    yield from _of_anything(inputs, trouble, suspects)


# ---------------------------------------------------------------- which input an array is made of


def _suspects(inputs: Inputs, trouble: Trouble) -> Iterator[int]:
    """The arrays of the inputs that had a part in it, by their number, the likeliest first."""
    arrays = inputs.arrays()
    seen: set[int] = set()
    shapes = [*trouble.shapes]
    for value in trouble.values():
        if isinstance(value, Placeholder):
            spec = _at(inputs, value)
            for number, array in enumerate(arrays):
                if array is spec and number not in seen:
                    seen.add(number)
                    yield number
        else:
            shapes.append(tuple(value.shape))
    for shape in shapes:
        for number in _made_of(inputs, arrays, shape):
            if number not in seen:
                seen.add(number)
                yield number


def _made_of(inputs: Inputs, arrays: Sequence[Spec], shape: Shape) -> Iterator[int]:
    """The arrays that have dimensions in common with a shape, the most alike first."""
    free = {n for size in shape if (n := inputs.sizes.with_size(size)) is not None}
    common = [
        (len(free & {inputs.sizes.known(n) for n in array.dims}), -number)
        for number, array in enumerate(arrays)
    ]
    yield from (-number for count, number in sorted(common, reverse=True) if count)


def _at(inputs: Inputs, placeholder: Placeholder) -> Spec | None:
    path = placeholder._path
    spec = inputs.roots.get(path[0][1])
    for _, key in path[1:]:
        if spec is None:
            return None
        spec = spec.children.get(key)
    return spec


def _on(number: int, change: Callable[[Inputs, Spec], bool]) -> Change:
    return lambda inputs: change(inputs, inputs.arrays()[number])


def _rank(number: int, more: int) -> Change:
    def change(inputs: Inputs, spec: Spec) -> bool:
        return inputs.set_rank(spec, len(spec.dims) + more)

    return _on(number, change)


def _several(changes: Sequence[Change]) -> Change:
    def change_all(inputs: Inputs) -> bool:
        changed = False
        for change in changes:
            changed |= change(inputs)
        return changed

    return change_all


# ---------------------------------------------------------------- keys, attributes, conditions


def _of_keys(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    error = trouble.error
    if isinstance(error, KeyError) and error.args:
        key = error.args[0]
        if isinstance(key, str):
            mappings = [n for n, s in enumerate(inputs.walk()) if s.kind is Kind.MAPPING]
            for number in sorted(mappings, key=lambda n: _holds(trouble, inputs, n), reverse=True):
                yield _with_child(number, key)
        if isinstance(key, Placeholder):
            for value in trouble.own.f_globals.values() if trouble.own is not None else ():
                if isinstance(value, dict) and value:
                    yield from (_given(key, known) for known in islice(value, 2))
    if isinstance(error, AttributeError) and isinstance(error.name, str):
        fields = getattr(error.obj, "_fields", None)
        for number, spec in enumerate(inputs.walk()):
            if spec.kind is Kind.RECORD and fields is not None and {*spec.children} == {*fields}:
                yield _with_child(number, error.name)
        for number, spec in enumerate(inputs.walk()):
            if spec.kind is Kind.RECORD:
                yield _other_choice(number)
                yield _with_child(number, error.name)


def _of_owners(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
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
                yield _with_child(number, name)


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


def _with_child(number: int, key: str) -> Change:
    def change(inputs: Inputs) -> bool:
        spec = [*inputs.walk()][number]
        known = next(iter(spec.children.values()), None)
        if key in spec.children:
            return False
        alike = known is not None and known.kind is Kind.MAPPING
        spec.children[key] = known.copy() if alike and known else new(inputs, key)
        return True

    return change


def _given(placeholder: Placeholder, value: Any) -> Change:
    def change(inputs: Inputs) -> bool:
        spec = _at(inputs, placeholder)
        if spec is None:
            return False
        spec.kind, spec.value = Kind.GIVEN, value
        return True

    return change


def _other_choice(number: int) -> Change:
    def change(inputs: Inputs) -> bool:
        spec = [*inputs.walk()][number]
        spec.choice += 1
        return spec.choice <= _MOST_CHOICES

    return change


def _of_condition(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What makes the condition false (or true, of an ``assert``) under which something is raised."""
    assert trouble.condition is not None
    changes: list[Change] = []
    for node in ast.walk(trouble.condition):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            try:
                left, right = trouble.evaluated(node.left), trouble.evaluated(node.right)
            except UnknownError:
                continue
            if isinstance(left, int) and isinstance(right, int):
                changes += _fit(inputs, left, 2 * right)
        if not isinstance(node, ast.Compare) or len(node.ops) != 1:
            continue
        first, second = node.left, node.comparators[0]
        if isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(first, ast.Constant):
            for number, spec in enumerate(inputs.walk()):
                if spec.kind is Kind.MAPPING and isinstance(first.value, str):
                    changes.append(_with_child(number, first.value))
            continue
        try:
            left, right = trouble.evaluated(first), trouble.evaluated(second)
        except UnknownError:
            continue
        for one, other, of in ((left, right, first), (right, left, second)):
            if isinstance(of, ast.Attribute) and of.attr == "ndim" and isinstance(other, int):
                changes += _ranked(inputs, trouble, of.value, other)
            elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) != len(other):
                if isinstance(of, ast.Attribute) and of.attr == "shape":
                    changes += _shaped(inputs, one, other)
        if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
            pairs = [_fit(inputs, a, b) for a, b in zip(left, right, strict=True)]
            changes += [_several([c for pair in pairs for c in pair[:1]])]
        elif isinstance(left, int) and isinstance(right, int):
            bound = 1 if isinstance(node.ops[0], ast.Lt | ast.Gt) else 0
            changes += _fit(inputs, left, right)
            changes += _fit(inputs, left, right + bound) + _fit(inputs, right, left)
    if len(changes) > 1:
        yield _several(changes[:4])
    yield from changes


def _fit(inputs: Inputs, one: Any, other: Any) -> list[Change]:
    """What makes one size another."""
    if not isinstance(one, int) or not isinstance(other, int) or one == other:
        return []
    found: list[Change] = []
    left, right = inputs.sizes.with_size(one), inputs.sizes.with_size(other)
    if left is not None and right is not None:
        found.append(lambda inputs: inputs.sizes.unify(left, right))
    for dimension, size in ((left, other), (right, one)):
        if dimension is not None:
            found.append(lambda inputs, n=dimension, size=size: inputs.sizes.fix(n, size))
    for dimensions, size in (
        (inputs.sizes.all_with_size(one), other),
        (inputs.sizes.all_with_size(other), one),
    ):
        for dimension in dimensions:
            if dimension in inputs.sizes.fixed:
                found.append(
                    lambda inputs, n=dimension, size=size: inputs.sizes.fix(n, size, again=[n])
                )
    for number, spec in enumerate(inputs.walk()):
        if spec.kind is Kind.SEQUENCE and len(spec.children) == one:
            found.append(_lengthened(number, other))
    return found + _fit_parts(inputs, one, other)


def _fit_parts(inputs: Inputs, one: int, other: int) -> list[Change]:
    """What makes two sizes the same that are the same part of others."""
    sizes = inputs.sizes
    known = [n for n in range(sizes.count) if n not in sizes.same]
    found: list[Change] = []
    for first, second in itertools.permutations(known, 2):
        whole, part = sizes.size(first), sizes.size(second)
        if whole % one or part % other or not 1 < whole // one == part // other:
            continue
        if first in sizes.fixed:
            found.append(lambda i, n=second, k=whole: i.sizes.fix(n, k, again=[n]))
        elif second not in sizes.fixed:
            found.append(lambda i, n=first, m=second: i.sizes.unify(n, m))
    return found[:4]


def _lengthened(number: int, count: int) -> Change:
    def change(inputs: Inputs) -> bool:
        spec = [*inputs.walk()][number]
        if not 0 < count <= 16 or len(spec.children) == count or not spec.children:
            return False
        known = [*spec.children.values()]
        spec.children = {n: known[n] if n < len(known) else known[-1].copy() for n in range(count)}
        return True

    return change


def _ranked(inputs: Inputs, trouble: Trouble, node: ast.expr, rank: int) -> list[Change]:
    try:
        shape = tuple(trouble.evaluated(node).shape)
    except (UnknownError, AttributeError):
        return []
    return [
        _on(number, lambda inputs, spec: inputs.set_rank(spec, len(spec.dims) + rank - len(shape)))
        for number in _made_of(inputs, inputs.arrays(), shape)
    ]


def _shaped(inputs: Inputs, shape: Shape, wanted: Shape) -> list[Change]:
    """What gives the array of a shape another."""

    def change(inputs: Inputs, spec: Spec) -> bool:
        dims = []
        for size in wanted:
            known = inputs.sizes.with_size(size)
            if known is None:
                known = inputs.sizes.new()
                inputs.sizes.fix(known, size)
            dims.append(known)
        spec.dims = tuple(dims)
        return True

    return [_on(number, change) for number in _made_of(inputs, inputs.arrays(), shape)]


# ---------------------------------------------------------------- kinds of numbers


def _of_random_keys(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
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
        yield _on(number, single)
        yield _on(number, many)


def _of_placeholders(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What takes placeholders for arrays where JAX has no use for them."""
    if "__jax_array__" not in trouble.text and "ytree" not in trouble.text:
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


def _of_statics(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    if "static arg" not in trouble.text:
        return

    def number(inputs: Inputs, spec: Spec) -> bool:
        spec.kind, spec.value = Kind.GIVEN, 2
        return True

    for place in suspects:
        yield _on(place, number)


def _of_squares(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    if not re.search(r"n, n\]|square|[.]{3}, M, M", trouble.text):
        return
    for shape in trouble.shapes:
        if len(shape) >= 2:
            yield from _fit(inputs, shape[-1], shape[-2])
        else:
            for number in _made_of(inputs, inputs.arrays(), shape):
                yield _rank(number, 2 - len(shape))


def _of_dtypes(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
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
        floats = [n for n in suspects if arrays[n].dtype == "float"]
        used = _subscripts(inputs, trouble)
        if len(used.intersection(floats)) > 1:
            yield _several([_on(number, to("int")) for number in floats if number in used])
        for number in sorted(floats, key=lambda n: n not in used):
            yield _on(number, to("int"))
    if "boolean" in text or "bool" in text or "does not accept dtype" in text:
        for number in suspects:
            yield _on(number, to("bool"))
    if "inexact" in text or "float" in text:
        for number in suspects:
            yield _on(number, to("float"))


def _subscripts(inputs: Inputs, trouble: Trouble) -> set[int]:
    """The arrays that serve as subscripts in the failed statement."""
    found: set[int] = set()
    arrays = inputs.arrays()
    for value in trouble.subscripts():
        shape = None if isinstance(value, Placeholder) else getattr(value, "shape", None)
        if isinstance(shape, tuple):
            found |= {*islice(_made_of(inputs, arrays, shape), 2)}
    return found


# ---------------------------------------------------------------- sizes and axes


def _of_reshape(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    match = _RESHAPE.search(trouble.text)
    if match is None:
        return
    source = [int(word) for word in match[1].replace(",", " ").split()]
    target = [int(word) for word in match[2].replace(",", " ").split()]
    wanted = math.prod(size for size in target if size > 0)
    for size in reversed(source):
        rest = math.prod(source) // size
        for dimension in inputs.sizes.all_with_size(size):
            again = [dimension]
            if -1 in target:
                known = wanted // math.gcd(wanted, rest)
            elif wanted % rest == 0:
                known = wanted // rest
            else:
                continue
            yield lambda inputs, n=dimension, k=known, a=again: inputs.sizes.fix(n, k, again=a)
    for size in target:
        dimension = inputs.sizes.with_size(size)
        if dimension is not None and math.prod(source) % max(wanted // size, 1) == 0:
            known = math.prod(source) // max(wanted // size, 1)
            yield lambda inputs, n=dimension, k=known: inputs.sizes.fix(n, k)
    root = round(wanted ** (1 / max(len(source), 1)))
    if -1 not in target and root ** len(source) == wanted:
        dimensions = [n for size in source for n in inputs.sizes.all_with_size(size)[:1]]
        yield _several([lambda i, n=n: i.sizes.fix(n, root) for n in dimensions])
    # Where no size will do, the array has too few axes.
    for number in _made_of(inputs, inputs.arrays(), tuple(source)):
        yield _rank(number, 1)


def _of_lengths(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What makes all as long that are gone through together."""
    if "zip()" not in trouble.text:
        return
    firsts = [v.shape[0] for v in trouble.values() if not isinstance(v, Placeholder) and v.shape]
    pairs = [_fit(inputs, one, other)[:1] for one, other in itertools.pairwise(firsts)]
    yield _several([change for pair in pairs for change in pair])
    for number, spec in enumerate(inputs.walk()):
        if spec.kind is Kind.SEQUENCE:
            yield from (_lengthened(number, length) for length in firsts)


def _of_division(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    """What makes sizes multiples of the numbers that the failed statement names."""
    if not re.search("divi(sion|sible|de)|multiple", trouble.text):
        return
    numbers = [n for n in trouble.constants() if 1 < n <= _LARGEST_PART]
    arrays = inputs.arrays()
    for number in suspects:
        for dimension in reversed(arrays[number].dims):
            for part in numbers:
                yield lambda i, n=dimension, k=3 * part: i.sizes.fix(n, k)
                yield lambda i, n=dimension, k=part: i.sizes.fix(n, k)


def _of_scalars(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    if "scalar" in trouble.text or "ambiguous" in trouble.text:
        for shape in trouble.shapes:
            yield from _without(inputs, shape)
        for value in trouble.values():
            if not isinstance(value, Placeholder):
                yield from _without(inputs, tuple(value.shape))


def _without(inputs: Inputs, shape: Shape) -> Iterator[Change]:
    """What takes the dimensions of a shape from all arrays that have them."""
    free = [n for size in shape if (n := inputs.sizes.with_size(size)) is not None]
    if not free:
        return

    def change(inputs: Inputs, dimensions: Sequence[int]) -> bool:
        changed = False
        for spec in inputs.arrays():
            kept = tuple(n for n in spec.dims if inputs.sizes.known(n) not in dimensions)
            if kept != spec.dims:
                spec.dims, changed = kept, True
                spec.kind = Kind.ARRAY if spec.kind is Kind.UNKNOWN else spec.kind
        return changed

    def only(inputs: Inputs, spec: Spec) -> bool:
        kept = tuple(n for n in spec.dims if inputs.sizes.known(n) not in free)
        changed, spec.dims = kept != spec.dims, kept
        return changed

    yield lambda inputs: change(inputs, free)
    for dimension in free:
        yield lambda inputs, n=dimension: change(inputs, [n])
    for number in _made_of(inputs, inputs.arrays(), shape):
        yield _on(number, only)


def _of_ranks(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    text = trouble.text
    more = 0
    if match := _AXIS.search(text):
        axis = int(match[1])
        more = (axis + 1 if axis >= 0 else -axis) - int(match[2])
    elif match := _UNPACK.search(text):
        wanted = int(match[1])
        more = wanted - int(match[2]) if match[2] else -1
        # It may also be an array whose rows are unpacked, or should have been a sequence.
        for number in suspects:
            spec = inputs.arrays()[number]
            if spec.dims:
                first = spec.dims[0]
                yield lambda inputs, n=first: inputs.sizes.fix(n, wanted)
        if match[2] is None:
            for number in suspects:
                yield _on(number, lambda inputs, spec: _to_sequence(inputs, spec, wanted))
    elif match := _EINSUM.search(text):
        yield from _of_einsum(inputs, trouble, match)
    elif match := _INDICES.search(text):
        have, want = (int(word) for word in match.groups() if word is not None)
        more = want - have
    elif re.search(
        r"out of range|0-d array|unsized|no leading axis|rank should be|ndim|dimension", text
    ):
        more = 1
    if re.search(r"ndim|dimension|rank", text):
        small = [n for n in trouble.numbers if n <= _MOST_AXES]
        for have, want in itertools.permutations(dict.fromkeys(small), 2):
            if want > have and want - have != more:
                for number in sorted(suspects, key=lambda n: len(inputs.arrays()[n].dims)):
                    yield _rank(number, want - have)
    if more:
        shapes = [s for s in trouble.shapes if s]
        if any(isinstance(v, Placeholder) or v.shape == () for v in trouble.values()) or not shapes:
            flat = [
                n for n, s in enumerate(inputs.arrays()) if not s.dims and s.kind is not Kind.KEY
            ]
            if flat and more > 0:
                yield _several([_rank(n, more) for n in flat])
        # What has too few axes is rather one that has few, and the other way round.
        arrays = inputs.arrays()
        ordered = sorted(suspects, key=lambda n: len(arrays[n].dims), reverse=more < 0)
        for number in ordered:
            yield _rank(number, more)
        if len(ordered) > 1:
            yield _several([_rank(n, more) for n in ordered])


def _to_sequence(inputs: Inputs, spec: Spec, count: int) -> bool:
    """Take an array for a sequence of tuples."""

    def part() -> Spec:
        parts = {n: new(inputs, spec.name) for n in range(count)}
        return Spec(Kind.SEQUENCE, children=parts, choice=1)

    spec.kind, spec.children, spec.dims = Kind.SEQUENCE, {0: part(), 1: part()}, ()
    return True


def _of_einsum(inputs: Inputs, trouble: Trouble, match: re.Match[str]) -> Iterator[Change]:
    wanted, place = len(match[1].replace("...", "")), int(match[2])
    for frame in trouble.frames:
        operands = frame.f_locals.get("operands")
        if isinstance(operands, tuple | list) and len(operands) > place:
            operand = operands[place]
            shape = getattr(operand, "shape", None)
            if isinstance(shape, tuple):
                for number in _made_of(inputs, inputs.arrays(), shape):
                    yield _rank(number, wanted - len(shape))
                return


def _of_sizes(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    shapes = trouble.shapes
    for one, other in combinations(shapes[:4], 2):
        pairs = [
            (a, b)
            for a, b in zip(one[::-1], other[::-1], strict=False)
            if a != b and 1 not in (a, b)
        ]
        fitted = [_fit(inputs, a, b) for a, b in pairs]
        if len(pairs) > 1:
            yield _several([changes[0] for changes in fitted if changes])
        for changes in fitted:
            yield from changes
        if len(one) != len(other):
            less = min(one, other, key=len)
            for number in _made_of(inputs, inputs.arrays(), less):
                yield _rank(number, abs(len(one) - len(other)))
            for number in _made_of(inputs, inputs.arrays(), max(one, other, key=len)):
                yield _rank(number, -abs(len(one) - len(other)))
    numbers = [n for n in dict.fromkeys(trouble.numbers) if n > 0]
    for first, second in combinations(numbers[:6], 2):
        yield from _fit(inputs, first, second)
        if inputs.sizes.with_size(first) is not None:
            yield from _fit(inputs, first, 2 * second)


def _of_anything(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    """What may help in any case."""
    yield _settled
    arrays = inputs.arrays()
    for number, spec in enumerate(inputs.walk()):
        if spec.kind in (Kind.RECORD, Kind.FUNCTION):
            yield _other_choice(number)
    for number in suspects[:4]:
        yield _rank(number, 1)
        yield _rank(number, -1)
    for name, spec in inputs.roots.items():
        if spec.kind is Kind.GIVEN and spec.value is not OMITTED:
            yield lambda inputs, name=name: _forget(inputs, name)
    for number in range(len(arrays)):
        if number not in suspects[:4]:
            yield _rank(number, 1)
            yield _rank(number, -1)
    for number in suspects[:4]:
        if arrays[number].dtype == "float":
            yield _on(number, _to_int)


def _settled(inputs: Inputs) -> bool:
    """Take everything unknown for arrays."""
    unknown = [spec for spec in inputs.walk() if spec.kind is Kind.UNKNOWN]
    for spec in unknown:
        spec.kind = Kind.ARRAY
    return bool(unknown)


def _to_int(inputs: Inputs, spec: Spec) -> bool:
    spec.dtype = "int"
    return spec.kind is not Kind.KEY


def _forget(inputs: Inputs, name: str) -> bool:
    inputs.roots[name] = new(inputs, name)
    return True
