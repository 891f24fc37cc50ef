"""Numbers that the text of a loop makes anew in every turn: counters, and what is made of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import libcst as cst
from msgspec import Struct, field

from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import dotted, walk_own
from jitlint.absint.detectors.surroundings.loop_variables import loop_targets
from jitlint.absint.detectors.surroundings.written import bindings, values_in
from jitlint.absint.limits import FEW_VALUES
from jitlint.absint.values.domain import Const

if TYPE_CHECKING:
    from jitlint.absint.machine.frames import Frame
    from jitlint.absint.machine.interpreter import Interpreter

#: what shows the progress of a loop, and hands on what it is given
_SHOWS_PROGRESS = frozenset({"tqdm", "track", "progress_bar"})
_RANGES = frozenset({"range", "trange"})
#: functions that space out numbers; those of JAX give arrays
_SPACINGS = frozenset({"linspace", "logspace", "geomspace"})
#: operators that give different numbers for different operands
_KEEPS_APART = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.Power)
#: what binds its one target
_BINDING: Final = frozenset({cst.For, cst.CompFor, cst.AugAssign, cst.NamedExpr, cst.AnnAssign})
_CONVERSIONS = frozenset({"float", "str", "float32", "float64", "int32", "int64"})


class Counters(Struct):
    """What a loop makes anew in each turn.

    Args:
      counting: names that a ``range`` gives, and what is made of them.
      lasting: names and attributes that go on counting where the loop begins again, or that count
        what is in data.
      ranges: the arguments of the ``range``, where the loop runs over one.
      scaled: names that are multiplied with others: these last if they are no whole numbers.
      grows: names of what something is appended to, and nothing taken out of.
    """

    counting: frozenset[str] = frozenset()
    lasting: frozenset[str] = frozenset()
    ranges: Sequence[cst.BaseExpression] = field(default=())
    scaled: frozenset[str] = frozenset()
    grows: frozenset[str] = frozenset()


def counters(loop: cst.CSTNode) -> Counters:
    """The names that hold another number in every turn of a loop."""
    bound = Counter(_bindings(loop))
    found = Counters()
    if isinstance(loop, (cst.For, cst.CompFor)):
        found = _of_iterable(loop.target, loop.iter)
        once = frozenset(name for name in found.counting | found.lasting if bound[name] == 1)
        found = Counters(found.counting & once, found.lasting & once, found.ranges)
    counting, lasting = set(found.counting), set(found.lasting)
    scaled, grows = set[str](), set[str]()
    for statement in _always(loop):
        if isinstance(statement, cst.Expr):
            grown = _appended(statement.value)
            if grown is not None and not bound[grown] and not _shrinks(loop, grown):
                grows.add(grown)
        elif isinstance(statement, cst.AugAssign):
            path = dotted(statement.target)
            if path is None or bound[path] != 1:
                continue
            if _steps(statement, bound):
                lasting.add(path)
            elif _scales(statement.operator, statement.value, bound):
                scaled.add(path)
        elif isinstance(statement, cst.Assign) and len(statement.targets) == 1:
            target = statement.targets[0].target
            path = dotted(target)
            value = statement.value
            if path is None or bound[path] != 1:
                continue
            if _goes_on(value, path, bound) or _is_measured(value, bound):
                lasting.add(path)
            elif isinstance(target, cst.Name):
                if takes_new_values(value, one_of(lasting)):
                    lasting.add(target.value)
                elif takes_new_values(value, one_of(counting)):
                    counting.add(target.value)
                elif (
                    isinstance(statement.value, cst.BinaryOperation)
                    and dotted(statement.value.left) == path
                    and _scales(statement.value.operator, statement.value.right, bound)
                ):
                    scaled.add(target.value)
    more = frozenset(scaled), frozenset(grows)
    return Counters(frozenset(counting), frozenset(lasting), found.ranges, *more)


def _is_measured(value: cst.BaseExpression, bound: Counter[str]) -> bool:
    """Whether a value is a float that each turn reads from what it has made: ``float(y[-1])``."""
    if not isinstance(value, cst.Call) or dotted(value.func) != "float" or len(value.args) != 1:
        return False
    return any(name in bound for name in values_in(value.args[0].value))


def bound_within(node: cst.CSTNode) -> frozenset[str]:
    """The names and attributes that a loop or function binds, but for parameters."""
    return frozenset(_bindings(node))


#: whether a name, or what else nobody reckons with here, is another number in every turn
IsNew = Callable[[cst.BaseExpression], bool]


def one_of(names: set[str] | frozenset[str]) -> IsNew:
    """Whether an expression is one of some names or attributes, or the length of one."""
    return lambda node: (_length_of(node) or dotted(node)) in names


def length_called(name: str) -> str:
    """How the length of a list is called among what counts."""
    return f"len({name})"


def _length_of(node: cst.BaseExpression) -> str | None:
    if not isinstance(node, cst.Call) or len(node.args) != 1 or _last_name(node.func) != "len":
        return None
    measured = dotted(node.args[0].value)
    return None if measured is None else length_called(measured)


def _appended(node: cst.BaseExpression) -> str | None:
    """What a list is called that something is appended to."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    appends = node.func.attr.value == "append" and isinstance(node.func.value, cst.Name)
    return dotted(node.func.value) if appends else None


