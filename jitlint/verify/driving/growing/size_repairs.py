"""What may be changed by an error that is about sizes, or by a condition on them.

Runs in a child process only.
"""

from __future__ import annotations

import ast
import itertools
import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from jitlint.verify.driving.growing.changes import (
    Change,
    fixed,
    lengthened,
    made_of,
    on,
    rank,
    several,
    unified,
    with_child,
)
from jitlint.verify.driving.growing.placeholders import Placeholder
from jitlint.verify.driving.growing.specs import Inputs, Kind, Spec
from jitlint.verify.driving.growing.trouble import Shape, Trouble, UnknownError

#: by how much a size may differ from the one that it was made of
_LITTLE = (1, -1, 2, -2)
#: what is split has no more parts
_LARGEST_PART = 64

_RESHAPE = re.compile(
    r"cannot reshape array of shape \(([\d, ]*)\).*?into shape [\(\[]([-\d, ]*)[\)\]]"
)


def of_condition(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What makes a condition false under which something is raised, or true that is asserted."""
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
                    changes.append(with_child(number, first.value))
            continue
        try:
            left, right = trouble.evaluated(first), trouble.evaluated(second)
        except UnknownError:
            continue
        for one, other, of in ((left, right, first), (right, left, second)):
            if isinstance(of, ast.Attribute) and of.attr == "ndim" and isinstance(other, int):
                changes += _ranked(inputs, trouble, of.value, other)
            elif (
                isinstance(one, tuple)
                and isinstance(other, tuple)
                and len(one) != len(other)
                and isinstance(of, ast.Attribute)
                and of.attr == "shape"
            ):
                changes += _shaped(inputs, one, other)
        if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
            pairs = [_fit(inputs, a, b) for a, b in zip(left, right, strict=True)]
            changes += [several([c for pair in pairs for c in pair[:1]])]
        elif isinstance(left, int) and isinstance(right, int):
            bound = 1 if isinstance(node.ops[0], ast.Lt | ast.Gt) else 0
            changes += _fit(inputs, left, right)
            changes += _fit(inputs, left, right + bound) + _fit(inputs, right, left)
    if len(changes) > 1:
        yield several(changes[:4])
    yield from changes


def _fit(inputs: Inputs, one: Any, other: Any) -> list[Change]:
    """What makes one size another."""
    if not isinstance(one, int) or not isinstance(other, int) or one == other:
        return []
    found: list[Change] = []
    left, right = inputs.sizes.with_size(one), inputs.sizes.with_size(other)
    if left is not None and right is not None:
        found.append(unified(left, right))
    for dimension, size in ((left, other), (right, one)):
        if dimension is not None:
            found.append(fixed(dimension, size))
    for dimensions, size in (
        (inputs.sizes.all_with_size(one), other),
        (inputs.sizes.all_with_size(other), one),
    ):
        for dimension in dimensions:
            if dimension in inputs.sizes.fixed:
                found.append(fixed(dimension, size, again=True))
    for number, spec in enumerate(inputs.walk()):
        if spec.kind is Kind.SEQUENCE and len(spec.children) == one:
            found.append(lengthened(number, other))
    return found + _fit_parts(inputs, one, other)


def _fit_parts(inputs: Inputs, one: int, other: int) -> list[Change]:
    """What makes two sizes the same that are the same part of others."""
    if min(one, other) < 1:
        return []
    sizes = inputs.sizes
    known = [n for n in range(sizes.count) if n not in sizes.same]
    found: list[Change] = []
    for first, second in itertools.permutations(known, 2):
        whole, part = sizes.size(first), sizes.size(second)
        if whole % one or part % other or not 1 < whole // one == part // other:
            continue
        if first in sizes.fixed:
            found.append(fixed(second, whole, again=True))
        elif second not in sizes.fixed:
            found.append(unified(first, second))
    return found[:4]


def of_sums(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What makes sizes the same of which one is a sum: of two others, or of one and a little."""
    for one, other in combinations(trouble.shapes[:2], 2):
        for first, second in zip(one[::-1], other[::-1], strict=False):
            if first != second:
                yield from _fit_sums(inputs, first, second)
    if len(trouble.shapes) == 2 and all(trouble.shapes):
        one, other = trouble.shapes
        yield from _fit_sums(inputs, one[-1], other[0])


def _fit_sums(inputs: Inputs, one: int, other: int) -> Iterator[Change]:
    """What makes a size another that is that of an array to which something was appended."""
    sizes = inputs.sizes
    pairs = [p for p in ((one, other), (other, one)) if sizes.with_size(p[0]) is None]
    for more, (size, wanted) in itertools.product(_LITTLE, pairs):
        dimension = sizes.with_size(size - more)
        if dimension is not None and wanted > more:
            yield fixed(dimension, wanted - more)
    free = [n for n in range(sizes.count) if n not in sizes.same and n not in sizes.fixed]
    parts = itertools.permutations(free, 2)
    for (size, wanted), (first, second) in itertools.product(pairs, parts):
        if sizes.size(first) + sizes.size(second) == size and wanted > 1:
            yield several([fixed(first, wanted - 1), fixed(second, 1)])


def _ranked(inputs: Inputs, trouble: Trouble, node: ast.expr, rank: int) -> list[Change]:
    try:
        shape = tuple(trouble.evaluated(node).shape)
    except (UnknownError, AttributeError):
        return []
    return [
        on(number, lambda inputs, spec: inputs.set_rank(spec, len(spec.dims) + rank - len(shape)))
        for number in made_of(inputs, inputs.arrays(), shape)
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

    return [on(number, change) for number in made_of(inputs, inputs.arrays(), shape)]


def of_squares(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What makes matrices square."""
    if not re.search(r"n, n\]|square|[.]{3}, M, M", trouble.text):
        return
    for shape in trouble.shapes:
        if len(shape) >= 2:
            yield from _fit(inputs, shape[-1], shape[-2])
        else:
            for number in made_of(inputs, inputs.arrays(), shape):
                yield rank(number, 2 - len(shape))


def of_reshape(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What gives an array the size of what it is reshaped to."""
    match = _RESHAPE.search(trouble.text)
    if match is None:
        return
    source = [int(word) for word in match[1].replace(",", " ").split()]
    target = [int(word) for word in match[2].replace(",", " ").split()]
    wanted = math.prod(size for size in target if size > 0)
    for size in reversed(source):
        rest = math.prod(source) // size
        for dimension in inputs.sizes.all_with_size(size):
            if -1 in target:
                known = wanted // math.gcd(wanted, rest)
            elif wanted % rest == 0:
                known = wanted // rest
            else:
                continue
            yield fixed(dimension, known, again=True)
    for size in target:
        free = inputs.sizes.with_size(size)
        if free is not None and math.prod(source) % max(wanted // size, 1) == 0:
            known = math.prod(source) // max(wanted // size, 1)
            yield fixed(free, known)
    root = round(wanted ** (1 / max(len(source), 1)))
    if -1 not in target and root ** len(source) == wanted:
        dimensions = [n for size in source for n in inputs.sizes.all_with_size(size)[:1]]
        yield several([fixed(n, root) for n in dimensions])
    # Where no size will do, the array has too few axes.
    for number in made_of(inputs, inputs.arrays(), tuple(source)):
        yield rank(number, 1)


def of_lengths(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What makes all as long that are gone through together."""
    if "zip()" not in trouble.text:
        return
    firsts = [v.shape[0] for v in trouble.values() if not isinstance(v, Placeholder) and v.shape]
    pairs = [_fit(inputs, one, other)[:1] for one, other in itertools.pairwise(firsts)]
    yield several([change for pair in pairs for change in pair])
    for number, spec in enumerate(inputs.walk()):
        if spec.kind is Kind.SEQUENCE:
            yield from (lengthened(number, length) for length in firsts)


def of_division(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    """What makes sizes multiples of the numbers that the failed statement names."""
    if not re.search("equal division|divisible|evenly|multiple", trouble.text):
        return
    numbers = [n for n in trouble.constants() if 1 < n <= _LARGEST_PART]
    arrays = inputs.arrays()
    for number in suspects:
        for dimension in reversed(arrays[number].dims):
            for part in numbers:
                yield fixed(dimension, 3 * part)
                yield fixed(dimension, part)


def of_sizes(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What makes the sizes the same of which the message says that they differ."""
    shapes = trouble.shapes
    for one, other in combinations(shapes[:4], 2):
        pairs = [
            (a, b)
            for a, b in zip(one[::-1], other[::-1], strict=False)
            if a != b and 1 not in (a, b)
        ]
        fitted = [_fit(inputs, a, b) for a, b in pairs]
        if len(pairs) > 1:
            yield several([changes[0] for changes in fitted if changes])
        for changes in fitted:
            yield from changes
        if len(one) != len(other):
            less = min(one, other, key=len)
            for number in made_of(inputs, inputs.arrays(), less):
                yield rank(number, abs(len(one) - len(other)))
            for number in made_of(inputs, inputs.arrays(), max(one, other, key=len)):
                yield rank(number, -abs(len(one) - len(other)))
    numbers = [n for n in dict.fromkeys(trouble.numbers) if n > 0]
    for first, second in combinations(numbers[:6], 2):
        yield from _fit(inputs, first, second)
        if inputs.sizes.with_size(first) is not None:
            yield from _fit(inputs, first, 2 * second)
