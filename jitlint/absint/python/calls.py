"""Calls: the arguments as they are written, and how Python calls what."""

from __future__ import annotations

from contextlib import nullcontext, suppress

import libcst as cst
from msgspec.structs import replace

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.keeping import keeping
from jitlint.absint.machine.omissions import Reason
from jitlint.absint.machine.signals import CachedCalled, Kept, TransformedCalled, UnknownCalled
from jitlint.absint.machine.verbs import calls_of, evaluates
from jitlint.absint.objects.dispatch import is_program
from jitlint.absint.objects.flagged_choices import as_told
from jitlint.absint.objects.several import are_of_several, taken_for_one
from jitlint.absint.operations.hashing import emit_hash, hashed_tracer
from jitlint.absint.operations.iteration import dict_contents
from jitlint.absint.python.handed_functions import fill_entered, run_handed
from jitlint.absint.python.namespaces import update_by_method
from jitlint.absint.values.buffers import new_buffer
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Cached,
    Certainty,
    Descriptor,
    EnumMember,
    External,
    Function,
    Level,
    Partial,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import FILLING
from jitlint.absint.values.lattice import guessed, join_all, join_states, join_with
from jitlint.absint.values.traversal import rebuilt
from jitlint.jaxmodel import functions
from jitlint.jaxmodel.transforms import COMPILING


@evaluates(cst.Call)
def _call(it: Interpreter, node: cst.Call) -> Value:
    function = it.ev(node.func)
    if it.trace is None and type(node.func) is cst.Call and type(function) is Transformed:
        it.signal(TransformedCalled(function, node.func))
    result = it.call(function, _arguments(it, node), node)
    return _one_thing(result) if it.trace is None else result


def _one_thing(result: Value) -> Value:
    """What a call gives: whatever it is, it is the same wherever it gets to."""
    if isinstance(result, (Unknown, Tree)):
        return result if result.buffers else result.replace(buffers=new_buffer())
    return rebuilt(result, _one_thing) if type(result) is Tuple else result


def _arguments(it: Interpreter, node: cst.Call) -> Arguments:
    """Evaluate the arguments of a call from left to right."""
    args = Arguments()
    for arg in node.args:
        value = it.ev(arg.value)
        if arg.star == "*":
            element, items = it.iterate(value, arg.value)
            if items is not None and args.star is None:
                args.positional.extend(items)
                args.nodes.extend(arg.value for _ in items)
            else:
                args.star = join_with(args.star, element)
        elif arg.star == "**":
            contents = dict_contents(it, value)
            before = args.star_keywords
            if contents is None:
                args.star_keywords = value if isinstance(value, Tree) else UNKNOWN
            else:
                for key, item in contents.items.items():
                    if isinstance(key, str):
                        args.keywords[key] = item
                        args.keyword_nodes[key] = arg.value
                if contents.rest is not None:
                    args.star_keywords = contents.rest
            if before not in (None, args.star_keywords):
                # Which of two mappings holds a keyword is not known.
                args.star_keywords = UNKNOWN
        elif arg.keyword is not None:
            args.keywords[arg.keyword.value] = value
            args.keyword_nodes[arg.keyword.value] = arg.value
        elif args.star is not None:
            args.star = join_with(args.star, value)
        else:
            args.positional.append(value)
            args.nodes.append(arg.value)
    return args


# -- values ---------------------------------------------------------------------------------------


@calls_of(Union)
def _call_each(it: Interpreter, function: Union, args: Arguments, node: cst.CSTNode) -> Value:
    told = as_told(it, function)
    if told is not function:
        return it.call(told, args, node)
    results = []
    callables = _worth_calling(function)
    # What one of two compiled functions takes for itself is there for the other.
    apart = it.trace is None and any(map(is_program, callables))
    before, after = it.state, None
    agreed = (function.exclusive and len(callables) > 1) or are_of_several(it, callables)
    agreed = agreed and not it.is_speculating
    called = (
        it.text(node.func if isinstance(node, cst.Call) else node) if len(callables) > 1 else ""
    )
    for member in callables:
        if apart:
            it.state = before.copy()
        # Which library's function it is depends on what is installed.
        doubtful = function.exclusive or isinstance(member, External)
        try:
            with (
                it.speculating(called) if doubtful and len(callables) > 1 else nullcontext(),
                taken_for_one(it, member, callables),
            ):
                reported, it.reported = it.reported, False
                results.append(it.call(member, args, node))
        except Terminated:
            continue
        finally:
            agreed = agreed and it.reported
            it.reported = it.reported or reported
        after = join_states(after, it.state)
    if apart:
        it.state = before if after is None else after
    if agreed:
        # Whichever it is, something is wrong with it.
        for member in callables:
            with it.branch(before.copy()), suppress(Terminated):
                it.call(member, args, node)
    if not results:
        raise Terminated
    # Which of several made it is as little known as which they are.
    return guessed(join_all(results)) if function.exclusive else join_all(results)


