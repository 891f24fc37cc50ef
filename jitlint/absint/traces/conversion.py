"""What the arguments of a call become for the function under a transform."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.bare_classes import means_another
from jitlint.absint.code.functions import Code, Parameter, Place
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Context, Step, Terminated
from jitlint.absint.machine.given import (
    OTHER,
    UNSEEN,
    Application,
    Given,
    application_of,
    kind_of_given,
    kind_of_traced,
)
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArgumentPassed, ArgumentRebuilt, in_state
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.modules.annotations import Annotation
from jitlint.absint.modules.evidence import of_parameter
from jitlint.absint.objects.instances import informed
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.packages.pytrees import with_new_containers
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.pytrees import is_never_pytree
from jitlint.absint.program.signatures import (
    parameter_node,
    positional_parameters,
    visible_signature,
)
from jitlint.absint.traces.listing import kind_of, record_entry
from jitlint.absint.traces.options import static_parameters
from jitlint.absint.traces.positions import (
    axes_of_leaves,
    excluded,
    keeps_value,
    mapped,
    traced_positions,
)
from jitlint.absint.values.domain import (
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    Certainty,
    Class,
    Const,
    Default,
    Level,
    Partial,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Unknown,
    Value,
    members_of,
)
from jitlint.absint.values.heap import Instance, SureFacts
from jitlint.absint.values.lattice import join_all, type_name
from jitlint.absint.values.narrowed import by_told
from jitlint.foundation.certainty import DECLARED, GUESSED, SEEN
from jitlint.foundation.records import Record
from jitlint.jaxmodel.transforms import CHECKS_ARGUMENTS, Transform

_NUMBERS: Final = frozenset({"bool", "int", "float", "complex"})


class Entrance(Record):
    """How a function is entered under a transform.

    Args:
      row: the transform.
      level: of the tracers that it makes.
      context: how the function runs.
      step: the step that explains it.
    """

    row: Transform
    level: Level
    context: Context
    step: Step


def convert(
    it: Interpreter, function: Transformed, entrance: Entrance, args: Arguments, call: cst.CSTNode
) -> Arguments:
    """What a transform makes of the arguments of a call.

    Args:
      it: the interpreter.
      function: what the transform made.
      entrance: how what it is made of is entered.
      args: what it is called with.
      call: where that is.

    Raises:
      RefusedError: nobody is seen to call it, and no call gets through the transform.
    """
    code, offset = visible_signature(it, function.function)
    conversion = _Conversion(it, function, entrance, code, offset, is_open=args.open)
    outer = None if it.trace is None else it.trace.outer
    if outer is not None and outer.node is call and not (args.open or args.nodes):
        # Another transform passes what it has made: `jax.jit(env.step)` of a jitted method.
        conversion.passed_at = call
    converted = Arguments(open=args.open)
    for index, value in enumerate(args.positional):
        node = args.nodes[index] if index < len(args.nodes) else None
        converted.positional.append(conversion.positional(index, value, node))
    for name, value in args.keywords.items():
        converted.keywords[name] = conversion.keyword(name, value, args.keyword_nodes.get(name))
    conversion.starred(args, converted)
    if code is not None and entrance.row.traces != "none":
        kinds = conversion.kinds
        for parameter in code.parameters[offset:]:
            if parameter.default is not None:
                kinds.setdefault(parameter.name, "static")
        record_entry(it, code, function.transform, kinds, entrance.step)
    return converted


@in_state
class PassedObjects(SureFacts):
    """Parameters of traced functions that calls before have passed objects of the project for."""

    known: frozenset[tuple[int, str]]

    __slots__ = ()


def _is_of_project(it: Interpreter, value: Value) -> bool:
    """Whether a value is an object of a class of the project, or a named tuple of one."""
    if isinstance(value, Tuple):
        return isinstance(value.cls, Class)
    return isinstance(value, Ref) and isinstance(it.contents(value), Instance)


class RefusedError(Terminated):
    """No call gets through a transform that passes what the function declares to take.

    Args:
      parameter: the parameter, which is traced, and has no default.
      cls: what it is declared to be, which is no pytree.
    """

    def __init__(self, parameter: str, cls: str) -> None:
        super().__init__()
        self.parameter = parameter
        self.cls = cls


class _Conversion:
    """The conversion of one call's arguments, as in :func:`convert`.

    Args:
      it: the interpreter.
      function: what the transform made.
      entrance: how what it is made of is entered.
      code: the function whose signature JAX sees, None if it is not known.
      offset: how many of its leading parameters are bound already.
      is_open: whether nobody is seen to call it.
    """

    def __init__(
        self,
        it: Interpreter,
        function: Transformed,
        entrance: Entrance,
        code: Code | None,
        offset: int,
        *,
        is_open: bool,
    ) -> None:
        self.it = it
        self.is_open = is_open
        self.function = function
        self.entrance = entrance
        self.code = code
        self.parameters = positional_parameters(code, offset)
        self.by_name = {p.name: p for p in code.parameters} if code is not None else {}
        self.takes_keywords = any(p.kind == "**" for p in self.by_name.values())
        by_name = [p.name for p in self.by_name.values() if p.kind == "keyword"]
        self.static = static_parameters(function, self.parameters, by_name)
        self.is_traced = traced_positions(function, entrance.row)
        self.excluded = excluded(function) or ()
        #: whether what the function changes is not put back where it came from
        self.is_copied = not function.transform.startswith("flax.nnx.")
        #: what each parameter holds, for ``jitlint traced``
        self.kinds: dict[str, str] = {}
        self._applied: Application | None = None
        #: the call that passes static arguments without a place of their own
        self.passed_at: cst.CSTNode | None = None

    def positional(self, index: int, value: Value, node: cst.CSTNode | None) -> Value:
        """An argument passed by position."""
        it = self.it
        name = self.parameters[index].name if index < len(self.parameters) else f"*{index}"
        static = self.static.at(index)
        if isinstance(value, Default):
            static = static or name in self.static.names
        if static and (self.static.known or not _is_taken_apart(it, value)):
            return self._static(name, value, node)
        axes = axes_of_leaves(it, self.function, self.entrance.row, index)
        if axes is not None:
            self.kinds[name] = "container"
            return mapped(it, value, axes, self._leaf)
        if not self.is_traced(index):
            return self._untouched(name, value, node)
        level = self.entrance.level
        if not self.entrance.context.staging and keeps_value(self.function, index):
            level = Level.VALUE
        return self._traced(name, value, node, level)

    def keyword(self, name: str, value: Value, node: cst.CSTNode | None) -> Value:
        """An argument passed by name."""
        if name in self.static.names:
            return self._static(name, value, node)
        row = self.entrance.row
        if row.by_position or row.traces in ("argnums", "first", "none") or name in self.excluded:
            return self._untouched(name, value)
        if self.static.positions and not self.static.names and self._is_object():
            # It has the signature of its method, or of a function that it says it wraps: which
            # name a position has there is not known.
            self.kinds[name] = "unknown"
            return UNKNOWN
        return self._traced(name, value, node if self._takes(name) else None, self.entrance.level)

    def _takes(self, name: str) -> bool:
        """Whether the function has a parameter that takes a keyword, as far as it is known."""
        return self.code is None or name in self.by_name or self.takes_keywords

    def _is_object(self) -> bool:
        """Whether what is called is an object of the project."""
        function = self.function.function
        while isinstance(function, Partial):
            function = function.function
        return isinstance(function, Ref)

    def starred(self, args: Arguments, converted: Arguments) -> None:
        """What stands for an unknown number of arguments."""
        count = len(args.positional)
        if args.star is not None:
            beyond = self.static.beyond(count, self.parameters)
            missing = range(count, len(self.parameters))
            if not beyond and not all(map(self.is_traced, missing)):
                # `vmap(f, in_axes=(0, None))(*args)`: only some of them are traced.
                for index in missing:
                    parameter = self.parameters[index]
                    if parameter.default is not None or parameter.name in args.keywords:
                        break
                    converted.positional.append(self.positional(index, args.star, None))
                beyond = True
            converted.star = UNKNOWN if beyond else self._leaf(args.star)
        if args.star_keywords is not None:
            by_position = self.entrance.row.traces in ("argnums", "first")
            # What comes by name to a primitive's lowering are its parameters, which are static.
            by_name = self.entrance.row.kind == "lowering"
            sure = self.static.known and not by_position and not by_name
            converted.star_keywords = self._leaf(args.star_keywords) if sure else UNKNOWN
            # `f(x, **settings)`: what is declared static is static, whoever passes it; also where a
            # wrapper only hands it on.
            given = {p.name for p in self.parameters[:count]} | args.keywords.keys()
            for name in sorted(self.static.names):
                if (name in self.by_name or self.takes_keywords) and name not in given:
                    converted.keywords[name] = self._static(name, UNKNOWN, None)

    def _static(self, name: str, value: Value, node: cst.CSTNode | None) -> Value:
        place = self.passed_at if node is None else node
        if place is not None and self.static.known:
            self.it.signal(ArgumentPassed(self.function, value, name, place, static=True))
        self.kinds[name] = "static"
        if isinstance(value, Default):
            value = value.value
            if self.static.known and not self.it.under and NONE in members_of(value):
                # Its other values are variants of their own.
                value = NONE
        parameter = self.by_name.get(name)
        if isinstance(value, Unknown) and self.code is not None and parameter is not None:
            value = informed(self.it, self.code, parameter, value)
            if isinstance(value, Unknown) and not value.given:
                return by_told(STATIC, value.told)
        # No array can be hashed, whatever the annotation says.
        members = members_of(value)
        if any(isinstance(member, (Array, Tree)) for member in members):
            return join_all(STATIC if isinstance(m, (Array, Tree)) else m for m in members)
        return value

    def _untouched(self, name: str, value: Value, node: cst.CSTNode | None = None) -> Value:
        self.kinds[name] = kind_of(self.it, value)
        value = value.value if isinstance(value, Default) else value
        if not self.is_copied or self.entrance.row.traces != "in_axes":
            return value
        # What no axis is mapped of is taken apart and put together all the same.
        made = with_new_containers(self.it, value)
        if node is not None and made is not value:
            self.it.signal(ArgumentRebuilt(made, node))
        return made

    def _traced(self, name: str, value: Value, node: cst.CSTNode | None, level: Level) -> Value:
        it, code, row = self.it, self.code, self.entrance.row
        if node is not None and not self._may_be_static(name):
            it.signal(ArgumentPassed(self.function, value, name, node, static=False))
        parameter = self.by_name.get(name)
        certainty = Certainty.SURE
        if isinstance(value, Default):
            certainty, value = Certainty.DEFAULTED, value.value
            if _pytree(it, value) == "opaque":
                # No caller can pass another one through the transform.
                return self._untouched(name, value)
        if row.kind == "lowering" and value == UNKNOWN:
            # The operands of a primitive are arrays, never trees of them.
            value = Array(Level.CONCRETE)
        if isinstance(value, (Const, Static)):
            by_name = row.maps_keywords and parameter is not None and parameter.kind == "keyword"
            number = certainty is Certainty.DEFAULTED or type_name(value) in _NUMBERS
            if number and (row.traces == "in_axes" or by_name):
                # What a caller may pass has an axis to be mapped; a number or flag has none.
                self.kinds[name] = kind_of(self.it, value)
                return value
        evidence = origin = None
        if code is not None and parameter is not None:
            assert code.parsed is not None
            evidence = of_parameter(it, code, parameter)
            if node is None and value == UNKNOWN and self.is_open:
                self._refuse(parameter, evidence.annotation)
            place = Place(code.parsed, parameter_node(code, parameter))
            note = f"`{name}` is a parameter of the traced function"
            kind = kind_of_given(value)
            known = SEEN if kind != UNSEEN else DECLARED
            known = GUESSED if certainty is Certainty.DEFAULTED else known
            origin = Given(place, note, self._application(code), name, kind, known)
            if self._is_object_elsewhere(code, name, value):
                self.kinds[name] = "unknown"
                return UNKNOWN
        made = traced_argument(
            it,
            value,
            self._level(value, level),
            leaves=self._leaves(),
            evidence=evidence,
            origin=origin,
            certainty=certainty,
        )
        if origin is not None and origin.kind == UNSEEN:
            assert evidence is not None
            shown = evidence.annotation.kind == "array"
            origin.kind = OTHER if shown else kind_of_traced(made)
        self.kinds[name] = kind_of(it, made)
        if node is not None and isinstance(made, (Ref, Tuple)) and self.is_copied:
            it.signal(ArgumentRebuilt(made, node))
        return made

    def _refuse(self, parameter: Parameter, declared: Annotation) -> None:
        """Let no call through that passes an object which no trace can take, if all do.

        Raises:
          RefusedError: they do.
        """
        if parameter.default is not None or self.function.transform not in CHECKS_ARGUMENTS:
            return
        if not self.static.known or parameter.kind in ("*", "**"):
            return
        value = declared.value
        if isinstance(value, Static) and type_name(value) == "str":
            raise RefusedError(parameter.name, "str")
        if not isinstance(value, Class) or declared.kind != "class":
            return
        if is_never_pytree(self.it, value) and not means_another(value.definition):
            raise RefusedError(parameter.name, value.definition.name)

    def _is_object_elsewhere(self, code: Code, name: str, value: Value) -> bool:
        """Whether nothing is known of an argument but that other calls pass objects there.

        Objects of a class of the project may be used as arrays are: what the use shows is nothing.
        """
        it, parameter = self.it, (id(code), name)
        passed = it.slot(PassedObjects).known
        if parameter not in passed and any(_is_of_project(it, each) for each in members_of(value)):
            it.edit_slot(PassedObjects).known = passed | {parameter}
        return isinstance(value, Unknown) and parameter in passed

    def _application(self, code: Code) -> Application:
        if self._applied is None:
            self._applied = application_of(self.function, code)
        return self._applied

    def _may_be_static(self, name: str) -> bool:
        """Whether an argument may be declared static under a name that its function does not show.

        Behind ``*args`` JAX finds the names of whatever the function says that it wraps.
        """
        static = self.static
        if self.code is None:
            return bool(static.names) or min(static.positions, default=0) < 0
        return name.startswith("*") and not static.names <= self.by_name.keys()

    def _leaf(self, value: Value) -> Value:
        """A part of an argument, or one that no parameter is known of."""
        level = self._level(value, self.entrance.level)
        return traced_argument(self.it, value, level, leaves=self._leaves())

    def _leaves(self) -> str:
        """Whether Python numbers become tracers too, as :func:`traced_argument` takes it."""
        return "arrays" if self.entrance.row.traces in ("arrays", "first") else "leaves"

    def _level(self, value: Value, level: Level) -> Level:
        """The level of the tracers that are made of a value."""
        if self.entrance.row.traces in ("argnums", "first"):
            if isinstance(value, (Array, Tree)) and value.level > level:
                level = value.level
            if self.it.frame.context.staging and find_traced(self.it, value) is not None:
                level = Level.ABSTRACT
        return level


def _is_taken_apart(it: Interpreter, value: Value) -> bool:
    """Whether a transform takes an object apart, so that nobody declares it static: nnx modules."""
    return _pytree(it, value) == "variables"


def _pytree(it: Interpreter, value: Value) -> str | None:
    """What transforms make of an instance of a class of the project, None if it is none."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    return class_info(it, contents.cls).pytree if isinstance(contents, Instance) else None
