"""What instrumented code calls while it runs, and how it goes on after a fault.

Runs in a child process only.  A ``Probe`` tells the ``Recorder`` what happens at each reported
place; where the fault occurs, it is recorded, and something plausible stands in for the result.
"""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType, MethodDescriptorType, WrapperDescriptorType
from typing import Any

from jitlint.verify.recording.compilation import JitStandIn, MeasuredJit, measured_call
from jitlint.verify.recording.exceptions import first_line, is_of_jax
from jitlint.verify.recording.real_jax import real_jax, real_numpy
from jitlint.verify.recording.recorder import Recorder
from jitlint.verify.recording.records import Report
from jitlint.verify.recording.sites import STORING
from jitlint.verify.recording.tracers import concrete, is_tracer, traced

_UNBOUND = (MethodDescriptorType, WrapperDescriptorType)
#: rules of what the host does: calls of what JAX runs on the device are no fault of theirs
_HOST_CALLS = frozenset({"JIT201", "JIT206", "JIT207"})
#: rules whose report stands on a call that compiles
_COMPILING = frozenset({"JIT306", "JIT307", "JIT312"})


class Probe:
    """What one instrumented module calls.

    Args:
      recorder: collects what is told.
      filename: the module's file.
    """

    slice = slice

    def __init__(self, recorder: Recorder, filename: str) -> None:
        self._recorder = recorder
        self._places = recorder.places
        self._filename = filename

    def at(self, row: int) -> None:
        """The statement at a row is about to run."""
        if self._recorder.statement(self._filename, row):
            self._recorder.remember(sys._getframe(1))

    def value(self, report: int, value: Any) -> Any:
        """A reported expression has a value."""
        recorder = self._recorder
        spec = self._places.reports[report]
        recorder.evaluated(spec, value)
        if spec.code == "JIT310":
            return self._undeleted(spec, value)
        if spec.code == "JIT403":
            self._asked_for(report, value)
        elif spec.code in ("JIT209", "JIT210") and traced():
            recorder.hold(report, value, spec.function or "the cache")
            if spec.code == "JIT209" and not is_tracer(value):
                recorder.run.clean[report] = spec.function or "the value"
        return value

    def read(self, report: int, value: Any, again: Callable[[], Any]) -> Any:
        """A reported expression has a value, and can be evaluated once more."""
        self.value(report, value)
        if traced():
            self._recorder.programs_run.read(report, value, again)
        return value

    def call(self, report: int, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """A reported call."""
        recorder = self._recorder
        spec = self._places.reports[report]
        owner = getattr(function, "__self__", None)
        if owner is None and args and isinstance(function, _UNBOUND):
            # A method of a builtin type that is called through the type.
            owner = args[0]
        if spec.code == "JIT210" and args and traced():
            recorder.hold(report, args[0], "the iterator")
        elif spec.code == "JIT209" or spec.suspected:
            # What it returns is held, not what it is called on; or what it turns out to change.
            pass
        elif spec.kind in ("leaks", "runs-once") and traced():
            if function is setattr and args:
                recorder.hold(report, args[0], f"{args[0]!r}")
            elif owner is not None:
                recorder.hold(report, owner, self._places.owner_name(spec))
        self._about_to_call(spec, function, owner, args)
        measured = spec.code in _COMPILING and not (traced() or recorder.eager)
        if spec.code in _COMPILING and traced():
            recorder.run.inlined[report] += 1
        # An argument may be the result of a call that compiles nothing: `step(x, Band(low, high))`.
        measured = measured and not (spec.code == "JIT306" and _is_plain(function))
        try:
            if measured:
                # Functions made anew are what JIT312 is about: they make no other call.
                exact = spec.code != "JIT312"
                result = measured_call(recorder, report, function, args, kwargs, exact=exact)
            else:
                if spec.code == "JIT313" and not traced():
                    visits = recorder.run.cleared.setdefault(report, [])
                    visits.append(recorder.clock.programs.copy())
                result = function(*args, **kwargs)
        except Exception as error:
            if spec.kind != "raises" or not self.goes_on_after_library(spec, error):
                raise
            return self._called_otherwise(spec, function, args, kwargs, error)
        changed = recorder.stores.has_stored(report)
        if changed and spec.suspected:
            recorder.hold(report, owner, self._places.owner_name(spec))
        if spec.code == "JIT212":
            self._dropped(report, function, result)
        if spec.code == "JIT214" and owner is not None:
            name, frame = self._places.owner_name(spec), sys._getframe(1)
            recorder.changes.changed(report, owner, name, (args, kwargs), frame, recorder.run)
        owner = None
        if spec.code == "JIT210":
            # What is held is the iterator, not what it gives.
            recorder.evaluated(spec, result)
            return result
        return self.value(report, result)

    def _about_to_call(
        self, spec: Report, function: Any, owner: Any, args: tuple[Any, ...]
    ) -> None:
        """A reported call is about to be made: see what it may change, and whose it is."""
        run, stores = self._recorder.run, self._recorder.stores
        silent = spec.suspected or spec.kind in ("leaks", "runs-once", "stale")
        if not (silent and traced()):
            return
        if spec.code in _HOST_CALLS:
            module = str(getattr(function, "__module__", ""))
            if module.partition(".")[0] == "jax":
                run.of_jax[spec.number] = f"{module}.{getattr(function, '__name__', '')}"
        elif (function is setattr or function is delattr) and len(args) > 1:
            name = str(args[1])
            stores.about_to_store(spec.number, args[0], lambda: getattr(args[0], name), name)
        elif owner is not None and spec.code in STORING:
            stores.about_to_store(spec.number, owner, lambda: owner)

    def storing(
        self, report: int, owner: Callable[[], Any], again: Callable[[], Any], name: str
    ) -> None:
        """A reported statement is about to store into what ``again`` reads of an object."""
        if not traced():
            return
        try:
            holder = owner()
        except Exception:
            # What is to hold it is made by the statement itself.
            return
        self._recorder.stores.about_to_store(report, holder, again, name)

    def item(self, report: int, container: Any, index: Any) -> Any:
        """A reported subscript."""
        try:
            result = container[index]
        except Exception as error:
            if not self.goes_on_after_library(self._places.reports[report], error):
                raise
            for attempt in (_open_index, _first_item):
                try:
                    result = attempt(container, index)
                except Exception:
                    continue
                self._recorder.run.substituted = True
                return result
            raise
        return self.value(report, result)

    def caught(self, report: int) -> None:
        """A handler of a reported ``try`` has caught something."""
        recorder = self._recorder
        error = sys.exc_info()[1]
        if error is None or not is_of_jax(error):
            return
        place = self._places.innermost(error)
        known = any(r.report == report for r in recorder.run.raised[-2:])
        if place is not None and not known:
            row = self._places.reports[report].span[0]
            recorder.note(error, *place, by_tracer=True, report=report, swallowed=row)

    def set_item(self, report: int, container: Any, index: Any, value: Any, operation: str) -> None:
        """A reported assignment to a subscript."""
        try:
            if operation:
                container[index] = _OPERATORS[operation](container[index], value)
            else:
                container[index] = value
        except Exception as error:
            if not self.goes_on(self._places.reports[report], error):
                raise
            self._recorder.run.substituted = True
            return
        self.value(report, None)

    def stored(self, report: int, value: Any, name: str) -> None:
        """A reported statement has stored into an object, or a name."""
        self.value(report, None)
        if traced():
            self._recorder.stores.has_stored(report)
            self._recorder.hold(report, value, name)

    def turns(self, report: int, iterable: Iterable[Any]) -> Iterator[Any]:
        """What a reported comprehension goes through."""
        run = self._recorder.run
        self.value(report, iterable)
        run.entered[report] += traced()
        for item in iterable:
            run.turned[report] += traced()
            yield item

    def changed(self, report: int, container: Any, name: str, stored: Any = None) -> None:
        """A reported statement has stored something into a container."""
        recorder = self._recorder
        self.value(report, None)
        frame = sys._getframe(1)
        recorder.changes.changed(report, container, name, stored, frame, recorder.run)

    def leaving(self, result: Any) -> Any:
        """A function returns."""
        self._recorder.changes.leaving(sys._getframe(1), result, self._recorder.run)
        return result

    def jit(self, report: int, made: Any) -> Any:
        """A reported place has made a jitted function."""
        self.value(report, None)
        if not callable(made):
            return made
        self._recorder.run.made[report] += 1
        spec = self._places.reports[report]
        if spec.code == "JIT309":
            return _JittedMethod(self, spec, made)
        return MeasuredJit(self._recorder, report, made)

    def decorator(self, report: int, decorator: Any) -> Any:
        """A reported decorator is about to be applied."""

        def apply(function: Any) -> Any:
            spec = self._places.reports[report]
            try:
                made = decorator(function)
            except Exception as error:
                if spec.kind != "raises" or not self.goes_on(spec, error):
                    raise
                self._recorder.run.substituted = True
                return real_jax().jit(function)
            if spec.code in ("JIT301", "JIT303", "JIT309"):
                return self.jit(report, made)
            return made

        return apply

    # -- going on after a fault -------------------------------------------------------------------

    def goes_on(self, spec: Report, error: Exception) -> bool:
        """Record the fault of a reported place; whether a substitute may stand in."""
        recorder = self._recorder
        bases = frozenset(base.__name__ for base in type(error).__mro__)
        at_site = any(
            r.report == spec.number and r.message == first_line(error)
            for r in recorder.run.raised[-2:]
        )
        frame = sys._getframe(1)
        guard = self._places.swallowing(frame)
        if spec.predicts(bases) and traced() and self._places.may_catch(frame):
            recorder.run.catchable.add(spec.number)
        if not at_site:
            recorder.note(
                error,
                self._filename,
                spec.span,
                by_tracer=is_of_jax(error),
                report=spec.number if spec.predicts(bases) else None,
                swallowed=None if guard is None else guard[1].row,
            )
        if recorder.natural or guard is not None:
            recorder.escaping.raised(spec.number, error, recorder.run)
            return False
        return True

    def goes_on_after_library(self, spec: Report, error: Exception) -> bool:
        """The same for what a library raises; faults of the user's code take their own way."""
        return self._places.arose_in_library(error) and self.goes_on(spec, error)

    def _called_otherwise(
        self,
        spec: Report,
        function: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        error: Exception,
    ) -> Any:
        self._recorder.run.substituted = True
        attempts: list[Callable[[], Any]] = []
        wrapped = getattr(function, "__wrapped__", None)
        if spec.code in ("JIT304", "JIT308", "JIT309") and wrapped is not None:
            attempts.append(lambda: wrapped(*args, **kwargs))
        if spec.code == "JIT305":
            kept = {k: v for k, v in kwargs.items() if not k.startswith(("static", "donate"))}
            attempts.append(lambda: function(*args, **kept))
        for keyword in ("size", "length", "num_segments", "total_repeat_length"):
            if spec.code == "JIT109" and args:
                size = max(int(getattr(args[0], "size", 1)), 1)
                attempts.append(functools.partial(function, *args, **{**kwargs, keyword: size}))
        cures = len(attempts)
        if any(map(is_tracer, (args, kwargs))):
            for number in (2, 1, 0):
                made = concrete((args, kwargs), number)
                attempts.append(functools.partial(function, *made[0], **made[1]))
        last = len(attempts)
        attempts.append(lambda: args[0])
        for position, attempt in enumerate(attempts):
            try:
                result = attempt()
            except Exception:
                continue
            if cures <= position < last:
                # With numbers in place of the tracers it works: tracing is to blame.
                self._recorder.run.cured.add(spec.number)
            return result
        raise error

    def _undeleted(self, spec: Report, value: Any) -> Any:
        """A value that is read, without the buffers that were donated: zeros stand in for them."""
        jax = real_jax()

        def is_deleted(leaf: Any) -> bool:
            return isinstance(leaf, jax.Array) and not is_tracer(leaf) and leaf.is_deleted()

        def other(leaf: Any) -> Any:
            return jax.numpy.zeros(leaf.shape, leaf.dtype) if is_deleted(leaf) else leaf

        for leaf in jax.tree.leaves(value):
            if is_deleted(leaf):
                try:
                    jax.numpy.add(leaf, 0)
                except RuntimeError as error:
                    if not self.goes_on(spec, error):
                        return value
                self._recorder.run.substituted = True
                return jax.tree.map(other, value)
        return value

    def _asked_for(self, report: int, value: Any) -> None:
        """A dtype that JAX is asked for, and the one that it has instead."""
        jax = real_jax()
        numpy = real_numpy()

        try:
            asked = numpy.dtype(getattr(value, "dtype", value))
            given = jax.dtypes.canonicalize_dtype(asked)
        except (TypeError, ValueError):
            return
        self._recorder.run.dtypes[report] = (asked.name, numpy.dtype(given).name)

    def _dropped(self, report: int, function: Any, result: Any) -> None:
        """Compare an array with its update, whose result nobody keeps."""
        jax = real_jax()
        numpy = real_numpy()

        base = getattr(getattr(function, "__self__", None), "array", None)
        dropped = self._recorder.run.dropped

        def count(changed: Any) -> None:
            if int(changed):
                elements = f"{int(changed)} element{'' if int(changed) == 1 else 's'}"
                dropped[report] = f"the update changes {elements} of an array that is lost"

        if base is None:
            return
        if is_tracer(result) or is_tracer(base):
            # What a transform maps or differentiates has its values when the program runs.
            jax.debug.callback(count, (base != result).sum())
        else:
            count((numpy.asarray(base) != numpy.asarray(result)).sum())


class _JittedMethod(JitStandIn):
    """A jitted method, which fails where its object arrives as an argument."""

    def __init__(self, probe: Probe, spec: Report, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._probe = probe
        self._spec = spec

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._function(*args, **kwargs)
        except Exception as error:
            named = any(repr(type(argument)) in str(error) for argument in args[:1])
            wrapped = getattr(self._function, "__wrapped__", None)
            if not named or not self._probe.goes_on_after_library(self._spec, error):
                raise
            if wrapped is None:
                raise
            self._probe._recorder.run.substituted = True
            return wrapped(*args, **kwargs)


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "MatMult": operator.matmul,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
}


def _is_plain(function: Any) -> bool:
    """Whether a callable is a class, or a function as it was defined, so that nothing jitted it."""
    plain = isinstance(function, type | FunctionType)
    return plain and not hasattr(function, "__wrapped__")


def _open_index(container: Any, index: Any) -> Any:
    """A subscript in which what must be static stands open."""
    jax = real_jax()
    numpy = real_numpy()

    def other(part: Any) -> Any:
        if isinstance(part, slice):
            ends = (part.start, part.stop, part.step)
            return slice(None) if any(isinstance(e, jax.core.Tracer) for e in ends) else part
        if isinstance(part, jax.core.Tracer) and part.dtype == bool:
            return numpy.ones(part.shape, bool) if part.ndim else numpy.True_
        return part

    made = tuple(other(p) for p in index) if isinstance(index, tuple) else other(index)
    return container[made]


def _first_item(container: Any, index: Any) -> Any:
    if isinstance(container, Mapping):
        return next(iter(container.values()))
    return container[0]
