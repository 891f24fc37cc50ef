"""Code whose names are followed to what they are made of, and into the functions that it calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst
from msgspec import Struct, field
from msgspec.structs import replace

from jitlint.absint.code.functions import Code, ParsedUnit
from jitlint.absint.code.syntax import UnsupportedSyntaxError, dotted
from jitlint.absint.detectors.sizes.bindings import Binding, Written, written
from jitlint.absint.detectors.surroundings.forwarding import unwrapped
from jitlint.absint.limits import SIZE_LEVELS, SIZE_STATEMENTS
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.names import global_value, module_attribute
from jitlint.absint.program.members import find_in_class
from jitlint.absint.values.domain import (
    UNKNOWN,
    BoundMethod,
    External,
    ExternalInstance,
    Function,
    ModuleValue,
    Ref,
    Value,
)
from jitlint.absint.values.heap import Instance
from jitlint.jaxmodel.effects import GENERATORS, object_made
from jitlint.project.index import ModuleIndex


class Scope(Struct, eq=False):
    """A piece of code that runs again and again.

    Args:
      it: the interpreter.
      module: the module it stands in.
      parsed: its unit.
      repeated: what runs each time: a loop, or a function.
      code: the function around it, None for code of a module.
      frame: the frame that runs it, None for code that is only read.
      given: what the parameters of a function are given: an expression, in the scope of the call.
      outer: the scope that a nested function stands in, if that is the one which calls it.
      outermost: whether no loop around it begins it anew.
      listed: whether numbers count that the code lists for the loop to go through, and devices.
      asked: parameters of the running function that the answer hangs on, each with a word on how.
      levels: how many more functions may be looked into.
    """

    it: Interpreter
    module: ModuleIndex
    parsed: ParsedUnit
    repeated: cst.CSTNode
    code: Code | None = None
    frame: Frame | None = None
    given: Mapping[str, tuple[Scope, cst.BaseExpression]] = field(default_factory=dict)
    outer: Scope | None = None
    outermost: bool = True
    listed: bool = False
    asked: set[str] = field(default_factory=set)
    levels: int = SIZE_LEVELS
    #: what is being asked, so that nothing is asked in a circle
    active: set[tuple[object, ...]] = field(default_factory=set)

    @classmethod
    def of_frame(
        cls,
        it: Interpreter,
        repeated: cst.CSTNode,
        *,
        outermost: bool = True,
        listed: bool = False,
    ) -> Scope:
        """The scope of a loop around the current point, or of the function that runs."""
        frame = it.frame
        return cls(
            it, frame.module, frame.parsed, repeated, frame.code, frame,
            outermost=outermost, listed=listed,
        )  # fmt: skip

    @property
    def written(self) -> Written:
        """What is bound each time."""
        return self.parsed.fact(written, self.repeated)

    @property
    def is_function(self) -> bool:
        """Whether a function runs each time, rather than a loop of it."""
        return isinstance(self.repeated, (cst.FunctionDef, cst.Lambda))

    def touches(self, path: str) -> bool:
        """Whether something is done each time with a name, or with what is an attribute of it."""
        written = self.written
        while True:
            if path in written.bindings or path in written.calls:
                return True
            path, dot, _ = path.rpartition(".")
            if not dot:
                return False

    def within(self, repeated: cst.CSTNode, *, outermost: bool) -> Scope:
        """The same code, of which something else runs again."""
        return replace(self, repeated=repeated, outermost=self.outermost and outermost)

    def source(self, node: cst.CSTNode) -> str:
        """The user's own text."""
        return " ".join(self.parsed.source(node).split())

    def parameter(self, name: str) -> bool:
        """Whether a name is a parameter of the running function, of which callers decide."""
        code = self.code
        return code is not None and any(each.name == name for each in code.parameters)

    def default(self, name: str) -> cst.BaseExpression | None:
        """What a parameter is that a call has left out, None where none is known to be."""
        if self.frame is not None or self.code is None or name in self.given:
            return None
        found = [each.default for each in self.code.parameters if each.name == name]
        return found[0] if found else None

    def lifted(self, path: str) -> tuple[Scope, str] | None:
        """What a path that starts from a parameter is in the scope of the call."""
        head, dot, rest = path.partition(".")
        given = self.given.get(head)
        if given is None:
            return None
        base = dotted(given[1])
        return None if base is None else (given[0], f"{base}{dot}{rest}")

    def definition(self, path: str) -> Binding | None:
        """The only place that binds a name in the function around, None if there are others."""
        bound = self.written.bindings.get(path, ())
        if not bound and self.code is not None and self.code.node is not None:
            bound = self.parsed.fact(written, self.code.node).bindings.get(path, ())
        return bound[0] if len(bound) == 1 and not bound[0].is_step else None

    def meant(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """What a name stands for that is bound in one place, and there to one expression."""
        made = self.definition(node.value) if isinstance(node, cst.Name) else None
        if made is None or made.value is None or made.index or made.is_loop:
            return node
        return made.value

    # -- values -------------------------------------------------------------------------------

    def value(self, path: str | None) -> Value:
        """What a name or a chain of attributes stands for, as far as that is known."""
        if path is None:
            return UNKNOWN
        head, *rest = path.split(".")
        lifted = self.lifted(path)
        if lifted is not None:
            return lifted[0].value(lifted[1])
        if self.frame is not None:
            found = self.it.look_up(head) if self.frame is self.it.frame else UNKNOWN
        elif self.code is not None and head in self.code.bound_names:
            return UNKNOWN
        elif self.outer is not None:
            return self.outer.value(path)
        else:
            found = global_value(self.it, self.module, head)
        for name in rest:
            found = self._attribute(found, name)
        return found

    def _attribute(self, value: Value, name: str) -> Value:
        it = self.it
        if isinstance(value, External):
            return External(f"{value.name}.{name}")
        if isinstance(value, ModuleValue):
            return module_attribute(it, value.module, name, self.module)
        contents = it.contents(value) if isinstance(value, Ref) else None
        if isinstance(contents, Instance):
            if name in contents.attributes:
                found: Value = contents.attributes[name]
                return found
            method = self.method(value, name)
            return UNKNOWN if method is None else BoundMethod(method, value)
        return UNKNOWN

    def method(self, value: Value, name: str) -> Function | None:
        """A method of an object of the project, None if it has none that is a plain function."""
        contents = self.it.contents(value) if isinstance(value, Ref) else None
        if not isinstance(contents, Instance):
            return None
        found = find_in_class(self.it, contents.cls, name)
        method = None if found is None else found[1]
        return method if isinstance(method, Function) else None

    def library(self, node: cst.BaseExpression) -> str:
        """The qualified name of a function of a library, empty for anything else.

        The methods of NumPy's generators of random numbers go by the names of its functions.
        """
        found = self.value(dotted(node))
        if isinstance(found, External):
            return found.name
        is_drawn = isinstance(node, cst.Attribute) and self._is_generator(node.value)
        return f"numpy.random.{node.attr.value}" if is_drawn else ""  # type: ignore[attr-defined]

    def _is_generator(self, node: cst.BaseExpression) -> bool:
        path = dotted(node)
        if path is None:
            return False
        found = self.value(path)
        if isinstance(found, ExternalInstance):
            return found.cls in GENERATORS
        made = self.definition(path)
        value = None if made is None or made.is_loop or made.index else made.value
        maker = self.value(dotted(value.func)) if isinstance(value, cst.Call) else None
        return isinstance(maker, External) and object_made(maker.name) in GENERATORS

    # -- functions ----------------------------------------------------------------------------

    def called(self, call: cst.Call) -> Scope | None:
        """The body of the function of the project that a call runs, with what it is given."""
        found = self.value(dotted(call.func))
        receiver: cst.BaseExpression | None = None
        if isinstance(found, BoundMethod) and isinstance(call.func, cst.Attribute):
            found, receiver = found.function, call.func.value
        if not isinstance(found, Function):
            return None
        return self.inside(unwrapped(self.it, found), receiver, call.args)

    def inside(
        self, function: Function, receiver: cst.BaseExpression | None, args: Sequence[cst.Arg]
    ) -> Scope | None:
        """The body of a function, with the expressions that its parameters stand for."""
        code = self._loaded(function.code)
        if code is None or code.node is None or code.parsed is None:
            return None
        given: dict[str, tuple[Scope, cst.BaseExpression]] = {}
        names = [p.name for p in code.parameters if p.kind.startswith("positional")]
        if receiver is not None:
            if not names:
                return None
            given[names.pop(0)] = self, receiver
        for arg in args:
            if arg.star:
                return None
            if arg.keyword is not None:
                given[arg.keyword.value] = self, arg.value
            elif names:
                given[names.pop(0)] = self, arg.value
            else:
                return None
        return replace(
            self,
            module=code.module,
            parsed=code.parsed,
            repeated=code.node,
            code=code,
            frame=None,
            given=given,
            outer=self if function.closure else None,
            levels=self.levels - 1,
        )

    def _loaded(self, code: Code) -> Code | None:
        """A function with its tree; None where there is none, or it is too long or too far."""
        if self.levels == 0 or code.statements > SIZE_STATEMENTS:
            return None
        self.it.reads.read(code.module)
        try:
            return self.it.store.load(code)
        except UnsupportedSyntaxError:
            return None

    def results(self) -> Iterator[cst.BaseExpression]:
        """The expressions that the function returns."""
        code = self.code
        if code is None or code.node is None:
            return
        if isinstance(code.node, cst.Lambda):
            yield code.node.body
            return
        for node in code.own_nodes:
            if isinstance(node, cst.Return) and node.value is not None:
                yield node.value
