"""Starting points: one of the selected units, or a transformed function that nobody calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice, product
from typing import Any

from jitlint.absint.code.functions import Code, ParsedUnit, Place
from jitlint.absint.detectors.staleness.stale_values import leaves_stale, second_run
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import HOST, Frame, OutOfBudget, Terminated, TryFrame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.omissions import Omission, Reason
from jitlint.absint.modules.module_code import run_unit
from jitlint.absint.modules.variants import Variant, variants_of_host
from jitlint.absint.objects.dispatch import one_of, receivers
from jitlint.absint.objects.instances import prototype
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.members import IMPLICIT_CLASSMETHODS
from jitlint.absint.transforms.applied import trace_applied
from jitlint.absint.transforms.calling import use_key
from jitlint.absint.transforms.uncalled import receivers_of, trace_assumed, trace_uncalled
from jitlint.absint.values.domain import (
    UNKNOWN,
    Cached,
    Class,
    Const,
    Descriptor,
    Dispatched,
    Function,
    Partial,
    Ref,
    Transformed,
    Tuple,
    Union,
    Value,
    base_function,
)
from jitlint.absint.values.heap import Instance, State, Variables
from jitlint.jaxmodel.expectations import TO_FAIL
from jitlint.jaxmodel.host_code import CLOCK_WORDS
from jitlint.jaxmodel.transforms import ASSUMED
from jitlint.project.failing_imports import FailingImport
from jitlint.project.guards import guards_of
from jitlint.project.units import Unit
from jitlint.tracing.redefinitions import is_replaced

#: Python's own stack, deep enough for the nesting that the budgets allow
_RECURSION_LIMIT = 20_000

#: whether something was traced in a call, and whether it was one of a variant
_HOW = tuple(product((False, True), repeat=2))

#: told about a unit whose interpretation failed inside jitlint
OnFailure = Callable[[Unit, Exception], None]


class Roots:
    """Runs starting points, each by itself.

    Args:
      it: the interpreter.
      on_failure: told about a unit whose interpretation failed inside jitlint.
    """

    def __init__(self, it: Interpreter, on_failure: OnFailure) -> None:
        self.interpreter = it
        self.on_failure = on_failure
        #: the functions whose bodies were run
        self._run: set[Code] = set()

    def run(self, unit: Unit, steps: int | None = None) -> None:
        """Interpret a unit.

        Args:
          unit: what to interpret.
          steps: how many it may take, if fewer than any may.
        """
        self._guarded(unit, partial(self._run_root, unit), steps)

    def run_code(self, unit: Unit, left: int) -> int:
        """Run a statement of a module, or the decorators of a function.

        Args:
          unit: the statement, or the function.
          left: the steps that the code of the module may still take; some are granted always.

        Returns:
          The steps that it has taken.
        """
        it = self.interpreter
        steps = max(left, it.limits.steps_per_root // 10)
        # What a function does is a starting point of its own.
        self._guarded(unit, partial(run_unit, it, unit), steps)
        return it.steps

    def vary(self, unit: Unit) -> None:
        """Interpret a function that was run with other values than its defaults."""
        if unit.is_function:
            self._guarded(unit, partial(self._vary, unit))

    def trace(self, made: Transformed) -> None:
        """Trace a transformed function that nobody has called."""
        self._guarded(made.place.parsed.unit, partial(self._trace, made))

    def assume(self, unit: Unit, static: Sequence[str]) -> None:
        """Trace a function that somebody else will jit.

        Args:
          unit: the function.
          static: the names of its static parameters.
        """
        self._guarded(unit, partial(self._assume, unit, static))

    def apply(self, unit: Unit, transform: str) -> None:
        """Trace a method of a module as users do who apply the module under jit.

        Args:
          unit: the method.
          transform: stands for the users.
        """
        self._guarded(unit, partial(self._apply, unit, transform))

    def leave_out(self, failing: FailingImport) -> None:
        """Say that nothing of a module is analysed, as an import in it always fails."""
        self._guarded(failing.unit, partial(self._leave_out, failing))

    def _leave_out(self, failing: FailingImport) -> None:
        it = self.interpreter
        parsed = it.store.parse(failing.unit)
        place = Place(parsed, parsed.statement)
        omission = Omission(Reason.IMPORT, place, failing.unit.qualname, failing.name)
        it.omissions[Reason.IMPORT, id(parsed.statement)] = omission

    def _guarded(self, unit: Unit, action: Callable[[], object], steps: int | None = None) -> None:
        it = self.interpreter
        it.begin_steps(steps)
        it.state = it.module_state
        it.stack.clear()
        it.managers.clear()
        it.unit_running.clear()
        it.resolving.clear()
        it.frame = None  # type: ignore[assignment]
        it.trace = None
        try:
            with _deep_recursion():
                action()
        except (Terminated, OutOfBudget):
            pass
        except Exception as error:  # one broken unit never hides another
            self.on_failure(unit, error)

    def _run_root(self, unit: Unit) -> None:
        it = self.interpreter
        if not unit.is_function:
            run_unit(it, unit)
            return
        if is_replaced(unit):
            return
        function = Function(it.store.of_unit(unit))
        if unit.decorated:
            values = run_unit(it, unit)
            made = next(iter(values.values()), UNKNOWN)
            if _is_transformed(made):
                return
            if isinstance(made, Function) and _measures(made.code, function.code):
                self._run_body(unit, made)
        self._run_body(unit, function)

    def _vary(self, unit: Unit) -> None:
        it = self.interpreter
        code = it.store.of_unit(unit)
        if code not in self._run:
            return
        for variant in variants_of_host(it, code):
            known = set(it.transformed)
            with it.beside(variant.said), suppress(Terminated, OutOfBudget):
                self._run_body(unit, Function(code), variant)
                for made in [made for made in it.transformed if made not in known]:
                    if use_key(made) not in it.called:
                        self._trace(made)

    def _run_body(self, unit: Unit, function: Function, variant: Variant | None = None) -> None:
        it = self.interpreter
        code = it.load(function.code)
        if code is None:
            return
        assert code.parsed is not None and code.node is not None
        if code.unit is unit:
            self._run.add(code)
        if unit.cls is None or not code.parameters or _is_static(unit):
            self._run_with(unit, function, code, None, variant)
            return
        cls = Class(unit.cls, unit.module)
        for receiver in receivers(it, cls, unit.name):
            self._guarded(unit, partial(self._run_with, unit, function, code, receiver, variant))

    def _run_with(
        self,
        unit: Unit,
        function: Function,
        code: Code,
        cls: Class | None,
        variant: Variant | None,
    ) -> None:
        """Run a function, a method on an object of a class."""
        it = self.interpreter
        assert code.parsed is not None and code.node is not None
        it.state = it.module_state.child()
        args = Arguments(keywords={} if variant is None else dict(variant.values), open=True)
        with self._around(code.parsed, ("root", id(unit), id(code), it.under)):
            if cls is not None:
                args.positional.append(self._guarded_object(unit, one_of(it, cls)))
            elif unit.cls is not None and _is_of_class(unit):
                args.positional.append(Class(unit.cls, unit.module))
            if _is_to_fail(unit):
                it.frame.tries.append(
                    TryFrame(None, deliberate=True, reaches=True, place=it.place(code.node))
                )
            known = len(it.transformed)
            it.nested.clear()
            try:
                it.follow(function, args, code.node, follow=True, root=True)
                if cls is not None and leaves_stale(it, args.positional[0]):
                    with second_run(it):
                        it.follow(function, args, code.node, follow=True, root=True)
            except Terminated:
                pass
            finally:
                self._keep_state(known, it.state)
            self._run_nested(unit)

    def _guarded_object(self, unit: Unit, value: Value) -> Value:
        """An object of which holds what the code around each call of a method asks."""
        it = self.interpreter
        if isinstance(value, Ref) and isinstance(it.contents(value), Instance):
            assert unit.cls is not None
            it.reads.read(unit.module)
            for name, known in guards_of(unit.cls, unit.name, it.modules_with(unit.name)).items():
                it.edit(value).attributes[name] = Const(known)
        return value

    def _assume(self, unit: Unit, static: Sequence[str]) -> None:
        it = self.interpreter
        code = it.load(it.store.of_unit(unit))
        if code is None:
            return
        assert code.parsed is not None and code.node is not None
        it.state = it.module_state.child()
        with self._around(code.parsed, ("assumed", id(unit))):
            function: Value = Function(code)
            cls = None if unit.cls is None else Class(unit.cls, unit.module)
            if cls is not None and not _is_static(unit) and _comes_as_argument(it, cls):
                decorated = next(iter(run_unit(it, unit).values()), UNKNOWN)
                made = self._as_assumed(function, static)
                if made is not None and not _is_transformed(decorated):
                    trace_assumed(it, made, cls)
                return
            if cls is not None:
                function = it.attribute(prototype(it, cls), unit.name, code.node)
            elif unit.decorated:
                decorated = next(iter(run_unit(it, unit).values()), UNKNOWN)
                # What is not known of a decorator is most often what it checks, or registers.
                function = function if decorated == UNKNOWN else decorated
            if _is_transformed(function):
                # Traced anyway.
                return
            made = self._as_assumed(function, static)
            if made is not None:
                trace_assumed(it, made)

    def _as_assumed(self, function: Value, static: Sequence[str]) -> Transformed | None:
        """A function as somebody else jits it; None for what is none, as a property.

        It may stand in another unit than the one that is meant: a decorator has put it there, or
        a later method of the same name.
        """
        base = base_function(function)
        code = None if base is None else self.interpreter.load(base.code)
        if code is None:
            return None
        assert code.parsed is not None and code.node is not None
        names = Tuple(tuple(map(Const, static)))
        options = (("static_argnames", names),) if static else ()
        return Transformed(function, ASSUMED, options, Place(code.parsed, code.node))

    def _apply(self, unit: Unit, transform: str) -> None:
        it = self.interpreter
        code = it.load(it.store.of_unit(unit))
        if code is None:
            return
        assert code.parsed is not None and code.node is not None
        function: Value = Function(code)
        if unit.decorated:
            decorated = next(iter(run_unit(it, unit).values()), UNKNOWN)
            # What is not known of a decorator is most often what it checks.
            function = function if decorated == UNKNOWN else decorated
        if base_function(function) is None or _is_transformed(function):
            return
        made = Transformed(function, transform, (), Place(code.parsed, code.node))
        for cls in receivers_of(it, made):
            self._guarded(unit, partial(self._apply_with, made, cls, code.parsed))

    def _apply_with(self, made: Transformed, cls: Class | None, parsed: ParsedUnit) -> None:
        """Trace a method of a module of a class."""
        it = self.interpreter
        it.state = it.module_state.child()
        with self._around(parsed, ("applied", id(made.place.node))):
            trace_applied(it, made, cls)

    def _run_nested(self, unit: Unit) -> None:
        """Run functions that the root defined and handed out uncalled."""
        it = self.interpreter
        while it.nested:
            function = it.nested.pop(next(iter(it.nested)))
            code = function.code
            if code.unit is not unit or code.node is None or code.parsed is None:
                continue
            if any((id(code), *how) in it.contexts for how in _HOW):
                continue
            if any(base_function(made.function) == function for made in it.transformed):
                continue
            try:
                it.follow(function, Arguments(open=True), code.node, follow=True, root=True)
            except Terminated:
                continue

    def _keep_state(self, known: int, state: State) -> None:
        """Let functions made by this root, after the first ones, see what its frames hold."""
        for snapshot in islice(self.interpreter.transformed.values(), known, None):
            for id_, contents in snapshot.heap.items():
                state.heap.setdefault(id_, contents)

    def _trace(self, made: Transformed) -> None:
        unit = made.place.parsed.unit
        for cls in receivers_of(self.interpreter, made):
            self._guarded(unit, partial(self._trace_with, made, cls))

    def _trace_with(self, made: Transformed, cls: Class | None) -> None:
        """Trace a function, a method on an object of a class."""
        it = self.interpreter
        it.state = it.state_of(made)
        with self._around(made.place.parsed, ("unseen", id(made.place.node))):
            trace_uncalled(it, made, cls)

    @contextmanager
    def _around(self, parsed: ParsedUnit, key: tuple[Any, ...]) -> Iterator[None]:
        """The code around a starting point, in the current state.

        Args:
          parsed: the unit it stands in.
          key: what tells it from others.
        """
        it = self.interpreter
        env = it.new_id(*key)
        it.state.put(env, Variables())
        unit = parsed.unit
        frame = Frame(unit.module, parsed, None, unit.qualname, HOST, env)
        with it.entered(frame):
            yield


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _is_transformed(value: Value) -> bool:
    while isinstance(value, (Descriptor, Cached, Dispatched, Partial)):
        value = value.function
    if isinstance(value, Union):
        # What a setting leaves uncompiled is taken for the compiled one, as callers take it.
        return any(map(_is_transformed, value.members))
    return isinstance(value, Transformed)


def _measures(wrapper: Code, code: Code) -> bool:
    """Whether a decorator put something around a function that reads a clock."""
    return wrapper is not code and wrapper.module.has_any(CLOCK_WORDS)


def _comes_as_argument(it: Interpreter, cls: Class) -> bool:
    """Whether objects of a class are pytrees that jitted functions take, so that these trace them.

    What Equinox's modules hold is traced where it is an array, and no more is known of that.
    """
    info = class_info(it, cls)
    if info.kind == "namedtuple" or "equinox.Module" in info.externals:
        return False
    return info.pytree in ("custom", "leaves")


def _is_static(unit: Unit) -> bool:
    return _is_of_class(unit) or _is_decorated(unit, "staticmethod")


def _is_of_class(unit: Unit) -> bool:
    return unit.name in IMPLICIT_CLASSMETHODS or _is_decorated(unit, "classmethod")


def _is_to_fail(unit: Unit) -> bool:
    """Whether a test is marked to fail: what raises in it is what it is about."""
    return unit.decorated and any(
        word in TO_FAIL for word in unit.words_after_dots | unit.words_decorating
    )


def _is_decorated(unit: Unit, *names: str) -> bool:
    decorators = getattr(unit.node, "decorator_list", ())
    return any(getattr(decorator, "id", "") in names for decorator in decorators)
