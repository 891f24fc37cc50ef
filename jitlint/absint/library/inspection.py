"""Builtins that ask what a value is and has: ``isinstance``, ``callable``, ``getattr`` ..."""

from __future__ import annotations

import sys
from typing import Final

import libcst as cst

from jitlint.absint.library.registry import Call, gives, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import AttributeSet, Kept
from jitlint.absint.operations.types import check_type_test, type_test
from jitlint.absint.program.captures import note_attribute
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.fields import (
    attributes_as_dict,
    field_names,
    fields_as_dict,
    fields_as_tuple,
    named_items,
)
from jitlint.absint.program.forgetting import attributes, by_library, names_like
from jitlint.absint.program.setting import call_setter, delete, set_on, set_plainly, setter_of
from jitlint.absint.program.signatures import (
    positional_parameters,
    says_another,
    visible_signature,
)
from jitlint.absint.values.domain import (
    BOOL,
    FALSE,
    NONE,
    STATIC,
    TRUE,
    UNKNOWN,
    Array,
    BoundMethod,
    Cached,
    Class,
    Const,
    External,
    ExternalInstance,
    Function,
    Level,
    Partial,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance
from jitlint.absint.values.lattice import join_all, type_name
from jitlint.absint.values.statics import constant
from jitlint.jaxmodel.functions import array_attribute, array_method

#: types of Python whose objects are no arrays and no containers
_SCALARS: Final = frozenset({"bool", "int", "float", "complex", "str"})

model("id")(gives(STATIC))
model("print", "breakpoint")(gives(NONE))


@model("isinstance")
def _isinstance(it: Interpreter, call: Call) -> Value:
    if len(call.positional) != 2:
        return BOOL
    value, types = call.positional
    outcome = type_test(it, value, types)
    check_type_test(it, value, types, call.node)
    if outcome is None and any(type_test(it, each, types) for each in members_of(value)):
        # One of the things that the value stands for is: `any` finds it among them.
        return Union((TRUE, FALSE))
    return BOOL if outcome is None else Const(outcome)


@model("vars")
def _vars(it: Interpreter, call: Call) -> Value:
    if len(call.positional) != 1 or not isinstance(call.first, Ref):
        return UNKNOWN
    return attributes_as_dict(it, call.first, call.node)


@model("dataclasses.fields", "attr.fields", "attrs.fields")
def _fields_of(it: Interpreter, call: Call) -> Value:
    return field_names(it, call.first)


@model("dataclasses.asdict", "attr.asdict", "attrs.asdict")
def _asdict(it: Interpreter, call: Call) -> Value:
    plain = len(call.positional) == 1 and not call.keywords
    return fields_as_dict(it, call.first, call.node) if plain else UNKNOWN


@model("dataclasses.astuple", "attr.astuple", "attrs.astuple")
def _astuple(it: Interpreter, call: Call) -> Value:
    plain = len(call.positional) == 1 and not call.keywords
    return fields_as_tuple(it, call.first, call.node) if plain else UNKNOWN


@model("jitlint.fields")
def _fields(it: Interpreter, call: Call) -> Value:
    """``named_tuple._asdict()``."""
    return named_items(it, call.first, call.node) if isinstance(call.first, Tuple) else UNKNOWN


@model("issubclass")
def _issubclass(it: Interpreter, call: Call) -> Value:
    """Whether a class of the project derives from another one.

    Where the type of an array is asked about, what ``isinstance`` says of that.
    """
    kind = call.first
    if isinstance(kind, Class) and call.second:
        bases = call.second.items if isinstance(call.second, Tuple) else (call.second,)
        answers = {_derives(it, kind, base) for base in bases}
        if True in answers or answers == {False}:
            return Const(True in answers)
    if not isinstance(kind, ExternalInstance) or kind.cls != "jitlint.type" or not call.second:
        return STATIC
    outcome = type_test(it, dict(kind.attributes)["of"], call.second)
    return BOOL if outcome is None else Const(outcome)


def _derives(it: Interpreter, kind: Class, base: Value) -> bool | None:
    """Whether a class derives from another one; what is `type(self)` may be of a class below it."""
    if not isinstance(base, Class):
        return None
    info = class_info(it, kind)
    if base in info.mro:
        return True
    known = info.complete and kind not in class_info(it, base).mro
    return False if known and not class_info(it, base).protocol else None


@model("type")
def _type(it: Interpreter, call: Call) -> Value:
    value = call.first
    if len(call.positional) != 1:
        # `type(name, bases, namespace)` makes a class.
        return UNKNOWN
    if isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, Instance):
            return contents.cls
    traced = isinstance(value, Tree) and value.level is not Level.CONCRETE
    if isinstance(value, Array) or traced:
        return ExternalInstance("jitlint.type", (("of", value),))
    if value == NONE:
        return External("types.NoneType")
    if isinstance(value, (Const, Static)):
        kind = type_name(value)
        if kind in ("int", "float", "bool", "str"):
            return External(f"builtins.{kind}")
    return STATIC


