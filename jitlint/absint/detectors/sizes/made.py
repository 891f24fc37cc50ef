"""Arrays that are made of what a loop goes through: of which sizes they are nobody knows.

``for case in cases: run(case)`` with ``mesh = partition(case)`` in ``run``: each turn may well need
a program of its own, as it does for each of some sizes.  What is only converted, or computed with,
is of the size that it was; elements of one collection are taken to be of one size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code, parameters_of, target_names
from jitlint.absint.code.syntax import children, dotted, walk_own
from jitlint.absint.detectors.sizes.listed import LISTED, ways_through
from jitlint.absint.detectors.surroundings.loop_variables import (
    changed_object,
    given_by_name,
    loop_targets,
)
from jitlint.absint.detectors.surroundings.paths import repeating_loops, repeats
from jitlint.absint.detectors.surroundings.written import OF_SHAPES
from jitlint.absint.detectors.variants.fixed_arguments import value_named
from jitlint.absint.detectors.variants.numeric import holds_data_alone, is_of_numbers
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    External,
    Function,
    Ref,
    Static,
    Value,
    base_function,
    members_of,
)
from jitlint.jaxmodel import functions
from jitlint.jaxmodel.functions import array_method

#: of what sources each name is, and of which ones a call has made it
_Origins = dict[str, tuple[frozenset[str], frozenset[str]]]
_NOTHING: Final = (frozenset[str](), frozenset[str]())

_DISPLAYS: Final = (cst.Dict, cst.List, cst.Set, cst.Tuple)

MADE: Final = "made {}"
SWEPT: Final = "swept {}"
#: how libraries of arrays are called, whose functions keep sizes, but for what they take as such
_OF_ARRAYS: Final = frozenset({"jax", "jnp", "lax", "np", "numpy", "onp"})
#: what gives keys and generators of numbers for whatever it is given
_KEYS: Final = frozenset({"PRNGKey", "RandomState", "default_rng", "fold_in", "key", "seed"})
#: whose elements count, as those of ``enumerate`` and ``zip`` do in their places
_COUNTING: Final = frozenset({"count", "range", "trange"})


def made_sizes(
    it: Interpreter, function: Value | None, given: Iterable[cst.CSTNode] = ()
) -> frozenset[str]:
    """The parameters of the running function that calls in it make something else of.

    Args:
      it: the interpreter.
      function: what is compiled: what it closes over counts.
      given: what it is given.

    Returns:
      ``MADE`` for each of them.
    """
    code = it.frame.code
    if code is None or code.node is None:
        return frozenset()
    base = None if function is None else base_function(function)
    free = base.code.free_names if base is not None and base.closure else ()
    held = [
        name for name in free if not (_has_no_size(it.look_up(name)) or is_of_numbers(it, name))
    ]
    made = _made_of(it.written(_in_function, code.node), [*held, *given])
    return frozenset(MADE.format(name) for name in made)


def _has_no_size(value: Value) -> bool:
    """Whether what a function closes over is no array that may be of another size: one number."""
    return isinstance(value, Function) or (isinstance(value, Array) and value.rank == 0)


def passed_on(it: Interpreter, given: Iterable[cst.CSTNode]) -> frozenset[str]:
    """The parameters of the running function that are handed on as they are, with their sizes.

    Args:
      it: the interpreter.
      given: what is handed on.

    Returns:
      ``LISTED`` with ``size`` and the name of each of them.
    """
    code = it.frame.code
    if code is None or code.node is None:
        return frozenset()
    origins = it.written(_in_function, code.node)
    names = {node.value for node in given if isinstance(node, cst.Name)}
    found = (origins.get(name, _NOTHING) for name in names)
    return frozenset(f"{LISTED} size {name}" for of, made in found for name in of - made)


def is_made_by_turn(
    it: Interpreter, loops: Iterable[cst.CSTNode], nodes: Iterable[cst.CSTNode | str]
) -> bool:
    """Whether calls make some expressions, or names, of what each of some loops goes through."""
    loops, nodes = [loop for loop in loops if repeats(loop)], list(nodes)
    return bool(loops) and all(_made_of(it.written(_in_loop, loop), nodes) for loop in loops)


def swept_parameters(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """The parameters for which a call passes what comes of what the loops around go through.

    Returns:
      ``SWEPT`` with a parameter for each of the loops: each way in which all of them matter.
    """
    loops = repeating_loops(it.frame)
    if not isinstance(node, cst.Call) or not loops:
        return frozenset()
    given = list(given_by_name(callee, node))
    found = []
    for loop in loops:
        origins = {} if _goes_through_rows(it, loop) else it.written(_in_loop, loop)
        found.append([name for name, value in given if any(_of(value, origins))])
    return frozenset(SWEPT.format(" ".join(way)) for way in ways_through(found))


def made_of_data(it: Interpreter, callee: Code, args: Arguments) -> frozenset[str]:
    """The object of a method, if each turn of the loops makes one of nothing but other data.

    Not so where a loop goes through something: that may be of another size each time.
    """
    if callee.cls is None or callee.parameter_names[:1] != ["self"] or not args.positional:
        return frozenset()
    if not all(_only_counts(loop) for loop in it.frame.enclosing_loops):
        return frozenset()
    return frozenset({"self"} if holds_data_alone(it, args.positional[0]) else ())


def _only_counts(loop: cst.CSTNode) -> bool:
    """Whether a loop goes through nothing: ``while``, ``for step in range(steps)``."""
    listed = isinstance(loop, (cst.For, cst.CompFor)) and isinstance(loop.iter, _DISPLAYS)
    return not (listed or swept_by(loop))


def _goes_through_rows(it: Interpreter, loop: cst.CSTNode) -> bool:
    """Whether a loop goes through the rows of one array: each is as large as the others."""
    if not isinstance(loop, (cst.For, cst.CompFor)):
        return False
    if isinstance(loop.iter, cst.Call):
        callee = value_named(it, loop.iter.func)
        fact = functions.lookup(callee.name) if isinstance(callee, External) else None
        return fact is not None and fact.returns == "array"
    value = it.look_up(loop.iter.value) if isinstance(loop.iter, cst.Name) else UNKNOWN
    members = members_of(value)
    return any(map(_is_array, members)) and not any(isinstance(each, Ref) for each in members)


def _is_array(value: Value) -> bool:
    return isinstance(value, Array) or (isinstance(value, Static) and value.type == "ndarray")


def may_differ_in_size(sized: Set[str], sizes: Set[str]) -> bool:
    """Whether what is compiled is given what callers' loops make something else of in each turn.

    Args:
      sized: of which parameters it is made, as ``MADE`` has them.
      sizes: what a call passes, as :func:`swept_parameters` has it.
    """
    ways = (said.split()[1:] for said in sizes if said.startswith(SWEPT.format("")))
    return any(all(MADE.format(name) in sized for name in way) for way in ways)


def swept_by(loop: cst.CSTNode) -> frozenset[str]:
    """The names that a loop gives elements of something, and no numbers that it counts."""
    if not isinstance(loop, (cst.For, cst.CompFor)) or isinstance(loop.iter, _DISPLAYS):
        # What is written down tells by itself.
        return frozenset()
    return loop_targets(loop) - frozenset(_counted(loop.target, loop.iter))


def _counted(target: cst.BaseExpression, iterable: cst.BaseExpression) -> Iterator[str]:
    if not isinstance(iterable, cst.Call):
        return
    called = (dotted(iterable.func) or "").rpartition(".")[2]
    args = [arg.value for arg in iterable.args]
    parts = [each.value for each in target.elements] if isinstance(target, cst.Tuple) else []
    if called in _COUNTING:
        yield from target_names(target)
    elif called == "enumerate" and len(parts) == 2:
        yield from target_names(parts[0])
        yield from (name for arg in args[:1] for name in _counted(parts[1], arg))
    elif called == "zip":
        for part, arg in zip(parts, args, strict=False):
            yield from _counted(part, arg)
    elif args:
        # `tqdm(range(10))`
        yield from _counted(target, args[0])


def _in_function(node: cst.FunctionDef | cst.Lambda) -> _Origins:
    return _origins(node, {made.name for made in parameters_of(node)} - {"self", "cls"})


def _in_loop(loop: cst.CSTNode) -> _Origins:
    return _origins(loop, swept_by(loop))


def _origins(around: cst.CSTNode, sources: Set[str]) -> _Origins:
    """Of which sources the names in a piece of code are, and of which a call has made them."""
    found: _Origins = {name: (frozenset({name}), frozenset()) for name in sources}
    bound = []
    for node in walk_own(around) if sources else ():
        if isinstance(node, cst.Assign):
            names = [name for each in node.targets for name in target_names(each.target)]
            # `config.count = count`: what is made of the object follows it.
            names += [name for each in node.targets for name in changed_object(each.target)]
            bound.append((names, node.value))
        elif isinstance(node, cst.AnnAssign) and node.value is not None:
            bound.append(([*target_names(node.target)], node.value))
        elif isinstance(node, (cst.For, cst.CompFor)) and node is not around:
            bound.append(([*target_names(node.target)], node.iter))
    carried = _carried(bound)
    bound = [(names, value) for names, value in bound if carried.isdisjoint(names)]
    grown = True
    while grown:
        grown = False
        for names, value in bound:
            plain, made = _of(value, found)
            for name in names:
                before = found.get(name, _NOTHING)
                after = (before[0] | plain, before[1] | made)
                if after != before:
                    found[name], grown = after, True
    return found


def _carried(bound: Sequence[tuple[Sequence[str], cst.CSTNode]]) -> frozenset[str]:
    """The names that are bound to what is made of themselves: what goes on from turn to turn."""
    uses: dict[str, set[str]] = {name: set() for names, _ in bound for name in names}
    for names, value in bound:
        inside = {node.value for node in walk_own(value) if isinstance(node, cst.Name)}
        for name in names:
            uses[name] |= inside & uses.keys()
    grown = True
    while grown:
        grown = False
        for known in uses.values():
            more = known.union(*(uses[each] for each in known)) - known
            if more:
                known |= more
                grown = True
    return frozenset(name for name, known in uses.items() if name in known)


def _of(node: cst.CSTNode, known: _Origins) -> tuple[frozenset[str], frozenset[str]]:
    """Of which sources an expression is, and of which a call in it, or a cut, makes something."""
    if isinstance(node, cst.Name):
        return known.get(node.value, _NOTHING)
    if isinstance(node, cst.Attribute):
        return _NOTHING if node.attr.value in OF_SHAPES else _of(node.value, known)
    if isinstance(node, cst.Lambda):
        return _NOTHING
    parts: list[cst.CSTNode] = [*children(node)]
    if isinstance(node, cst.Call):
        parts = [arg.value for arg in node.args]
        if isinstance(node.func, cst.Attribute):
            parts.append(node.func.value)
    plain, made = frozenset[str](), frozenset[str]()
    for part in parts:
        mine = _of(part, known)
        plain, made = plain | mine[0], made | mine[1]
    if isinstance(node, cst.Slice):
        return plain, made | _cut(node, known)
    if isinstance(node, cst.Call):
        path = dotted(node.func) or ""
        if path.rpartition(".")[2] in _KEYS:
            return _NOTHING
        if path.partition(".")[0] in _OF_ARRAYS:
            sizes = (_of(size, known) for size in _sizes_in(node, path.rpartition(".")[2]))
            return plain, made.union(*(size[0] | size[1] for size in sizes))
        if not _is_of_array(node.func):
            return frozenset(), plain | made
    return plain, made


def _cut(part: cst.Slice, known: _Origins) -> frozenset[str]:
    """What decides how long a part is: not what both of its ends move with."""
    lower, upper = (
        frozenset[str]() if bound is None else frozenset[str]().union(*_of(bound, known))
        for bound in (part.lower, part.upper)
    )
    return lower ^ upper


def _sizes_in(call: cst.Call, name: str) -> Iterator[cst.BaseExpression]:
    """What a function of arrays is given for shapes and lengths."""
    facts = (functions.lookup(f"{library}.{name}") for library in ("jax.numpy", "jax.random"))
    fact = next((fact for fact in facts if fact is not None), None)
    if fact is None:
        return
    sized = {*fact.must_be_static, *fact.unless_given}
    names = [parameter.name for parameter in fact.parameters or ()]
    for index, arg in enumerate(call.args):
        given = names[index] if arg.keyword is None and index < len(names) else None
        if (arg.keyword.value if arg.keyword is not None else given) in sized:
            yield arg.value


def _is_of_array(func: cst.BaseExpression) -> bool:
    """Whether a method of arrays is called, such as ``astype``."""
    return isinstance(func, cst.Attribute) and array_method(func.attr.value) is not None


def _made_of(origins: _Origins, nodes: Iterable[cst.CSTNode | str]) -> frozenset[str]:
    found = frozenset[str]()
    for node in nodes:
        made = origins.get(node, _NOTHING) if isinstance(node, str) else _of(node, origins)
        found |= made[1]
    return found