def _shrinks(loop: cst.CSTNode, path: str) -> bool:
    """Whether a loop takes anything out of a list again."""
    return any(
        isinstance(inner, cst.Call)
        and isinstance(inner.func, cst.Attribute)
        and inner.func.attr.value in _TAKES_OUT
        and dotted(inner.func.value) == path
        for inner in walk_own(loop)
    )


_TAKES_OUT: Final = frozenset({"clear", "pop", "popleft", "remove"})


def takes_new_values(node: cst.BaseExpression, is_new: IsNew) -> bool:
    """Whether an expression gives another value whenever a part of it is another number.

    ``k % 2``, ``k > 3`` and ``min(k, 4)`` give few values of many; ``min(k / 1000, 1)`` does not.
    """
    if isinstance(node, cst.BinaryOperation):
        left, right = takes_new_values(node.left, is_new), takes_new_values(node.right, is_new)
        if isinstance(node.operator, cst.Power) and isinstance(node.left, cst.UnaryOperation):
            # (-1) ** k
            return False
        return left is not right and isinstance(node.operator, _KEEPS_APART)
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and takes_new_values(node.expression, is_new)
    if isinstance(node, cst.Tuple):
        return any(takes_new_values(element.value, is_new) for element in node.elements)
    if isinstance(node, cst.FormattedString):
        return any(
            takes_new_values(part.expression, is_new)
            for part in node.parts
            if isinstance(part, cst.FormattedStringExpression)
        )
    if isinstance(node, cst.Call) and (within := _bounded(node)) is not None:
        return _is_fraction(within) and takes_new_values(within, is_new)
    if isinstance(node, cst.Call) and len(node.args) == 1 and not node.args[0].star:
        inner = node.args[0].value
        called = _last_name(node.func)
        if called == "int":
            # `int(rate * step)` gives one number for many.
            return isinstance(inner, cst.Name) and is_new(inner)
        if called in _CONVERSIONS:
            return takes_new_values(inner, is_new)
    return is_new(node)


def _bounded(call: cst.Call) -> cst.BinaryOperation | None:
    """What ``max`` or ``min`` keeps on one side of a number or a name."""
    if _last_name(call.func) not in ("max", "min", "maximum", "minimum") or len(call.args) != 2:
        return None
    values = [arg.value for arg in call.args]
    reckoned = [value for value in values if isinstance(value, cst.BinaryOperation)]
    if len(reckoned) != 1 or any(isinstance(value, cst.Call) for value in values):
        return None
    return reckoned[0]


def _is_fraction(node: cst.BinaryOperation) -> bool:
    """Whether a number is made in small steps, so that many of them are within any bounds."""
    parts = (node.left, node.right)
    if isinstance(node.operator, cst.Divide):
        return True
    if isinstance(node.operator, (cst.Add, cst.Subtract, cst.Multiply)):
        return any(
            isinstance(part, cst.Float)
            or (isinstance(part, cst.BinaryOperation) and _is_fraction(part))
            for part in parts
        )
    return False


def is_short(it: Interpreter, known: Counters, most: int = FEW_VALUES) -> bool:
    """Whether a loop around the current point is known to have few turns, whoever calls it."""
    turns = _turns([_number(it, node) for node in known.ranges])
    return turns is not None and turns <= most


def _turns(limits: Sequence[object]) -> int | None:
    """How many turns a loop over a range has, None if one of its limits is not known."""
    whole = [limit for limit in limits if type(limit) is int]
    return len(range(*whole)) if whole and len(whole) == len(limits) else None


def turns_of(it: Interpreter, active: Iterable[Frame], most: int) -> int | None:
    """How many turns all loops around the current point have.

    Args:
      it: the interpreter.
      active: the frames that are active.
      most: the number of turns that is asked about.

    Returns:
      Their number, None where that is not known, or if there are more.
    """
    turns = 1
    for frame in active:
        for loop in frame.enclosing_loops:
            with it.entered(frame):
                count = few_turns(it, loop, most)
            if count is None:
                return None
            turns *= count
    return turns if turns <= most else None


