"""What the interpreter does with code and values, in tables that the rooms above fill.

The machine knows no Python and no JAX.  How a node of each class runs, and how a value of each
class is called, subscripted, iterated ... is registered here by those who know, when their modules
are imported.  An object in the heap is told by the class of its contents: a rule for ``Instance``
is one for references to instances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import libcst as cst

from jitlint.absint.values.domain import Ref, Value
from jitlint.absint.values.lattice import Elements

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.absint.events import Event
    from jitlint.absint.machine.arguments import Arguments
    from jitlint.absint.machine.frames import Context, Frame, Step
    from jitlint.absint.values.domain import Class, Function
    from jitlint.absint.values.heap import Variables
    from jitlint.jaxmodel.transforms import Transform
    from jitlint.project.index import ModuleIndex

_Rule = Callable[..., Any]
_RuleT = TypeVar("_RuleT", bound=_Rule)


class Rules(dict[type, _Rule]):
    """How one thing is done, by class: what a class has no rule for is done as for its base."""

    def of(self, *kinds: type) -> Callable[[_RuleT], _RuleT]:
        """Register the rule of some classes."""

        def register(rule: _RuleT) -> _RuleT:
            self.update(dict.fromkeys(kinds, rule))
            return rule

        return register

    def __missing__(self, kind: type) -> _Rule:
        rule = self[kind] = next(self[base] for base in kind.__mro__ if base in self)
        return rule


class ValueRules(Rules):
    """How one thing is done with values: ``rule(it, value, ...)``."""

    def __init__(self) -> None:
        super().__init__()
        self[Ref] = self._of_object

    def _of_object(self, it: Any, value: Ref, *details: Any) -> Any:
        return self[type(it.contents(value))](it, value, *details)


#: what an expression gives: ``rule(it, node)``
EXPRESSIONS = Rules()
#: how a statement runs: ``rule(it, node)``
STATEMENTS = Rules()
#: how a value is called: ``rule(it, function, args, node)``
CALLS = ValueRules()
#: ``value.name``: ``rule(it, value, name, node)``
ATTRIBUTES = ValueRules()
#: ``value[index]``: ``rule(it, value, index, node)``
ITEMS = ValueRules()
#: what iterating gives: ``rule(it, value, node)``
ITERATIONS = ValueRules()
#: whether a value counts as true: ``rule(it, value, node, event, details)``
TRUTHS = ValueRules()
#: what is done in one way only, by name
VERBS: dict[str, _Rule] = {}

evaluates = EXPRESSIONS.of
executes = STATEMENTS.of
calls_of = CALLS.of
attributes_of = ATTRIBUTES.of
items_of = ITEMS.of
iterations_of = ITERATIONS.of
truth_of = TRUTHS.of


def verb(name: str) -> Callable[[_RuleT], _RuleT]:
    """Register how something is done."""

    def register(rule: _RuleT) -> _RuleT:
        VERBS[name] = rule
        return rule

    return register


class Verbs:
    """The verbs of the interpreter, which look up how each thing is done."""

    __slots__ = ()

    # -- code ---------------------------------------------------------------------------------

    def run(self, statements: Sequence[cst.CSTNode]) -> None:
        """Execute statements in order, from the current state.

        Raises:
          Terminated: no path reaches the end.
        """
        VERBS["run"](self, statements)

    def condition(
        self, test: cst.BaseExpression, event: type[Event], **details: Any
    ) -> bool | None:
        """The truth of a condition, None if it is not known.

        Args:
          test: the condition.
          event: reports that Python asks a traced value for its truth.
          details: what the event tells besides.
        """
        truth: bool | None = VERBS["condition"](self, test, event, **details)
        return truth

    def look_up(self, name: str) -> Value:
        """What a name stands for at the current point."""
        value: Value = VERBS["look up"](self, name)
        return value

    def step_to(self, code: Code, receiver: Value | None, node: cst.CSTNode) -> Step:
        """The step of a call: a guess where it takes the object of a method for one of a class."""
        step: Step = VERBS["step to"](self, code, receiver, node)
        return step

    # -- values -------------------------------------------------------------------------------

    def attribute(self, value: Value, name: str, node: cst.CSTNode) -> Value:
        """``value.name``."""
        found: Value = ATTRIBUTES[type(value)](self, value, name, node)
        return found

    def item(self, value: Value, index: Value, node: cst.CSTNode) -> Value:
        """``value[index]``, with the reports of a wrong index."""
        found: Value = ITEMS[type(value)](self, value, index, node)
        return found

    def iterate(self, value: Value, node: cst.CSTNode) -> Elements:
        """What iterating a value gives: (one for each element, all elements if known)."""
        elements: Elements = ITERATIONS[type(value)](self, value, node)
        return elements

    def truth(
        self, value: Value, node: cst.CSTNode, event: type[Event], **details: Any
    ) -> bool | None:
        """The truth of a value, None if it is not known; ``event`` reports a tracer."""
        truth: bool | None = TRUTHS[type(value)](self, value, node, event, details)
        return truth

    # -- what is not known any more -----------------------------------------------------------

    def forget(self, values: Iterable[Value]) -> None:
        """Code that is not followed was handed some values, and may have changed what they hold."""
        VERBS["forget"](self, values)

    # -- calls --------------------------------------------------------------------------------

    def call(self, function: Value, args: Arguments, node: cst.CSTNode) -> Value:
        """Apply a callable to arguments.

        Raises:
          Terminated: every path through it raises.
        """
        result: Value = CALLS[type(function)](self, function, args, node)
        return result

    def follow(
        self,
        function: Function,
        args: Arguments,
        node: cst.CSTNode,
        *,
        context: Context | None = None,
        step: Step | None = None,
        follow: bool = False,
        root: bool = False,
    ) -> Value:
        """Run a function of the project on abstract arguments.

        Args:
          function: what is called.
          args: what it is given.
          node: the call, or what stands for it.
          context: how it runs; the caller's way if None.
          step: the step of the explanation; "called here" if None.
          follow: run it even where host code would not be followed.
          root: it is a starting point, run however often it was interpreted before.

        Raises:
          Terminated: every path through it raises.
        """
        options = {"context": context, "step": step, "follow": follow, "root": root}
        result: Value = VERBS["follow"](self, function, args, node, **options)
        return result

    def makes_functions(self, code: Code) -> bool:
        """Whether a function of the index returns or stores functions, so that it is followed."""
        found: bool = VERBS["makes functions"](self, code)
        return found

    def some_object(self, cls: Class, node: cst.CSTNode | None = None) -> Value:
        """An object of a class of the project, or of one below it, made at a place or anywhere."""
        made: Value = VERBS["some object"](self, cls, node)
        return made

    def pushed_in_module(self, module: ModuleIndex, name: str) -> Value:
        """What a container may hold that a module binds to a name, UNKNOWN if that is open."""
        element: Value = VERBS["pushed in module"](self, module, name)
        return element

    def pushed_in_member(self, classes: Sequence[Class], name: str) -> Value:
        """The same of an attribute of a class, or of an object that a module holds.

        Args:
          classes: the class and its bases.
          name: the attribute.
        """
        element: Value = VERBS["pushed in member"](self, classes, name)
        return element

    def bind(self, function: Function, args: Arguments, frame: Frame) -> Variables:
        """The variables that a function starts with in a frame of its own."""
        variables: Variables = VERBS["bind"](self, function, args, frame)
        return variables

    def result(
        self, code: Code, returned: Value | None, args: Arguments, node: cst.CSTNode
    ) -> Value:
        """What a call gives, of what the function returned; None where nobody looks into it."""
        result: Value = VERBS["result"](self, code, returned, args, node)
        return result

    def modelled(self, function: Function, args: Arguments, node: cst.CSTNode) -> Value:
        """What the tables say that a function of the project gives."""
        result: Value = VERBS["modelled"](self, function, args, node)
        return result

    def decorate(self, value: Value, decorators: Sequence[cst.Decorator]) -> Value:
        """Apply decorators, innermost first."""
        result: Value = VERBS["decorate"](self, value, decorators)
        return result

    def transform(self, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
        """What a transform makes of its arguments."""
        result: Value = VERBS["transform"](self, row, args, node)
        return result

    def run_source(
        self, name: str, calls: Sequence[tuple[str, Arguments]], node: cst.CSTNode
    ) -> None:
        """Run the project's own source of an entry point that the tables know.

        Args:
          name: the entry point's.
          calls: methods that are called one after the other, and with what; the empty name for a
            call of the value itself.
          node: the call in the program.
        """
        VERBS["run source"](self, name, calls, node)

    def transformed_method(
        self, name: str, receiver: Value, args: Arguments, node: cst.CSTNode
    ) -> Value:
        """What a method of a transformed function gives: ``lower``, ``defvjp`` ..."""
        result: Value = VERBS["transformed method"](self, name, receiver, args, node)
        return result