def _worth_calling(function: Union) -> list[Value]:
    """The members of a union that are called.

    A function that is compiled or not, by a flag, is called as the compiled one.  Not where a key
    that nobody knows tells whether it is compiled at all.
    """
    if function.exclusive:
        return [member for member in function.members if member != NONE]
    plain = {member: _uncompiled(member) for member in function.members}
    compiled = {other for member, other in plain.items() if other != member}
    return [m for m in function.members if m != NONE and m not in compiled]


def _uncompiled(function: Value) -> Value:
    """The same without jit, as a flag chooses it: itself, or what it binds."""
    if isinstance(function, Transformed) and function.transform in COMPILING:
        return function.function
    if not isinstance(function, Partial):
        return function
    keywords = tuple((name, _uncompiled(value)) for name, value in function.keywords)
    return Partial(_uncompiled(function.function), tuple(map(_uncompiled, function.args)), keywords)


@calls_of(Value, EnumMember)
def _call_unknown(it: Interpreter, function: Value, args: Arguments, node: cst.CSTNode) -> Value:
    if isinstance(node, cst.Call):
        update_by_method(it, args, node)
    it.signal(UnknownCalled(args, node))
    if isinstance(node, cst.Call):
        it.omit(Reason.UNKNOWN_CALLEE, node, node)
    run_handed(it, args, node)
    it.forget(args.values())
    fill_entered(it)
    return _computed(args, node) if isinstance(function, (Unknown, Tree)) else UNKNOWN


def _computed(args: Arguments, node: cst.CSTNode) -> Value:
    """What somebody's function gives for a tracer: traced too, if it turns out to be an array.

    Not that of ``backend.ndim(x)`` or ``get_shape(x)``, whoever defines it: functions of JAX with
    such names ask for the shape or the type alone.
    """
    called = node.func if isinstance(node, cst.Call) else None
    named = called.attr if isinstance(called, cst.Attribute) else called
    words = named.value.split("_") if isinstance(named, cst.Name) else ()
    namesakes = (functions.lookup(f"jax.numpy.{word}") for word in (*words, "".join(words)))
    if any(fact is not None and fact.returns == "static" for fact in namesakes):
        return UNKNOWN
    for value in (*args.positional, *args.keywords.values()):
        if not isinstance(value, (Array, Tree)) or value.level is not Level.ABSTRACT:
            continue
        if value.certainty is not Certainty.DEFAULTED:
            return Tree(Level.ABSTRACT, certainty=Certainty.GUESS, origin=value.origin)
    return UNKNOWN


@calls_of(Partial)
def _call_partial(it: Interpreter, function: Partial, args: Arguments, node: cst.CSTNode) -> Value:
    merged = args.prepended(*function.args, node=node) if function.args else args
    if function.keywords:
        merged = replace(merged, keywords={**dict(function.keywords), **merged.keywords})
    return it.call(function.function, merged, node)


@calls_of(Cached)
def _call_cached(it: Interpreter, function: Cached, args: Arguments, node: cst.CSTNode) -> Value:
    for index, value in enumerate(args.positional):
        traced = hashed_tracer(it, value)
        if traced is not None:
            where = args.nodes[index] if index < len(args.nodes) else node
            emit_hash(it, node, traced, where, "argument of a cached function")
            return UNKNOWN
    if isinstance(function.function, Function):
        it.signal(CachedCalled(function.function.code))
    key = (*args.positional, *[value for _, value in sorted(args.keywords.items())])
    it.in_cached += 1
    fills = it.trace is not None and FILLING not in it.state.assumed
    if fills:
        # It may have run before, outside of the trace.
        it.state.assumed[FILLING] = True
    try:
        with keeping(it, function.function, key):
            result = it.call(function.function, args, node)
    finally:
        it.in_cached -= 1
        if fills:
            it.state.assumed.pop(FILLING, None)
    it.signal(Kept(result))
    return result


@calls_of(Descriptor)
def _call_descriptor(
    it: Interpreter, function: Descriptor, args: Arguments, node: cst.CSTNode
) -> Value:
    """A static method called by its name in the class body."""
    return it.call(function.function, args, node)


@calls_of(Static)
def _call_static(it: Interpreter, function: Value, args: Arguments, node: cst.CSTNode) -> Value:
    return UNKNOWN
