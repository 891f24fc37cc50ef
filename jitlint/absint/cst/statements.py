"""Statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jitlint.absint.cst.base import (
    BaseCompoundStatement,
    BaseExpression,
    BaseSmallStatement,
    BaseStatement,
    BaseSuite,
    CSTNode,
)
from jitlint.absint.cst.operators import BaseAugOp

if TYPE_CHECKING:
    from jitlint.absint.cst.expressions import Annotation, Arg, Attribute, From, Name, Parameters


class Expr(BaseSmallStatement):
    """An expression that stands alone."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, value: BaseExpression) -> None:
        self.value = value


class Assign(BaseSmallStatement):
    """``a = b = value``."""

    __slots__ = ("targets", "value")
    fields = ("targets", "value")

    def __init__(self, targets: Sequence[AssignTarget], value: BaseExpression) -> None:
        self.targets = targets
        self.value = value


class AssignTarget(CSTNode):
    """``target =``."""

    __slots__ = ("target",)
    fields = ("target",)

    def __init__(self, target: BaseExpression) -> None:
        self.target = target


class AnnAssign(BaseSmallStatement):
    """``target: annotation = value``."""

    __slots__ = ("annotation", "target", "value")
    fields = ("target", "annotation", "value")

    def __init__(
        self, target: BaseExpression, annotation: Annotation, value: BaseExpression | None
    ) -> None:
        self.target = target
        self.annotation = annotation
        self.value = value


class AugAssign(BaseSmallStatement):
    """``target += value``."""

    __slots__ = ("operator", "target", "value")
    fields = ("target", "value")

    def __init__(self, target: BaseExpression, operator: BaseAugOp, value: BaseExpression) -> None:
        self.target = target
        self.operator = operator
        self.value = value


