"""Random keys: what they are made of, and what draws numbers with them.

A key that a cached trace makes of a constant is the same one in every call of what is compiled, and
so is all that is split from it.  It is not where something else takes part that may differ: a
traced value that is folded in, a seed that a caller passes.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.library.registry import Call, Model, gives, model
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import KeyMade, NumbersDrawn
from jitlint.absint.packages.facts import apply_fact
from jitlint.absint.values.domain import (
    CHANGES,
    INT,
    UNKNOWN,
    Array,
    Const,
    External,
    Static,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import Variables
from jitlint.jaxmodel.functions import lookup
from jitlint.jaxmodel.random import DERIVING, DRAWING, MAKING
from jitlint.jaxmodel.wording import is_trace_note

#: what programs make numbers of texts with, to tell keys apart
model("zlib.crc32", "zlib.adler32", "binascii.crc32")(gives(INT))


def _described(it: Interpreter, call: Call, name: str) -> Value:
    fact = lookup(name)
    return UNKNOWN if fact is None else apply_fact(it, fact, call)


def _making(name: str) -> Model:
    """``jax.random.key(0)``."""

    def make(it: Interpreter, call: Call) -> Value:
        made = _described(it, call, name)
        if not isinstance(made, Array):
            return made
        seed = None
        node = call.args.node(0, "seed")
        if it.frame.context.cached and node is not None and it.trace is not None:
            value = call.args.get(0, "seed")
            if isinstance(value, Const) and _is_fixed(it, it.frame, node, value):
                seed = it.moment(call.node)
                it.signal(KeyMade(call.node))
        return made.replace(dtype="key", seed=seed)

    return make


def _deriving(name: str) -> Model:
    """``jax.random.split(key)``, ``jax.random.fold_in(key, 3)``."""

    def derive(it: Interpreter, call: Call) -> Value:
        made = _described(it, call, name)
        key = call.args.get(0, "key")
        if not isinstance(made, Array) or not isinstance(key, Array):
            return made
        seed = key.seed
        if call.starred or not all(map(_is_static, call.args.values()[1:])):
            seed = None
        return made.replace(dtype="key", seed=seed)

    return derive


def _drawing(name: str) -> Model:
    """``jax.random.normal(key, shape)``."""

    def draw(it: Interpreter, call: Call) -> Value:
        key = call.args.get(0, "key")
        it.signal(NumbersDrawn(UNKNOWN if key is None else key, call.node))
        return _described(it, call, name)

    return draw


for _names, _make in ((MAKING, _making), (DERIVING, _deriving), (DRAWING, _drawing)):
    for _name in _names:
        model(_name)(_make(_name))


def _is_static(value: Value) -> bool:
    """Whether nothing in a value can differ from one call of what is compiled to the next."""
    if isinstance(value, Tuple):
        return all(map(_is_static, value.items))
    return isinstance(value, (Const, Static, External))


_LITERALS: Final = (cst.Integer, cst.UnaryOperation)


def _is_fixed(it: Interpreter, frame: Frame, node: cst.CSTNode, value: Const) -> bool:
    """Whether the code that runs in the trace, or a module, decides a seed, and no caller of it.

    Args:
      it: the interpreter.
      frame: where the seed is asked for.
      node: the seed as that code writes it.
      value: the seed.
    """
    if value.flag == CHANGES:
        return False
    if isinstance(node, _LITERALS):
        return True
    if isinstance(node, cst.Attribute):
        # `config.SEED`; `self.seed` is what somebody chose for an object.
        return isinstance(node.value, cst.Name) and node.value.value not in _own_names(it, frame)
    if not isinstance(node, cst.Name):
        return False
    code, name = frame.code, node.value
    if code is None or name not in _own_names(it, frame):
        return not any(name in (it.contents(env) or ()) for env in frame.closure)
    index = next((i for i, p in enumerate(code.parameters) if p.name == name), None)
    if index is None:
        return True
    return _is_passed_fixed(it, frame, index, value)


def _own_names(it: Interpreter, frame: Frame) -> Variables:
    contents = it.contents(frame.env)
    return contents if isinstance(contents, Variables) else Variables()


def _is_passed_fixed(it: Interpreter, frame: Frame, index: int, value: Const) -> bool:
    """Whether the call of a function in the trace fixes an argument, or leaves it out."""
    code, caller, chain = frame.code, frame.parent, frame.chain
    if code is None or caller is None or chain is None or is_trace_note(chain.step.note):
        return False
    call = chain.step.place.node
    if chain.step.place.parsed is not caller.parsed or not isinstance(call, cst.Call):
        return False
    parameter = code.parameters[index]
    if parameter.kind in ("*", "**") or any(arg.star for arg in call.args):
        return False
    named = [arg for arg in call.args if arg.keyword and arg.keyword.value == parameter.name]
    positional = [arg for arg in call.args if arg.keyword is None]
    if code.cls is not None and isinstance(call.func, cst.Attribute):
        index -= 1
    if parameter.kind != "keyword" and 0 <= index < len(positional):
        named = [positional[index]]
    if not named:
        return parameter.default is not None
    return _is_fixed(it, caller, named[0].value, value)
