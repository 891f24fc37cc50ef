"""Dtypes of 64 bits that JAX is asked for.

Whether x64 is turned on is a fact about the whole project, which is asked when all is seen; here is
only what the code insists on.  Who takes a dtype as an option, tells dtypes apart, or asks for one
in the branch of a test on precision, has other cases in mind as well.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import libcst as cst

from jitlint.absint.code.declarations import binds_once_to_a_name
from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.detectors.surroundings.written import bindings
from jitlint.absint.events import WideDtype
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import DtypeAsked, observes
from jitlint.absint.values.domain import Const, External, Value
from jitlint.absint.values.heap import Variables
from jitlint.jaxmodel.wide_dtypes import BY_NAME, BY_TEXT, DTYPE_MAKERS, NARROW

#: asks whether a dtype is given at all
_GIVEN: Final = re.compile(r"\w*dtype\w*\s+is\s+(?:not\s+)?None\b")
#: how code asks for which precision it runs
_PRECISION: Final = (
    r"x64|\b(?:warns|filterwarnings|simplefilter|catch_warnings)\b"
    r"|\b(?:if|elif|case|assert)\b[^\n]*(?:64|128|double|precision|dtype)"
)
_PRECISION_TESTS: Final = re.compile(_PRECISION)
#: how code asks which dtype it has, or may have
_TESTS: Final = re.compile(
    r"dtype\w*\s*(?:[!=]=|(?:not\s+)?in\b|is\b)|[!=]=\s*\S*dtype|issubdtype|canonicali[sz]e"
    rf"|(?:result_type|promote_types)|{_PRECISION}"
)


@observes(DtypeAsked)
def _asked(it: Interpreter, asked: DtypeAsked) -> None:
    node = asked.node
    wide = _wide(it, asked.dtype, node)
    if wide is None or it.under or not _is_insisted_on(it, node):
        return
    it.note(WideDtype, node, callee=it.text(_function(asked.callee)), given=NARROW[wide])


def _wide(it: Interpreter, dtype: Value, node: cst.CSTNode) -> str | None:
    """The dtype of 64 bits that a value is, None if it is none for sure."""
    if isinstance(dtype, External):
        return BY_NAME.get(dtype.name)
    if isinstance(dtype, Const):
        return BY_TEXT.get(dtype.value) if isinstance(dtype.value, str) else None
    if isinstance(node, cst.Call) and len(node.args) == 1:
        with it.speculating():
            made = it.ev(node.func)
            return (
                _wide(it, it.ev(node.args[0].value), node.args[0].value)
                if isinstance(made, External) and made.name in DTYPE_MAKERS
                else None
            )
    return None


def _function(node: cst.CSTNode) -> cst.CSTNode:
    return node.func if isinstance(node, cst.Call) else node


def _is_insisted_on(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether the code asks for this dtype whoever calls it, and whatever its operands are."""
    frame = it.frame
    if frame.parsed.answer((_TESTS, frame.code), lambda: _tells_apart(frame)):
        return False
    name = _root(node)
    return name is None or _is_settled(frame, node) or not _is_chosen(it, frame, name)


def _is_settled(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a dtype is an attribute of ``self`` that its class binds once, to a dtype by name."""
    code = frame.code
    if code is None or code.cls is None or not code.parameters:
        return False
    if not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Name):
        return False
    cls, name = code.cls, node.attr.value
    if node.value.value != code.parameters[0].name:
        return False

    return cls.fact(binds_once_to_a_name, name)


def _tells_apart(frame: Frame) -> bool:
    """Whether a function asks which dtype it has, or those around it for which precision they run.

    Nobody learns anything by asking whether a dtype has been given.
    """
    whole = frame.parsed.unit.text
    code = frame.code
    function = None if code is None else code.node
    own = frame.parsed.source(function) if isinstance(function, cst.FunctionDef) else whole
    return any(
        pattern.search(_GIVEN.sub("", text)) is not None
        for pattern, text in ((_TESTS, own), (_PRECISION_TESTS, whole))
    )


def _root(node: cst.CSTNode) -> str | None:
    """The name that a dtype as written starts from, None for a text."""
    while True:
        if isinstance(node, (cst.Attribute, cst.Subscript)):
            node = node.value
        elif isinstance(node, cst.Call) and node.args:
            node = node.args[0].value
        else:
            return node.value if isinstance(node, cst.Name) else None


def _is_chosen(it: Interpreter, frame: Frame, name: str) -> bool:
    """Whether a name stands for what a caller passes, or for one of several."""
    for loop in frame.enclosing_loops:
        if isinstance(loop, (cst.For, cst.CompFor)) and name in target_names(loop.target):
            return True
    if frame.code is None:
        return False
    for env in frame.closure:
        variables = it.contents(env)
        if isinstance(variables, Variables) and name in variables:
            return True
    variables = it.contents(frame.env)
    if not isinstance(variables, Variables) or name not in variables:
        return False
    if any(parameter.name == name for parameter in frame.code.parameters):
        return True
    return frame.parsed.fact(_times_bound, frame.code)[name] != 1


def _times_bound(code: Code) -> Counter[str]:
    """How often a function assigns to each name."""
    return Counter(
        target.value
        for node in code.own_nodes
        for target, _ in (bindings(node) if isinstance(node, (cst.Assign, cst.AugAssign)) else ())
        if isinstance(target, cst.Name)
    )
