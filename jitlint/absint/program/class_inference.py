"""Which class an object of unknown class is of, by the names that are used on it.

``env.observe(state)`` says of a parameter ``env`` that its class has ``observe``.  Where all such
names fit one class of the project, with what derives from it, and no other, the object is taken for
one of that class.  Names that arrays, containers and what libraries make have too say nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.evidence import of_parameter
from jitlint.absint.program.classes import ClassInfo, class_info
from jitlint.absint.program.subclasses import subclasses
from jitlint.absint.values.domain import Class
from jitlint.jaxmodel import frameworks
from jitlint.jaxmodel.functions import array_attribute, array_method

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code, Parameter
    from jitlint.project.index import ModuleIndex

#: how instances of a class pass a transform, so that their fields are traced there
_TRACED: Final = frozenset({"leaves", "custom", "variables"})
#: methods that dataclasses and NamedTuples have without defining them
_GENERATED: Final = frozenset({"replace", "_replace", "_asdict", "_fields", "to_tuple"})
_COMMON: Final = frozenset(
    name
    for kind in (list, dict, set, str, bytes, int, float, complex, tuple, slice, BaseException)
    for name in dir(kind)
) | frozenset(
    """apply init update bind variables params value log_prob sample prob mode entropy mean
    stddev cdf icdf support event_shape batch_shape name dtype shape
    close seed render write flush read open info debug warning error log step reset
    func args keywords fields run forward backward parameters cpu cuda numpy torch
    key rng data grad state config path parent children
    action_space observation_space low high jaxpr eqns invars outvars aval""".split()
)


def class_of_parameter(
    it: Interpreter, code: Code, parameter: Parameter, *, traced: bool
) -> Class | None:
    """The class that the uses of a parameter in its function tell.

    Args:
      it: the interpreter.
      code: the function, loaded.
      parameter: of which nothing else is known.
      traced: whether it comes through a transform, which only takes pytrees.
    """
    if f"{parameter.name}." not in code.unit.text:
        return None
    evidence = of_parameter(it, code, parameter)
    if evidence.annotation.kind != "unknown" or evidence.used_as_array:
        return None
    key = ("class by use", id(parameter), traced)
    it.reads.read(code.module)
    if key not in it.facts:
        with it.reads.of(it, code.module, key[0]):
            it.facts[key] = _with_names(it, evidence.names, code.module, traced=traced)
    found: Class | None = it.facts[key]
    return found if found is None or _may_be(it, code, parameter, found) else None


def library_class_of_parameter(it: Interpreter, code: Code, parameter: Parameter) -> str | None:
    """The class of a library that the uses of a parameter in its function tell, by its full name.

    Args:
      it: the interpreter.
      code: the function, loaded.
      parameter: of which nothing else is known, and no class of the project fits.
    """
    evidence = of_parameter(it, code, parameter)
    if evidence.annotation.kind != "unknown" or evidence.used_as_array:
        return None
    it.reads.read(code.module)
    for method in evidence.names & frameworks.TELLING_METHODS.keys():
        key = ("classes that define", method, id(code.module))
        if key not in it.facts:
            with it.reads.of(it, code.module, key[0]):
                it.facts[key] = any(other.defining(method) for other in it.modules_with(method))
        if it.facts[key]:
            continue
        for name in frameworks.TELLING_METHODS[method]:
            fact = frameworks.base_class(name)
            if fact is not None and evidence.names <= _bound_by(fact) | _GENERATED:
                return name
    return None


def _bound_by(fact: frameworks.ClassFact) -> frozenset[str]:
    """The names that an object has of a class of a library."""
    return frozenset({*fact.traced_fields, *fact.static_fields, *fact.methods})


def _may_be(it: Interpreter, code: Code, parameter: Parameter, found: Class) -> bool:
    """Whether a parameter may be of a class: the object of a method is of the class that has it."""
    unit = code.unit
    own = unit.cls is not None and unit.qualname == code.qualname
    if not own or parameter is not code.parameters[0] or parameter.name != "self":
        return True
    assert unit.cls is not None
    owner = Class(unit.cls, code.module)
    return owner in class_info(it, found).mro or found in class_info(it, owner).mro


def class_of_attribute(it: Interpreter, cls: Class, name: str, *, traced: bool) -> Class | None:
    """The class that the uses of an attribute in the methods of a class tell.

    Args:
      it: the interpreter.
      cls: the class.
      name: an attribute of its instances of which nothing else is known.
      traced: whether it came through a transform.
    """
    key = ("class of attribute", id(cls.definition), name, traced)
    it.reads.read(cls.module)
    if key not in it.facts:
        with it.reads.of(it, cls.module, key[0]):
            names = _names_on(class_info(it, cls), name)
            found = _with_names(it, names, cls.module, traced=traced)
            # What holds another of its own kind wraps whatever has the same methods.
            it.facts[key] = None if found is None or found in class_info(it, cls).mro else found
    known: Class | None = it.facts[key]
    return known


def _names_on(info: ClassInfo, attribute: str) -> frozenset[str]:
    """The names that follow ``self.attribute`` in the methods of a class."""
    asked = (cls.definition.asked_attributes.get(attribute, ()) for cls in info.mro)
    return frozenset().union(*asked)


def _with_names(
    it: Interpreter, names: frozenset[str], module: ModuleIndex, *, traced: bool
) -> Class | None:
    """The one class that has all names, the others that have them deriving from it.

    Where there are several, what they have in common: the nearest base class.
    """
    telling = sorted(name for name in names if _tells(name))
    if not telling:
        return None
    fitting: list[ClassInfo] = []
    for name in telling:
        for other in it.modules_with(name):
            for definition in other.defining(name):
                info = class_info(it, Class(definition, other))
                if info not in fitting and _fits(info, names, traced=traced):
                    fitting.append(info)
    roots = [
        info
        for info in fitting
        if not any(base is not info and base.cls in info.mro for base in fitting)
    ]
    base = _common_base(it, fitting, roots) if len(roots) > 1 else None
    if base is not None:
        roots = [class_info(it, base)]
    if len(roots) > 1:
        # Of several the one that the module imports; what it defines itself may wrap the others.
        roots = [info for info in roots if info.cls.module is not module and _named(info, module)]
    elif len(telling) == 1:
        # One name alone is soon found elsewhere: the class must be spoken of here.
        roots = [info for info in roots if _named(info, module)]
    return roots[0].cls if len(roots) == 1 else None


def _common_base(it: Interpreter, fitting: list[ClassInfo], roots: list[ClassInfo]) -> Class | None:
    """The nearest base class of several, if all that derive from it are among those that fit."""
    first, *others = roots
    base = next((cls for cls in first.mro if all(cls in info.mro for info in others)), None)
    if base is None:
        return None
    known = [info.cls for info in fitting]
    return base if all(cls in known for cls in subclasses(it, base)) else None


def _named(info: ClassInfo, module: ModuleIndex) -> bool:
    name = info.cls.definition.name
    return not name.islower() and module.has_word(name)


def _tells(name: str) -> bool:
    return (
        name not in _COMMON
        and name not in _GENERATED
        and not name.startswith("__")
        and array_attribute(name) is None
        and array_method(name) is None
    )


def _fits(info: ClassInfo, names: frozenset[str], *, traced: bool) -> bool:
    if info.kind == "enum" or "typing.Protocol" in info.externals:
        return False
    if traced and info.pytree not in _TRACED and info.kind != "namedtuple":
        return False
    sought = sorted(name for name in names if name not in _GENERATED)
    bound = frozenset[str]().union(*(cls.definition.named_of(*sought) for cls in info.mro))
    for name in info.externals:
        # `class State(train_state.TrainState)` has what Flax gives it.
        fact = frameworks.base_class(name)
        if fact is not None:
            bound |= _bound_by(fact)
    return bound.issuperset(sought)
