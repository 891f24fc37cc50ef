"""What a call gives, as the annotation of the function's result tells.

It is asked where nothing is known of what a function returned, or of what it would have.
"""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.declarations import makes_coroutine
from jitlint.absint.code.functions import Code
from jitlint.absint.code.signatures import return_annotation_of
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import find_traced, first_tracer
from jitlint.absint.machine.verbs import verb
from jitlint.absint.modules.annotations import Annotation, read
from jitlint.absint.objects.traced_values import annotated_argument
from jitlint.absint.values.domain import (
    INT,
    UNKNOWN,
    Array,
    Certainty,
    Class,
    Level,
    Origin,
    Tuple,
    Value,
)


@verb("result")
def _result(
    it: Interpreter, code: Code, value: Value | None, args: Arguments, node: cst.CSTNode
) -> Value:
    if value is None:
        return _unseen(it, code, node)
    if type(value) is Array and value.level is Level.CONCRETE:
        if _annotation(it, code).value == INT:
            # What an annotation of a parameter calls an array is a Python number then.
            return UNKNOWN
        return value
    told = value != UNKNOWN and not (isinstance(value, Tuple) and UNKNOWN in value.items)
    if told or code.is_generator or code.is_async or not it.frame.context.staging:
        return value
    annotation = _annotation(it, code)
    if annotation.kind not in ("array", "class", "tuple"):
        return value
    traced = first_tracer(find_traced(it, given) for given in args.values())
    if traced is None or traced.level is not Level.ABSTRACT:
        return value
    origin = it.origin(node, f"`{code.qualname}` returns an array", traced.origin)
    return _filled(it, value, annotation, origin)


def _unseen(it: Interpreter, code: Code, node: cst.CSTNode) -> Value:
    """An object of the class that host code says it returns, where nobody looks into it."""
    if makes_coroutine(code.unit):
        return UNKNOWN
    annotation = _annotation(it, code)
    cls = annotation.value if annotation.kind == "class" else None
    return it.some_object(cls, node) if isinstance(cls, Class) else UNKNOWN


def _annotation(it: Interpreter, code: Code) -> Annotation:
    """The annotation of what a function returns, read once."""
    key = ("returned", id(code))
    it.reads.read(code.module)
    known: Annotation | None = it.facts.get(key)
    if known is None:
        with it.reads.of(it, code.module, key[0]):
            known = read(it, code.module, return_annotation_of(code))
        it.facts[key] = known
        it.keep(code)
    return known


def _filled(it: Interpreter, value: Value, annotation: Annotation, origin: Origin) -> Value:
    """A value with what is not known of it as its annotation says."""
    if value == UNKNOWN:
        return _made(it, annotation, origin)
    parts = annotation.parts
    if not isinstance(value, Tuple) or annotation.kind != "tuple" or len(parts) != len(value.items):
        return value
    pairs = zip(value.items, parts, strict=True)
    return Tuple(tuple(_filled(it, item, part, origin) for item, part in pairs), value.cls)


def _made(it: Interpreter, annotation: Annotation, origin: Origin) -> Value:
    """What a function makes of tracers that is annotated so."""
    if annotation.kind == "tuple":
        return Tuple(tuple(_made(it, part, origin) for part in annotation.parts))
    if annotation.kind == "array" and annotation.value == UNKNOWN:
        return Array(Level.ABSTRACT, origin=origin, trace=it.trace_number)
    if annotation.kind != "class":
        return UNKNOWN
    certainty = Certainty.SURE
    made = annotated_argument(it, annotation, Level.ABSTRACT, "arrays", origin, certainty)
    return UNKNOWN if made is None else made