class Return(BaseSmallStatement):
    """``return value``."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, value: BaseExpression | None) -> None:
        self.value = value


class Raise(BaseSmallStatement):
    """``raise exc from cause``."""

    __slots__ = ("cause", "exc")
    fields = ("exc", "cause")

    def __init__(self, exc: BaseExpression | None, cause: From | None) -> None:
        self.exc = exc
        self.cause = cause


class Assert(BaseSmallStatement):
    """``assert test, msg``."""

    __slots__ = ("msg", "test")
    fields = ("test", "msg")

    def __init__(self, test: BaseExpression, msg: BaseExpression | None) -> None:
        self.test = test
        self.msg = msg


class Del(BaseSmallStatement):
    """``del target``."""

    __slots__ = ("target",)
    fields = ("target",)

    def __init__(self, target: BaseExpression) -> None:
        self.target = target


class Global(BaseSmallStatement):
    """``global names``."""

    __slots__ = ("names",)
    fields = ("names",)

    def __init__(self, names: Sequence[NameItem]) -> None:
        self.names = names


class Nonlocal(BaseSmallStatement):
    """``nonlocal names``."""

    __slots__ = ("names",)
    fields = ("names",)

    def __init__(self, names: Sequence[NameItem]) -> None:
        self.names = names


class NameItem(CSTNode):
    """One of the names."""

    __slots__ = ("name",)
    fields = ("name",)

    def __init__(self, name: Name) -> None:
        self.name = name


class Pass(BaseSmallStatement):
    """``pass``."""

    __slots__ = ()


class Break(BaseSmallStatement):
    """``break``."""

    __slots__ = ()


class Continue(BaseSmallStatement):
    """``continue``."""

    __slots__ = ()


class Import(BaseSmallStatement):
    """``import names``."""

    __slots__ = ("names",)
    fields = ("names",)

    def __init__(self, names: Sequence[ImportAlias]) -> None:
        self.names = names


class ImportFrom(BaseSmallStatement):
    """``from module import names``; ``relative`` has an element for each dot."""

    __slots__ = ("module", "names", "relative")
    fields = ("module", "names", "relative")

    def __init__(
        self,
        module: Attribute | Name | None,
        names: Sequence[ImportAlias] | ImportStar,
        relative: Sequence[Dot],
    ) -> None:
        self.module = module
        self.names = names
        self.relative = relative


class ImportAlias(CSTNode):
    """``name as asname``."""

    __slots__ = ("asname", "name")
    fields = ("name", "asname")

    def __init__(self, name: Attribute | Name, asname: AsName | None) -> None:
        self.name = name
        self.asname = asname


class ImportStar(CSTNode):
    """``*``."""

    __slots__ = ()


class Dot(CSTNode):
    """A dot before the module of a relative import."""

    __slots__ = ()


class AsName(CSTNode):
    """``as name``."""

    __slots__ = ("name",)
    fields = ("name",)

    def __init__(self, name: BaseExpression) -> None:
        self.name = name


class SimpleStatementLine(BaseStatement):
    """A line of small statements."""

    __slots__ = ("body",)
    fields = ("body",)

    def __init__(self, body: Sequence[BaseSmallStatement]) -> None:
        self.body = body


class SimpleStatementSuite(BaseSuite):
    """Small statements on the line of their header."""

    __slots__ = ("body",)
    fields = ("body",)

    def __init__(self, body: Sequence[BaseSmallStatement]) -> None:
        self.body = body


class IndentedBlock(BaseSuite):
    """An indented block."""

    __slots__ = ("body",)
    fields = ("body",)

    def __init__(self, body: Sequence[BaseStatement]) -> None:
        self.body = body


class If(BaseCompoundStatement):
    """``if`` or ``elif``."""

    __slots__ = ("body", "orelse", "test")
    fields = ("test", "body", "orelse")

    def __init__(self, test: BaseExpression, body: BaseSuite, orelse: If | Else | None) -> None:
        self.test = test
        self.body = body
        self.orelse = orelse


class Else(CSTNode):
    """``else``."""

    __slots__ = ("body",)
    fields = ("body",)

    def __init__(self, body: BaseSuite) -> None:
        self.body = body


class For(BaseCompoundStatement):
    """``for target in iter``."""

    __slots__ = ("asynchronous", "body", "iter", "orelse", "target")
    fields = ("target", "iter", "body", "orelse", "asynchronous")

    def __init__(
        self,
        target: BaseExpression,
        iter: BaseExpression,
        body: BaseSuite,
        orelse: Else | None,
        asynchronous: Asynchronous | None,
    ) -> None:
        self.target = target
        self.iter = iter
        self.body = body
        self.orelse = orelse
        self.asynchronous = asynchronous


class While(BaseCompoundStatement):
    """``while test``."""

    __slots__ = ("body", "orelse", "test")
    fields = ("test", "body", "orelse")

    def __init__(self, test: BaseExpression, body: BaseSuite, orelse: Else | None) -> None:
        self.test = test
        self.body = body
        self.orelse = orelse


class With(BaseCompoundStatement):
    """``with items``."""

    __slots__ = ("asynchronous", "body", "items")
    fields = ("items", "body", "asynchronous")

    def __init__(
        self, items: Sequence[WithItem], body: BaseSuite, asynchronous: Asynchronous | None
    ) -> None:
        self.items = items
        self.body = body
        self.asynchronous = asynchronous


class WithItem(CSTNode):
    """``item as asname``."""

    __slots__ = ("asname", "item")
    fields = ("item", "asname")

    def __init__(self, item: BaseExpression, asname: AsName | None) -> None:
        self.item = item
        self.asname = asname


class Try(BaseCompoundStatement):
    """``try`` with ``except``."""

    __slots__ = ("body", "finalbody", "handlers", "orelse")
    fields = ("body", "handlers", "orelse", "finalbody")

    def __init__(
        self,
        body: BaseSuite,
        handlers: Sequence[ExceptHandler],
        orelse: Else | None,
        finalbody: Finally | None,
    ) -> None:
        self.body = body
        self.handlers = handlers
        self.orelse = orelse
        self.finalbody = finalbody


class ExceptHandler(CSTNode):
    """``except type as name``."""

    __slots__ = ("body", "name", "type")
    fields = ("body", "type", "name")

    def __init__(self, body: BaseSuite, type: BaseExpression | None, name: AsName | None) -> None:
        self.body = body
        self.type = type
        self.name = name


class TryStar(BaseCompoundStatement):
    """``try`` with ``except*``."""

    __slots__ = ("body", "finalbody", "handlers", "orelse")
    fields = ("body", "handlers", "orelse", "finalbody")

    def __init__(
        self,
        body: BaseSuite,
        handlers: Sequence[ExceptStarHandler],
        orelse: Else | None,
        finalbody: Finally | None,
    ) -> None:
        self.body = body
        self.handlers = handlers
        self.orelse = orelse
        self.finalbody = finalbody


class ExceptStarHandler(CSTNode):
    """``except* type as name``."""

    __slots__ = ("body", "name", "type")
    fields = ("body", "type", "name")

    def __init__(self, body: BaseSuite, type: BaseExpression, name: AsName | None) -> None:
        self.body = body
        self.type = type
        self.name = name


class Finally(CSTNode):
    """``finally``."""

    __slots__ = ("body",)
    fields = ("body",)

    def __init__(self, body: BaseSuite) -> None:
        self.body = body


class FunctionDef(BaseCompoundStatement):
    """``def name(params) -> returns``."""

    __slots__ = ("asynchronous", "body", "decorators", "name", "params", "returns")
    fields = ("name", "params", "body", "decorators", "returns", "asynchronous")

    def __init__(
        self,
        name: Name,
        params: Parameters,
        body: BaseSuite,
        decorators: Sequence[Decorator],
        returns: Annotation | None,
        asynchronous: Asynchronous | None,
    ) -> None:
        self.name = name
        self.params = params
        self.body = body
        self.decorators = decorators
        self.returns = returns
        self.asynchronous = asynchronous


class ClassDef(BaseCompoundStatement):
    """``class name(bases, keywords)``."""

    __slots__ = ("bases", "body", "decorators", "keywords", "name")
    fields = ("name", "body", "bases", "keywords", "decorators")

    def __init__(
        self,
        name: Name,
        body: BaseSuite,
        bases: Sequence[Arg],
        keywords: Sequence[Arg],
        decorators: Sequence[Decorator],
    ) -> None:
        self.name = name
        self.body = body
        self.bases = bases
        self.keywords = keywords
        self.decorators = decorators


class Decorator(CSTNode):
    """``@decorator``."""

    __slots__ = ("decorator",)
    fields = ("decorator",)

    def __init__(self, decorator: BaseExpression) -> None:
        self.decorator = decorator


class Asynchronous(CSTNode):
    """``async``."""

    __slots__ = ()
