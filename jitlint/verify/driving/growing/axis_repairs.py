"""What may be changed by an error that is about the number of axes.

Runs in a child process only.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import partial

from jitlint.verify.driving.growing.changes import (
    Change,
    fixed,
    made_of,
    on,
    rank,
    several,
)
from jitlint.verify.driving.growing.learning import new
from jitlint.verify.driving.growing.placeholders import Placeholder
from jitlint.verify.driving.growing.specs import Inputs, Kind, Spec
from jitlint.verify.driving.growing.trouble import Shape, Trouble

_MOST_AXES = 5

_AXIS = re.compile(r"axis (-?\d+) is out of bounds for array of dimension (\d+)")

_UNPACK = re.compile(r"values to unpack \(expected (?:at least )?(\d+)(?:, got (\d+))?")

_EINSUM = re.compile(
    r"subscript '?\"?([\w.]+)'?\"? does not contain the correct number of indices for operand (\d+)"
)

_INDICES = re.compile(
    r"(\d+)-dimensional,? (?:array )?but (\d+) were indexed|got (\d+) indices for.*?(\d+)-d"
)


def of_scalars(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    """What makes a single value of an array, where one is wanted."""
    if "scalar" in trouble.text or "ambiguous" in trouble.text:
        for shape in trouble.shapes:
            yield from without(inputs, shape)
        for value in trouble.values():
            if not isinstance(value, Placeholder):
                yield from without(inputs, tuple(value.shape))


def without(inputs: Inputs, shape: Shape) -> Iterator[Change]:
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

    yield partial(change, dimensions=free)
    for dimension in free:
        yield partial(change, dimensions=[dimension])
    for number in made_of(inputs, inputs.arrays(), shape):
        yield on(number, only)


def of_ranks(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    """What gives arrays more axes, or fewer."""
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
                yield fixed(first, wanted)
        if match[2] is None:
            for number in suspects:
                yield on(number, lambda inputs, spec: _to_sequence(inputs, spec, wanted))
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
                    yield rank(number, want - have)
    if more:
        shapes = [s for s in trouble.shapes if s]
        if any(isinstance(v, Placeholder) or v.shape == () for v in trouble.values()) or not shapes:
            flat = [
                n for n, s in enumerate(inputs.arrays()) if not s.dims and s.kind is not Kind.KEY
            ]
            if flat and more > 0:
                yield several([rank(n, more) for n in flat])
        # What has too few axes is rather one that has few, and the other way round.
        arrays = inputs.arrays()
        ordered = sorted(suspects, key=lambda n: len(arrays[n].dims), reverse=more < 0)
        for number in ordered:
            yield rank(number, more)
        if len(ordered) > 1:
            yield several([rank(n, more) for n in ordered])


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
                for number in made_of(inputs, inputs.arrays(), shape):
                    yield rank(number, wanted - len(shape))
                return