@model("numpy.ndim", "jax.numpy.ndim")
def _ndim(it: Interpreter, call: Call) -> Value:
    """What the attribute is, where there is one."""
    traced = isinstance(call.first, (Array, Tree))
    return it.attribute(call.first, "ndim", call.node) if traced else STATIC


@model("jax.numpy.isscalar")
def _isscalar(it: Interpreter, call: Call) -> Value:
    """Arrays without dimensions are some for JAX."""
    if not isinstance(call.first, (Array, Tree)):
        return STATIC
    dimensions = it.attribute(call.first, "ndim", call.node)
    told = isinstance(dimensions, Static) and dimensions.scalar is not None
    return BOOL.of_rank(scalar=True) if told else BOOL


@model("numpy.isscalar")
def _is_numpy_scalar(it: Interpreter, call: Call) -> Value:
    """Numbers and texts of Python and NumPy are some, tracers never; observed under JAX 0.10.2."""
    value = call.first
    if isinstance(value, (Array, Tree)) and value.level is not Level.CONCRETE:
        return FALSE
    scalar = isinstance(value, (Const, Static)) and type_name(value) in _SCALARS
    return TRUE if scalar else BOOL


@model("equinox.is_array")
def _is_jax_array(it: Interpreter, call: Call) -> Value:
    """Tracers are arrays, NumPy's are none; observed under Equinox 0.13."""
    value = call.first
    if isinstance(value, Array) and value.level is not Level.CONCRETE:
        return TRUE
    # What is a float as far as it is known may be NumPy's, which counts as an array.
    return FALSE if isinstance(value, Const) else BOOL


@model("equinox.is_array_like")
def _is_like_an_array(it: Interpreter, call: Call) -> Value:
    """Numbers are, too; observed under Equinox 0.13."""
    numbers = isinstance(call.first, (Const, Static)) and type_name(call.first) in _SCALARS - {
        "str"
    }
    return TRUE if numbers or isinstance(call.first, Array) else BOOL


@model("jax.export.is_symbolic_dim")
def _is_symbolic_dimension(it: Interpreter, call: Call) -> Value:
    """No array is one, traced or not; what an integer is hangs on how the program is exported."""
    return FALSE if isinstance(call.first, (Array, Tree)) else UNKNOWN


@model("jax.core.is_concrete")
def _is_concrete(it: Interpreter, call: Call) -> Value:
    """Whether a tracer holds a value; observed under JAX 0.10.2."""
    value = call.first
    if isinstance(value, (Const, Static)) or (
        isinstance(value, Array) and value.level < Level.ABSTRACT
    ):
        return TRUE
    return FALSE if isinstance(value, Array) else BOOL


@model("callable")
def _callable(it: Interpreter, call: Call) -> Value:
    answers = {_is_callable(member) for member in members_of(call.first)}
    answer = answers.pop() if len(answers) == 1 else None
    return BOOL if answer is None else Const(answer)


def _is_callable(value: Value) -> bool | None:
    if isinstance(value, (Function, BoundMethod, Partial, Transformed, Class, Cached)):
        return True
    if isinstance(value, (Array, Const, Tuple)):
        return False
    return False if isinstance(value, Static) and value.type is not None else None


def attribute(it: Interpreter, value: Value, name: str, node: cst.CSTNode) -> Value:
    """``value.name`` for every alternative of a value."""
    return join_all(it.attribute(member, name, node) for member in members_of(value))


@model("hasattr")
def _hasattr(it: Interpreter, call: Call) -> Value:
    value, name = call.first, constant(call.args.get(1, "name"))
    if isinstance(value, Array) and isinstance(name, str):
        return BOOL if array_attribute(name) is None and array_method(name) is None else TRUE
    if type(value) is Tuple and value.cls is None and isinstance(name, str):
        return Const(hasattr((), name))
    if value == External("sys") and isinstance(name, str) and _is_hung_on_sys(name):
        return FALSE
    if isinstance(value, Ref) and isinstance(name, str):
        contents = it.contents(value)
        if isinstance(contents, Instance) and name in contents.attributes:
            # What is not known yet may be set by another method later.
            held = members_of(contents.attributes[name])
            open_ = UNKNOWN in held or (NONE in held and len(held) > 1)
            return BOOL if open_ else TRUE
    return BOOL


