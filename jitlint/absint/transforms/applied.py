"""Modules of frameworks that nobody visibly applies: their users do, under ``jax.jit``.

A library of Flax, Haiku or Equinox modules holds no transform.  What such a module is given is an
array only where its annotation or its body says so; whatever may be a setting stays one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct, field

from jitlint.absint.code.declarations import decorator_names
from jitlint.absint.code.functions import Code
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import FunctionTraced, observes
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.modules.evidence import given_to_layers, of_parameter
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.objects.dispatch import one_of
from jitlint.absint.objects.instances import host_value, of_this_trace
from jitlint.absint.objects.module_arguments import (
    answers_in_python,
    module_argument,
    module_setting,
)
from jitlint.absint.program.classes import ClassInfo, class_info
from jitlint.absint.program.signatures import signature
from jitlint.absint.transforms.calling import call_transformed
from jitlint.absint.transforms.stepped import stepped_methods, trace_stepped
from jitlint.absint.values.domain import (
    STR,
    UNKNOWN,
    Class,
    External,
    ExternalInstance,
    Ref,
    Transformed,
)
from jitlint.jaxmodel import effects, frameworks
from jitlint.jaxmodel.environments import CALLED
from jitlint.jaxmodel.transforms import APPLIED, STEPPED

#: what a framework calls where a module is applied
_METHOD: Final = "__call__"
_LINEN: Final = "flax.linen"
_HAIKU: Final = "haiku"
_EQUINOX: Final = "equinox"
#: what makes the parts of a module, for each framework that runs it wherever the module is applied
_MAKING: Final = {"__init__": _HAIKU, "setup": _LINEN}
#: marks other methods of Flax linen that are called there, and nowhere else
_COMPACT: Final = "compact"
#: kinds of effects that a program has for the sake of whoever runs it
_OF_HOST: Final = frozenset({"progress bar", "file", "input"})


class Applied(Struct, eq=False):
    """The methods of modules that ran in a trace, by the identity of their code."""

    seen: dict[int, Code] = field(default_factory=dict)

    def fork(self) -> Applied:
        """What a part begins with."""
        return Applied()


@observes(FunctionTraced)
def _traced(it: Interpreter, signal: FunctionTraced) -> None:
    code = signal.code
    if code.unit.cls is None:
        return
    if code.name in _MAKING:
        it.observations(Applied).seen[id(code)] = code
        return
    if not (code.name in (_METHOD, *CALLED) or code.unit.decorated or _needs_setup(code)):
        return
    # A caller of whom nothing is known says nothing of what the module is given.
    given = [signal.arguments[parameter.name] for parameter in code.parameters[1:]]
    if not given or any(find_traced(it, value) is not None for value in given):
        it.observations(Applied).seen[id(code)] = code


def applied_methods(it: Interpreter, cls: Class) -> Iterator[tuple[Code, str]]:
    """The methods of a class that run where it is applied, each with what stands for the users."""
    methods = [
        code
        for name, units in cls.definition.methods.items()
        for code in (it.store.of_unit(units[-1]),)
        if name == _METHOD
        or name in _MAKING
        or (code.unit.decorated and _is_compact(decorator_names(code.unit)))
        or _needs_setup(code)
    ]
    for code in stepped_methods(it, cls):
        yield code, STEPPED
    transform = _applied_as(it, cls) if methods else None
    if transform is not None:
        for code in methods:
            needed = _LINEN if _needs_setup(code) else _MAKING.get(code.name)
            if needed is not None and transform != APPLIED[needed]:
                continue
            if not _acts_on_host(it, code):
                yield code, transform


def _acts_on_host(it: Interpreter, code: Code) -> bool:
    """Whether a method shows progress or handles files: a training loop, which nobody compiles."""
    for name in sorted(code.unit.calls):
        called = dotted_value(it, code.module, name)
        effect = effects.host_call(called.name) if isinstance(called, External) else None
        if effect is not None and effect.kind in _OF_HOST and effect.mode is None:
            return True
    return False


def _needs_setup(code: Code) -> bool:
    """Whether a public method of a module of Flax linen works only where that is applied.

    It is run by ``module.apply(variables, x, method="decode")``: what ``setup`` makes is there
    nowhere else.
    """
    unit = code.unit
    cls = unit.cls
    if cls is None or "setup" not in cls.methods or unit.decorated or code.name.startswith("_"):
        return False
    made = {name for name, methods in cls.assigned_attributes.items() if "setup" in methods}
    asked = (name.split(".") for name in unit.mentions if name.startswith("self."))
    return code.name != "setup" and any(parts[1] in made for parts in asked)


def _is_compact(decorators: Iterable[str | None]) -> bool:
    return any((name or "").rpartition(".")[2] == _COMPACT for name in decorators)


def _applied_as(it: Interpreter, cls: Class) -> str | None:
    """What stands for the users of a class of modules, None for any other class."""
    for name in _modules_of(class_info(it, cls)):
        for framework, transform in APPLIED.items():
            if name.startswith(f"{framework}."):
                return transform
    return None


def _modules_of(info: ClassInfo) -> list[str]:
    """The classes of frameworks that a class derives from and that are applied to arrays."""
    facts = map(frameworks.base_class, info.externals)
    return [
        fact.name
        for fact in facts
        if fact is not None and fact.role == "base" and fact.name.endswith(_BASES)
    ]


_BASES: Final = (".Module", ".RNNCellBase", ".RNNCore", ".StatefulLayer")


def trace_applied(it: Interpreter, function: Transformed, cls: Class | None) -> None:
    """Trace a method of a module, as it is when the module is applied.

    Args:
      it: the interpreter.
      function: the method, with what stands for the users.
      cls: the class of the module.
    """
    code, _ = signature(it, function.function)
    if code is not None and cls is not None and function.transform == STEPPED:
        trace_stepped(it, function, cls, code)
        return
    if code is None or cls is None or answers_in_python(it, cls, code):
        return
    if code.name in _MAKING:
        _trace_making(it, function, cls, code)
        return
    if function.transform == APPLIED[_EQUINOX] and _takes_settings_alone(it, code):
        return
    made = one_of(it, cls)
    # Haiku refuses to make a module anywhere but in the trace that it applies it in.
    module = of_this_trace(it, made) if function.transform == APPLIED[_HAIKU] else made
    assert isinstance(module, Ref)
    layers = _layers_of(it, module)
    arrays = given_to_layers(it, code, layers) if layers else set()
    args = Arguments([module], open=True)
    for number, parameter in enumerate(code.parameters[1:]):
        if parameter.kind == "*":
            args.star = UNKNOWN
        elif parameter.kind == "**":
            args.star_keywords = UNKNOWN
        elif parameter.kind == "keyword" or parameter.default is not None:
            args.keywords[parameter.name] = module_argument(it, code, parameter, number, arrays)
        else:
            args.positional.append(module_argument(it, code, parameter, number, arrays))
    before, it.captured = it.captured, {}
    try:
        call_transformed(it, function, args, function.place.node)
    finally:
        it.captured = before


def _takes_settings_alone(it: Interpreter, code: Code) -> bool:
    """Whether a method takes texts, and nothing that may be an array: it directs a program."""
    given = [of_parameter(it, code, parameter) for parameter in code.parameters[1:]]
    kinds = [each.annotation for each in given]
    return any(kind.value == STR for kind in kinds) and not any(
        each.may_be_array or each.annotation.kind == "array" for each in given
    )


def _trace_making(it: Interpreter, function: Transformed, cls: Class, code: Code) -> None:
    """Trace how a module makes its parts, on settings of which only the types are known.

    Haiku runs ``__init__`` in every trace, and so does Flax linen ``setup``: an array that is made
    there of Python numbers is traced.
    """
    args = Arguments(open=True)
    if code.name == "setup":
        for made in class_info(it, cls).fields:
            args.keywords[made.name] = host_value(it, made.annotation)
    else:
        for number, parameter in enumerate(code.parameters[1:]):
            if parameter.kind not in ("*", "**"):
                args.keywords[parameter.name] = module_setting(it, code, parameter, number)
    before, it.captured = it.captured, {}
    try:
        making = Transformed(cls, function.transform, (), function.place)
        call_transformed(it, making, args, function.place.node)
    finally:
        it.captured = before


def _layers_of(it: Interpreter, module: Ref) -> frozenset[str]:
    """The attributes of a module that are layers of a framework."""
    return frozenset(
        name
        for name, value in it.contents(module).attributes.items()
        if isinstance(value, ExternalInstance)
        and (fact := frameworks.lookup(value.cls)) is not None
        and fact.kind == "module_class"
    )
