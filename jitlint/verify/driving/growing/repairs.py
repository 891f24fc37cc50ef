"""What may be changed in inputs so that a call comes further, by the error that ended it.

Runs in a child process only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from jitlint.verify.driving.calling.inputs import OMITTED
from jitlint.verify.driving.growing.axis_repairs import (
    of_ranks,
    of_scalars,
    without,
)
from jitlint.verify.driving.growing.changes import (
    Change,
    more_inside,
    on,
    other_choice,
    rank,
    suspects,
)
from jitlint.verify.driving.growing.kind_repairs import (
    of_dtypes,
    of_functions,
    of_initialised,
    of_keys,
    of_owners,
    of_placeholders,
    of_random_keys,
    of_statics,
    of_streams,
    of_texts,
    of_variables,
)
from jitlint.verify.driving.growing.learning import new
from jitlint.verify.driving.growing.size_repairs import (
    of_condition,
    of_division,
    of_lengths,
    of_reshape,
    of_sizes,
    of_squares,
    of_sums,
)
from jitlint.verify.driving.growing.specs import Inputs, Kind, Spec
from jitlint.verify.driving.growing.trouble import Shape, Trouble

#: how many different ways out of one error are tried
_MOST = 24


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
    for change in without(inputs, shape):
        other = inputs.copy()
        if change(other):
            yield other


def _changes(inputs: Inputs, trouble: Trouble) -> Iterator[Change]:
    suspected = [*suspects(inputs, trouble)]
    yield from of_variables(inputs, trouble)
    yield from of_initialised(inputs, trouble)
    yield from of_owners(inputs, trouble)
    yield from of_keys(inputs, trouble)
    yield from of_streams(inputs, trouble)
    yield from of_texts(inputs, trouble, suspected)
    yield from of_functions(inputs, trouble, suspected)
    if trouble.condition is not None:
        for node in ast.walk(trouble.condition):
            if isinstance(node, ast.Name) and node.id in inputs.roots:
                spec = inputs.roots[node.id]
                if spec.kind is Kind.GIVEN and spec.value is OMITTED:
                    # The default is what the condition refuses.
                    yield partial(_forget, name=node.id)
        yield from of_condition(inputs, trouble)
    yield from of_random_keys(inputs, trouble, suspected)
    yield from of_placeholders(inputs, trouble)
    yield from of_statics(inputs, trouble, suspected)
    yield from of_squares(inputs, trouble)
    yield from of_dtypes(inputs, trouble, suspected)
    yield from of_reshape(inputs, trouble)
    yield from of_division(inputs, trouble, suspected)
    yield from of_lengths(inputs, trouble)
    yield from of_scalars(inputs, trouble)
    free = [n for n in trouble.numbers if inputs.sizes.with_size(n) is not None]
    if len({*free}) > 1:
        # Two sizes that should be one are likelier than too few axes.
        yield from of_sizes(inputs, trouble)
    yield from of_sums(inputs, trouble)
    yield from of_ranks(inputs, trouble, suspected)
    yield from of_sizes(inputs, trouble)
    yield from _of_anything(inputs, trouble, suspected)


def _of_anything(inputs: Inputs, trouble: Trouble, suspects: Sequence[int]) -> Iterator[Change]:
    """What may help in any case."""
    yield _settled
    arrays = inputs.arrays()
    for number, spec in enumerate(inputs.walk()):
        if spec.kind in (Kind.RECORD, Kind.FUNCTION):
            yield other_choice(number)
    for number, array in enumerate(arrays):
        if array.kind is Kind.KEY and "key" not in trouble.text.lower():
            # That of attention, say.
            yield on(number, _to_array)
    ranked = [number for number, array in enumerate(arrays) if array.kind is not Kind.KEY]
    for number in suspects[:4]:
        if number in ranked:
            yield rank(number, 1)
            yield more_inside(number)
            yield rank(number, -1)
    for name, spec in inputs.roots.items():
        if spec.kind is Kind.GIVEN and spec.value is not OMITTED:
            yield partial(_forget, name=name)
    for number in ranked:
        if number not in suspects[:4]:
            yield rank(number, 1)
            yield more_inside(number)
            yield rank(number, -1)
    for number in suspects[:4]:
        if arrays[number].dtype == "float":
            yield on(number, _to_int)


def _settled(inputs: Inputs) -> bool:
    """Take everything unknown for arrays."""
    unknown = [spec for spec in inputs.walk() if spec.kind is Kind.UNKNOWN]
    for spec in unknown:
        spec.kind = Kind.ARRAY
    return bool(unknown)


def _to_array(inputs: Inputs, spec: Spec) -> bool:
    spec.kind, spec.dims = Kind.UNKNOWN, (inputs.sizes.new(),)
    return True


def _to_int(inputs: Inputs, spec: Spec) -> bool:
    spec.dtype = "int"
    return spec.kind is not Kind.KEY


def _forget(inputs: Inputs, name: str) -> bool:
    inputs.roots[name] = new(inputs, name)
    return True