def _is_hung_on_sys(name: str) -> bool:
    """Whether a project keeps something of its own in ``sys``, as a switch that is off at first.

    What is done where it is on, as in a debugger, is no part of what runs otherwise.
    """
    return name.startswith("_") and not name.startswith("__") and not hasattr(sys, name)


@model("getattr")
def _getattr(it: Interpreter, call: Call) -> Value:
    name = constant(call.args.get(1, "name"))
    if not isinstance(name, str):
        return UNKNOWN
    value = attribute(it, call.first, name, call.node)
    note_attribute(it, call.first, name, value, call.node)
    return value


@model("setattr", "builtins.object.__setattr__")
def _setattr(it: Interpreter, call: Call) -> Value:
    if len(call.positional) < 3:
        return NONE
    receiver, name, value = call.positional[:3]
    known = constant(name)
    known = known if isinstance(known, str) else None
    it.signal(Kept(value))
    setter = None
    if known is not None and isinstance(receiver, Ref) and call.name == "setattr":
        setter = setter_of(it, receiver, known)
        if setter is not None:
            with it.running_setter(call.node):
                call_setter(it, setter, receiver, known, value, call.node)
            return NONE
    left = it.signal(AttributeSet(receiver, value, call.node, known))
    if not isinstance(receiver, Ref):
        set_on(it, receiver, known, value)
    elif isinstance(it.contents(receiver), Instance):
        if known is None:
            # Whose tracer was left behind is told of once.
            stored = UNKNOWN if left else value
            attributes(it, receiver, stored, names_like(None, call.place(1)))
        else:
            set_plainly(it, receiver, known, value)
    return NONE


@model("delattr", "builtins.object.__delattr__")
def _delattr(it: Interpreter, call: Call) -> Value:
    name = constant(call.args.get(1, "name"))
    if isinstance(name, str):
        delete(it, call.first, name)
    else:
        by_library(it, "builtins.delattr", call.args)
    return NONE


@model("inspect.ismethod", "inspect.isfunction")
def _is_function(it: Interpreter, call: Call) -> Value:
    answers = {_python_type(member) for member in members_of(call.first)}
    answer = answers.pop() if len(answers) == 1 else None
    return BOOL if answer is None else Const(call.name == answer)


def _python_type(value: Value) -> str | None:
    """Which test of ``inspect`` a value passes, if it is known; an array passes none."""
    if isinstance(value, Array):
        return "isarray"
    if isinstance(value, BoundMethod):
        return "ismethod" if isinstance(base_function(value.function), Function) else None
    return "isfunction" if isinstance(value, Function) else None


@model("inspect.getfullargspec")
def _full_argument_specification(it: Interpreter, call: Call) -> Value:
    """The names of the parameters of a function; what their defaults are is not followed."""
    function = call.first.function if isinstance(call.first, BoundMethod) else call.first
    code = it.load(function.code) if isinstance(function, Function) else None
    if code is None:
        return STATIC
    names: dict[str, list[Value]] = {}
    for parameter in code.parameters:
        names.setdefault(parameter.kind, []).append(Const(parameter.name))
    positional = names.get("positional-only", []) + names.get("positional", [])
    fields: dict[str, Value] = dict.fromkeys(
        ("varargs", "varkw", "defaults", "kwonlyargs", "kwonlydefaults", "annotations"), STATIC
    )
    fields["args"] = Tuple(tuple(positional))
    return ExternalInstance("inspect.FullArgSpec", tuple(sorted(fields.items())))


@model("inspect.signature")
def _signature(it: Interpreter, call: Call) -> Value:
    """The parameters that a caller of a function sees, by name; the rest is not followed."""
    code, bound = visible_signature(it, call.first)
    if code is None or says_another(it, call.first):
        return STATIC
    left_out = {parameter.name for parameter in positional_parameters(code, 0)[:bound]}
    names = [parameter.name for parameter in code.parameters if parameter.name not in left_out]
    parameters = DictObject(dict.fromkeys(names, STATIC), None, frozen=True)
    made = it.allocate(call.node, parameters, "parameters")
    return ExternalInstance("inspect.Signature", (("parameters", made),))


@model("super")
def _super(it: Interpreter, call: Call) -> Value:
    frame = it.frame
    code = frame.code
    unit = frame.parsed.unit
    if code is None or unit.cls is None or code.node is None or not code.parameters:
        return UNKNOWN
    variables = it.contents(frame.env)
    receiver = (variables or {}).get(code.parameters[0].name, UNKNOWN)
    owner = Class(unit.cls, frame.module, frame.closure)
    return ExternalInstance("builtins.super", (("<owner>", owner), ("<receiver>", receiver)))
