"""Whether an expression is known while tracing, once a parameter of the traced function is static.

Where the expression stands in a function that the traced one calls, what that is given is looked up
at the calls that lead there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code, ParsedUnit, parameters_of, target_names
from jitlint.absint.code.syntax import children, dotted, walk
from jitlint.absint.machine.frames import Chain
from jitlint.absint.machine.given import Given
from jitlint.fixes.making.draft import scopes_around
from jitlint.jaxmodel.wording import is_trace_note

#: attributes of arrays that are known while tracing
_STATIC_ATTRIBUTES: Final = frozenset({"shape", "ndim", "size", "dtype", "itemsize"})
#: builtins that give what is known of what is known
_BUILTINS: Final = frozenset(
    "abs bool divmod enumerate float int len list max min pow range reversed round str sum tuple "
    "zip".split()
)
_HOST_MODULES: Final = ("math.", "np.", "numpy.", "operator.")
_PASSES: Final = (
    cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation, cst.Comparison,
    cst.ComparisonTarget, cst.Tuple, cst.List, cst.Element, cst.IfExp, cst.Subscript,
    cst.SubscriptElement, cst.Index, cst.Slice,
)  # fmt: skip
_CONSTANTS: Final = (cst.Integer, cst.Float, cst.SimpleString)
#: variables between an expression and the parameter
_DEPTH: Final = 8


class Dependence:
    """What would be known if one parameter were static.

    Args:
      given: the parameter.
    """

    def __init__(self, given: Given) -> None:
        self._given = given
        #: whether the parameter was found on the way
        self.found = False
        self._seen: set[tuple[int, str]] = set()

    def is_known(self, node: cst.CSTNode, parsed: ParsedUnit, chain: Chain | None) -> bool:
        """Whether an expression would be known while tracing.

        Args:
          node: the expression.
          parsed: the unit that it stands in.
          chain: the steps that lead there.
        """
        if isinstance(node, _CONSTANTS):
            return True
        if isinstance(node, cst.Name):
            return self._name(node, parsed, chain)
        if isinstance(node, cst.Attribute):
            if node.attr.value in _STATIC_ATTRIBUTES:
                return True
            return self._is_outside(dotted(node), node, parsed)
        if isinstance(node, cst.Call):
            name = dotted(node.func) or ""
            if name == "len":
                return True
            host = name in _BUILTINS or name.startswith(_HOST_MODULES)
            inner = all(self.is_known(arg, parsed, chain) for arg in node.args)
            return host and inner and self._is_outside(name, node, parsed)
        if isinstance(node, cst.Arg):
            return self.is_known(node.value, parsed, chain)
        if not isinstance(node, _PASSES):
            return False
        return all(self.is_known(inner, parsed, chain) for inner in children(node))

    def _is_outside(self, name: str | None, node: cst.CSTNode, parsed: ParsedUnit) -> bool:
        """Whether a dotted name is one of the module, or of a builtin."""
        if name is None:
            return False
        first = name.partition(".")[0]
        return all(first not in scope.bound_names for scope in _scopes(node, parsed))

    def _name(self, node: cst.Name, parsed: ParsedUnit, chain: Chain | None) -> bool:
        name = node.value
        within: Chain | None = chain
        for number, scope in enumerate(_scopes(node, parsed)):
            if number:
                within = None
            if name not in scope.bound_names:
                if scope.node is self._given.application.code.node:
                    return True
                continue
            key = id(scope.node), name
            if key in self._seen:
                return True
            if len(self._seen) > _DEPTH:
                return False
            self._seen.add(key)
            is_parameter = any(parameter.name == name for parameter in scope.parameters)
            if is_parameter and not self._is_given(scope, name, parsed, within):
                return False
            return self._bindings_known(scope, name, parsed, within)
        return True

    def _is_given(self, scope: Code, name: str, parsed: ParsedUnit, chain: Chain | None) -> bool:
        """Whether what a function gets for one of its parameters would be known."""
        if scope.node is self._given.application.code.node:
            if name != self._given.name:
                return False
            self.found = True
            return True
        if chain is None or is_trace_note(chain.step.note):
            return False
        call = chain.step.place.node
        if not isinstance(call, cst.Call):
            return False
        argument = _argument(call, scope, name)
        if argument is None:
            default = next((p.default for p in scope.parameters if p.name == name), None)
            return isinstance(default, _CONSTANTS)
        return self.is_known(argument, chain.step.place.parsed, chain.previous)

    def _bindings_known(
        self, scope: Code, name: str, parsed: ParsedUnit, chain: Chain | None
    ) -> bool:
        """Whether all that a function binds a name to would be known."""
        for node in scope.own_nodes:
            value: cst.CSTNode | None = None
            if isinstance(node, cst.Assign):
                targets = [target.target for target in node.targets]
                if not any(name in target_names(target) for target in targets):
                    continue
                value = node.value if all(isinstance(it, cst.Name) for it in targets) else None
            elif isinstance(node, (cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For)):
                if name not in target_names(node.target):
                    continue
                value = node.iter if isinstance(node, cst.For) else node.value
            elif isinstance(node, (cst.FunctionDef, cst.ClassDef)):
                if node.name.value == name:
                    return False
                continue
            elif isinstance(node, (cst.AsName, cst.ImportAlias, cst.MatchAs, cst.MatchStar)):
                return False
            else:
                continue
            if value is None or not self.is_known(value, parsed, chain):
                return False
        return True


def _scopes(node: cst.CSTNode, parsed: ParsedUnit) -> Iterator[Code]:
    """The functions around a place, from the inside."""
    return (scope for scope in scopes_around(parsed, node) if scope is not None)


def _argument(call: cst.Call, scope: Code, name: str) -> cst.BaseExpression | None:
    """What a call passes for a parameter; None if it cannot be told, or nothing is passed."""
    assert scope.node is not None
    if any(arg.star for arg in call.args):
        return None
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value == name:
            return arg.value
    kinds = ("positional", "positional-only")
    names = [it.name for it in parameters_of(scope.node) if it.kind in kinds]
    if names[:1] in (["self"], ["cls"]) and isinstance(call.func, cst.Attribute):
        names = names[1:]
    positional = [arg.value for arg in call.args if arg.keyword is None]
    return dict(zip(names, positional, strict=False)).get(name)


def uses_as_array(code: Code, name: str) -> bool:
    """Whether a function asks a parameter for what only arrays have, or for its elements."""
    assert code.node is not None
    return any(
        isinstance(node, (cst.Attribute, cst.Subscript))
        and isinstance(node.value, cst.Name)
        and node.value.value == name
        for node in walk(code.node.body)
    )
