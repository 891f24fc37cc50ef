"""Parameters and results: what a function's variables are when it starts, and what it gives."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.functions import Code, Parameter
from jitlint.absint.code.syntax import is_none
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import verb
from jitlint.absint.modules.defaults import default_value
from jitlint.absint.modules.evidence import of_parameter
from jitlint.absint.objects.configured import default_of
from jitlint.absint.objects.instances import informed
from jitlint.absint.objects.traced_values import in_place_of_none, used_as_object
from jitlint.absint.values.buffers import new_buffer
from jitlint.absint.values.domain import (
    STATIC,
    UNKNOWN,
    Array,
    Function,
    Ref,
    Sentinel,
    Static,
    Tree,
    Tuple,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import DictObject, ListObject, Variables
from jitlint.absint.values.lattice import join_all
from jitlint.absint.values.statics import is_number


@verb("bind")
def _bind(it: Interpreter, function: Function, args: Arguments, frame: Frame) -> Variables:
    code = function.code
    variables = Variables()
    defaults = dict(function.defaults)
    keywords = dict(args.keywords)
    position = 0
    for parameter in code.parameters:
        name = parameter.name
        if parameter.kind == "*":
            rest = tuple(args.positional[position:])
            position = len(args.positional)
            if args.star is None and not args.open:
                variables[name] = Tuple(rest)
            else:
                id_ = it.new_id("star", frame.env, name)
                element = join_all([*rest, args.star or UNKNOWN])
                it.state.put(id_, ListObject(None, element))
                variables[name] = Ref(id_)
            continue
        if parameter.kind == "**":
            id_ = it.new_id("keywords", frame.env, name)
            others = args.star_keywords or (UNKNOWN if args.open else None)
            it.state.put(id_, DictObject(dict(keywords), others))
            variables[name] = Ref(id_)
            continue
        place: cst.CSTNode | None = None
        if parameter.kind != "keyword" and position < len(args.positional):
            variables[name] = args.positional[position]
            place = args.node(position, name)
            position += 1
        elif name in keywords and parameter.kind != "positional-only":
            variables[name] = keywords.pop(name)
            place = args.keyword_nodes.get(name)
        elif (
            parameter.kind != "keyword" and args.star is not None and not _keeps_variable(parameter)
        ):
            # It may come from the star or keep its default.
            variables[name] = args.star if parameter.default is None else UNKNOWN
        else:
            variables[name] = _missing(it, function, parameter, defaults, args)
        value = variables[name]
        if place is not None and it.trace is not None and is_none(parameter.default):
            value = variables[name] = in_place_of_none(value)
        if isinstance(value, Unknown):
            known = informed(it, code, parameter, value)
            if isinstance(known, (Array, Tree, Unknown)) and value.buffers:
                known = known.replace(buffers=value.buffers)
            if not isinstance(known, Array) or not _is_setting(it, place):
                variables[name] = known
        elif type(value) is Tree and it.trace is not None:
            variables[name] = _by_use(it, code, parameter, value)
        if it.trace is None:
            variables[name] = _one_thing(variables[name])
    return variables


def _keeps_variable(parameter: Parameter) -> bool:
    """Whether a default only keeps what a variable is then: ``def run(step=step)`` in a loop.

    Nobody passes anything for it.
    """
    return type(parameter.default) is cst.Name and parameter.default.value == parameter.name


def _one_thing(value: Value) -> Value:
    """What a caller passes of whom nothing is known: the same wherever it gets to."""
    if isinstance(value, (Array, Tree, Unknown)) and not value.buffers:
        return value.replace(buffers=new_buffer())
    return value.of_told(value.told) if type(value) is Static else value


def _is_setting(it: Interpreter, node: cst.CSTNode | None) -> bool:
    """Whether an argument is read from an object from outside of the trace: ``config.loss.scale``.

    It can be no tracer then, and is more likely a number than the array that an annotation of the
    function says it is.
    """
    if it.trace is None or not isinstance(node, cst.Attribute):
        return False
    root: cst.CSTNode = node
    while isinstance(root, cst.Attribute):
        root = root.value
    if not isinstance(root, cst.Name):
        return False
    own = it.contents(it.frame.env)
    return not isinstance(own, Variables) or root.value not in own


def _by_use(it: Interpreter, code: Code, parameter: Parameter, value: Tree) -> Value:
    """A pytree of unknown structure, in a function that uses it as an array or as an object."""
    if value.container and not value.keyed:
        return value
    evidence = of_parameter(it, code, parameter)
    if evidence.used_as_array and not value.container:
        return Array(
            value.level, certainty=value.certainty, origin=value.origin, trace=it.trace_number
        )
    return used_as_object(it, value, evidence)


def _missing(
    it: Interpreter,
    function: Function,
    parameter: Parameter,
    defaults: dict[str, Value],
    args: Arguments,
) -> Value:
    default = defaults.get(parameter.name)
    if default is None and parameter.default is not None:
        default = default_value(it, function.code, parameter)
        default = default_of(it, function.code, parameter.name, default)
    if args.star_keywords is not None and not _keeps_variable(parameter):
        return args.star_keywords if default is None else UNKNOWN
    if args.open and isinstance(default, Sentinel):
        # Whoever calls it may pass something.
        return STATIC
    if args.open and it.trace is None and _lists_numbers(it, default):
        # So he may here: an array in the place of ``values=[0]``.
        return UNKNOWN
    return UNKNOWN if default is None else default


def _lists_numbers(it: Interpreter, default: Value | None) -> bool:
    """Whether a default is a list of numbers."""
    contents = it.contents(default) if isinstance(default, Ref) else None
    items = contents.items if isinstance(contents, ListObject) else None
    return bool(items) and all(map(is_number, items or ()))
