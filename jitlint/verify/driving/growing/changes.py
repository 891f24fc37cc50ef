"""Changes of inputs, and which of them an array was made of.

Runs in a child process only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jitlint.verify.driving.growing.learning import new
from jitlint.verify.driving.growing.placeholders import Placeholder
from jitlint.verify.driving.growing.specs import Inputs, Kind, Spec
from jitlint.verify.driving.growing.trouble import Shape, Trouble

#: how many classes or functions one value is tried as
_MOST_CHOICES = 4

Change = Callable[[Inputs], bool]


def suspects(inputs: Inputs, trouble: Trouble) -> Iterator[int]:
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
        for number in made_of(inputs, arrays, shape):
            if number not in seen:
                seen.add(number)
                yield number


def made_of(inputs: Inputs, arrays: Sequence[Spec], shape: Shape) -> Iterator[int]:
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


def on(number: int, change: Callable[[Inputs, Spec], bool]) -> Change:
    """A change of one of the arrays, which is known by its number."""
    return lambda inputs: change(inputs, inputs.arrays()[number])


def rank(number: int, more: int) -> Change:
    """A change that gives an array more axes, or fewer."""

    def change(inputs: Inputs, spec: Spec) -> bool:
        return inputs.set_rank(spec, len(spec.dims) + more)

    return on(number, change)


def more_inside(number: int) -> Change:
    """A change that gives an array one more axis behind the first, which others share with it."""

    def change(inputs: Inputs, spec: Spec) -> bool:
        others = [array.dims[0] for array in inputs.arrays() if array is not spec and array.dims]
        known = inputs.sizes.known
        if not spec.dims or known(spec.dims[0]) not in map(known, others):
            return False
        spec.dims = (spec.dims[0], inputs.sizes.new(), *spec.dims[1:])
        return True

    return on(number, change)


def fixed(dimension: int, size: int, *, again: bool = False) -> Change:
    """A change that gives a dimension a size, also where it has been given one."""
    return lambda inputs: inputs.sizes.fix(dimension, size, again=[dimension] if again else ())


def unified(one: int, other: int) -> Change:
    """A change that makes two dimensions one."""
    return lambda inputs: inputs.sizes.unify(one, other)


def several(changes: Sequence[Change]) -> Change:
    """Several changes as one."""

    def change_all(inputs: Inputs) -> bool:
        changed = False
        for change in changes:
            changed |= change(inputs)
        return changed

    return change_all


def with_child(number: int, key: str) -> Change:
    """A change that gives a mapping a key, or an object an attribute; it is known by its number."""

    def change(inputs: Inputs) -> bool:
        spec = [*inputs.walk()][number]
        known = next(iter(spec.children.values()), None)
        if key in spec.children:
            return False
        alike = known is not None and known.kind in (Kind.MAPPING, Kind.RECORD)
        spec.children[key] = known.copy() if alike and known else new(inputs, key)
        return True

    return change


def given(placeholder: Placeholder, value: Any) -> Change:
    """A change that takes a value for what a placeholder stands for."""

    def change(inputs: Inputs) -> bool:
        spec = _at(inputs, placeholder)
        if spec is None:
            return False
        spec.kind, spec.value = Kind.GIVEN, value
        return True

    return change


def other_choice(number: int) -> Change:
    """A change that takes the next of the classes or functions that a value may be of."""

    def change(inputs: Inputs) -> bool:
        spec = [*inputs.walk()][number]
        spec.choice += 1
        return spec.choice <= _MOST_CHOICES

    return change


def lengthened(number: int, count: int) -> Change:
    """A change that gives a sequence as many elements."""

    def change(inputs: Inputs) -> bool:
        spec = [*inputs.walk()][number]
        if not 0 < count <= 16 or len(spec.children) == count or not spec.children:
            return False
        known = [*spec.children.values()]
        spec.children = {n: known[n] if n < len(known) else known[-1].copy() for n in range(count)}
        return True

    return change