def few_turns(it: Interpreter, loop: cst.CSTNode, most: int) -> int | None:
    """How many turns a loop around the current point has as it is seen to run.

    Args:
      it: the interpreter, in the function that the loop stands in.
      loop: the loop.
      most: the number of turns that is asked about.

    Returns:
      Their number, None where that is not known, or if there are more.
    """
    ranges = it.written(counters, loop).ranges
    values = [it.look_up(n.value) if isinstance(n, cst.Name) else _literal(n) for n in ranges]
    turns = _turns([value.value if isinstance(value, Const) else None for value in values])
    return turns if turns is not None and turns <= most else None


def _literal(node: cst.BaseExpression) -> Const | None:
    return Const(int(node.evaluated_value)) if isinstance(node, cst.Integer) else None


def _number(it: Interpreter, node: cst.BaseExpression) -> int | None:
    """The value of a literal, or of a name that callers do not choose."""
    if isinstance(node, cst.Integer):
        return int(node.evaluated_value)
    code = it.frame.code
    if not isinstance(node, cst.Name) or (
        code is not None and any(p.name == node.value for p in code.parameters)
    ):
        return None
    value = it.look_up(node.value)
    known = isinstance(value, Const) and value.flag is None and type(value.value) is int
    return value.value if isinstance(value, Const) and known else None


def measured_length(node: cst.BaseExpression, loop: cst.CSTNode) -> str | None:
    """The name whose length an expression asks for, if a loop gives it another value each turn."""
    if not isinstance(node, cst.Call) or len(node.args) != 1 or _last_name(node.func) != "len":
        return None
    inner = node.args[0].value
    if isinstance(inner, cst.Name) and inner.value in loop_targets(loop):
        return inner.value
    return None


def _of_iterable(target: cst.CSTNode, iterable: cst.BaseExpression) -> Counters:
    """What the head of a loop counts with."""
    while isinstance(iterable, cst.Call) and iterable.args and _hands_on(iterable):
        iterable = iterable.args[0].value
    if not isinstance(iterable, cst.Call):
        return Counters()
    called, args = _last_name(iterable.func), [arg.value for arg in iterable.args]
    if called in _RANGES and isinstance(target, cst.Name):
        args = [arg.value for arg in iterable.args if arg.keyword is None and not arg.star]
        return Counters(frozenset({target.value}), ranges=tuple(args))
    if called in _SPACINGS and isinstance(target, cst.Name):
        return Counters(frozenset({target.value}) if _are_many(args[2:]) else frozenset())
    if called == "count" and isinstance(target, cst.Name) and not _is_method(iterable):
        return Counters(lasting=frozenset({target.value}))
    if called == "enumerate" and args and isinstance(target, (cst.Tuple, cst.List)):
        first, *rest = (element.value for element in target.elements)
        below = _of_iterable(rest[0], args[0]) if rest else Counters()
        names = frozenset(target_names(first))
        if below.counting or below.lasting:
            return Counters(below.counting | names, below.lasting, below.ranges)
        if _is_data(args[0]):
            return Counters(lasting=names)
    return Counters()


def _are_many(numbers: Sequence[cst.BaseExpression]) -> bool:
    """Whether so many values are spaced out as nobody wants programs for."""
    return not (
        numbers
        and isinstance(numbers[0], cst.Integer)
        and int(numbers[0].evaluated_value) <= FEW_VALUES
    )


def _hands_on(call: cst.Call) -> bool:
    """Whether a call gives the elements of its argument, all of them."""
    return _shows(call) or _last_name(call.func) in ("reversed", "list", "tuple", "iter")


def _shows(call: cst.Call) -> bool:
    return _last_name(call.func) in _SHOWS_PROGRESS


def _is_method(call: cst.Call) -> bool:
    """``text.count("a")``, other than ``itertools.count()``."""
    func = call.func
    return isinstance(func, cst.Attribute) and not (
        isinstance(func.value, cst.Name) and func.value.value in ("itertools", "it")
    )


def _is_data(node: cst.BaseExpression) -> bool:
    """Whether what is enumerated has many elements rather than few: a loader, no list of layers."""
    while isinstance(node, cst.Call) and node.args and _shows(node):
        node = node.args[0].value
    name = _last_name(node.func if isinstance(node, cst.Call) else node).lower()
    return any(word in name for word in _DATA)


_DATA = ("loader", "batches", "dataset", "dataloader", "stream")


def _always(loop: cst.CSTNode) -> Iterator[cst.BaseSmallStatement]:
    """The small statements that every turn of a loop, or every call of a function, runs."""
    if isinstance(loop, (cst.For, cst.While, cst.FunctionDef)):
        yield from _small(loop.body)


def _small(body: cst.BaseSuite) -> Iterator[cst.BaseSmallStatement]:
    for statement in body.body:
        if isinstance(statement, cst.SimpleStatementLine):
            yield from statement.body
        elif isinstance(statement, cst.With):
            yield from _small(statement.body)
        elif isinstance(statement, cst.BaseSmallStatement):
            yield statement


def _steps(statement: cst.AugAssign, bound: Counter[str]) -> bool:
    """Whether ``+=`` and its kin go on to a number that was never there."""
    return _is_step(statement.operator, statement.value, bound)


def _goes_on(value: cst.BaseExpression, path: str, bound: Counter[str]) -> bool:
    """Whether ``k = k + 1`` or ``rate = max(0.99 * rate, 0.1)`` gives a number that is new."""
    if isinstance(value, cst.Call):
        within = _bounded(value)
        return within is not None and _is_fraction(within) and _goes_on(within, path, bound)
    if not isinstance(value, cst.BinaryOperation):
        return False
    if dotted(value.left) == path:
        return _is_step(value.operator, value.right, bound)
    either = isinstance(value.operator, (cst.Add, cst.Multiply))
    return either and dotted(value.right) == path and _is_step(value.operator, value.left, bound)


def _is_step(operator: cst.CSTNode, by: cst.BaseExpression, bound: Counter[str]) -> bool:
    """Whether an operation leads from one number to another, on and on.

    What is doubled soon has all the sizes that are needed.
    """
    if isinstance(operator, (cst.AddAssign, cst.SubtractAssign, cst.Add, cst.Subtract)):
        lasts = isinstance(by, cst.Name) and not bound[by.value]
        return lasts or isinstance(by, (cst.Integer, cst.Float))
    if isinstance(operator, (cst.MultiplyAssign, cst.DivideAssign, cst.Multiply, cst.Divide)):
        return isinstance(by, cst.Float)
    return False


def _scales(operator: cst.CSTNode, by: cst.BaseExpression, bound: Counter[str]) -> bool:
    """Whether an operation multiplies with a name that the loop leaves as it is."""
    multiplies = isinstance(operator, (cst.MultiplyAssign, cst.Multiply))
    return multiplies and isinstance(by, cst.Name) and not bound[by.value]


def is_list(it: Interpreter, name: str) -> bool:
    """Whether a name of the running function stands for a list that it makes: no ``deque``."""
    code = it.frame.code
    return code is not None and name in it.frame.parsed.fact(_lists, code)


def _lists(code: Code) -> frozenset[str]:
    made: dict[str, list[cst.CSTNode | None]] = defaultdict(list)
    for target, value in () if code.node is None else bindings(code.node):
        if isinstance(target, cst.Name):
            made[target.value].append(value)
    return frozenset(
        name for name, values in made.items() if all(isinstance(v, cst.List) for v in values)
    )


def is_fraction(it: Interpreter, name: str) -> bool:
    """Whether a name of the running function certainly stands for a number that is not whole."""
    code = it.frame.code
    return code is not None and name in it.frame.parsed.fact(_fractions, code)


def _is_of_fractions(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, cst.Divide)
    return isinstance(node, cst.Float)


def _fractions(code: Code) -> frozenset[str]:
    """The names of a function that its text gives fractions, or others of these names."""
    if code.node is None:
        return frozenset()
    found = {each.name for each in code.parameters if isinstance(each.default, cst.Float)}
    bound = [
        (target.value, value)
        for target, value in bindings(code.node)
        if isinstance(target, cst.Name) and value is not None
    ]
    found |= {name for name, value in bound if any(map(_is_of_fractions, walk_own(value)))}
    found |= {name for name, value in bound if isinstance(value, cst.Name) and value.value in found}
    return frozenset(found)


def _bindings(loop: cst.CSTNode) -> Iterator[str]:
    """The names and attributes that a loop binds, each as often as it does."""
    for inner in walk_own(loop):
        if type(inner) in _BINDING:
            yield from _targets(inner.target)  # type: ignore[attr-defined]
        elif type(inner) is cst.Assign:
            for target in inner.targets:
                yield from _targets(target.target)


def _targets(target: cst.BaseExpression) -> Iterator[str]:
    path = dotted(target) if isinstance(target, cst.Attribute) else None
    if path is not None:
        yield path
    yield from target_names(target)


def _last_name(node: cst.BaseExpression) -> str:
    """The last part of a name, empty if it is none."""
    node = node.attr if isinstance(node, cst.Attribute) else node
    return node.value if isinstance(node, cst.Name) else ""
