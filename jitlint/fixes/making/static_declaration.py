"""``static_argnames`` at a transform, in the spelling that stands there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Parameter, Place, parameters_of
from jitlint.absint.code.syntax import dotted
from jitlint.absint.machine.given import Application
from jitlint.diagnostics import Location
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import member_of

#: transforms that know parameters by name
_BY_NAME: Final = frozenset({"jax.jit", "jax.experimental.pjit.pjit", "flax.nnx.jit"})
#: those that know them by position alone, and the option that lists the positions
_BY_POSITION: Final = {
    "jax.pmap": "static_broadcasted_argnums",
    "flax.nnx.pmap": "static_broadcasted_argnums",
}
_LISTS: Final = frozenset({"static_argnames", "static_argnums", "static_broadcasted_argnums"})
#: options with an entry for each argument that is not static
_COUNTED: Final = frozenset({"in_axes", "in_shardings", "in_specs"})


def declare_static(draft: Draft, application: Application, name: str) -> str | None:
    """Have a transform take a parameter as it is.

    Args:
      draft: the fix.
      application: how the transform is applied.
      name: the parameter.

    Returns:
      What is added, as code; None where it cannot be.
    """
    here = draft.elsewhere(application.place)
    parameter = next((it for it in application.code.parameters if it.name == name), None)
    if here is None or parameter is None or application.bound is None:
        return None
    if application.options & _COUNTED or parameter.kind in ("*", "**"):
        return None
    positional = [it for it in application.code.parameters if it.kind.startswith("positional")]
    position = None
    if parameter in positional[application.bound :]:
        position = positional.index(parameter) - application.bound
    option = _option(application, parameter)
    if option is None or (option != "static_argnames" and position is None):
        return None
    item = f'"{name}"' if option == "static_argnames" else str(position)
    node = here.node
    if isinstance(node, cst.Call):
        if not _is_of_this_function(here, node, application):
            return None
        known = {arg.keyword.value: arg.value for arg in node.args if arg.keyword is not None}
        if application.options & _LISTS != known.keys() & _LISTS or any(a.star for a in node.args):
            return None
        if option in known:
            return f"{option}={item}" if _extend(here, known[option], item) else None
        _append(here, node, f"{option}=({item},)")
        return f"{option}=({item},)"
    if application.options or not isinstance(here.parent(node), cst.Decorator):
        return None
    partial = member_of(here, "functools", "partial")
    if partial is None:
        return None
    here.before(node, f"{partial}(")
    here.behind(node, f", {option}=({item},))")
    return f"{option}=({item},)"


def _option(application: Application, parameter: Parameter) -> str | None:
    """The option that lists the parameter."""
    transform, options = application.transform, application.options
    if transform in _BY_POSITION:
        return _BY_POSITION[transform]
    if transform not in _BY_NAME or {"static_argnums", "static_argnames"} <= options:
        # With both, JAX takes each of them at its word.
        return None
    receiver = parameter.name in ("self", "cls") and "static_argnames" not in options
    if "static_argnums" in options or parameter.kind == "positional-only" or receiver:
        return None if "static_argnames" in options else "static_argnums"
    return "static_argnames"


def decorator_listing(
    draft: Draft, function: cst.FunctionDef
) -> tuple[Draft, cst.Call, Sequence[str]] | None:
    """The one decorator of a function that declares parameters static, and the parameters."""
    found = []
    for decorator in function.decorators:
        node = decorator.decorator
        if isinstance(node, cst.Call) and any(
            arg.keyword is not None and arg.keyword.value in _LISTS for arg in node.args
        ):
            found.append(node)
    here = None if len(found) != 1 else draft.elsewhere(Place(draft.parsed, found[0]))
    if here is None:
        return None
    kinds = ("positional", "positional-only")
    return here, found[0], [it.name for it in parameters_of(function) if it.kind in kinds]


def undeclare_static(
    draft: Draft, call: cst.Call, positional: Sequence[str], name: str
) -> str | None:
    """Have a transform trace a parameter that it is told to take as it is.

    Args:
      draft: the fix, at the transform.
      call: what is called with the options.
      positional: the parameters that positions count.
      name: the parameter.

    Returns:
      The option that it is taken out of; None where it cannot be.
    """
    for arg in call.args:
        keyword = "" if arg.keyword is None else arg.keyword.value
        if keyword not in _LISTS:
            continue
        elements = _listed(arg.value)
        wrong = [it for it in elements if _names(it, positional) == name]
        if len(wrong) != 1 or None in [_names(it, positional) for it in elements]:
            continue
        if len(elements) > 1:
            _drop_element(draft, arg.value, elements.index(wrong[0]))
        elif not _drop_argument(draft, call, arg):
            return None
        return keyword
    return None


def _listed(value: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(value, (cst.Tuple, cst.List)):
        return [element.value for element in value.elements]
    return [value]


def _names(item: cst.BaseExpression, positional: Sequence[str]) -> str | None:
    """The parameter that an entry of an option stands for."""
    if isinstance(item, cst.SimpleString):
        return str(item.evaluated_value)
    if isinstance(item, cst.Integer) and item.evaluated_value < len(positional):
        return positional[item.evaluated_value]
    return None


def _drop_element(draft: Draft, listed: cst.BaseExpression, index: int) -> None:
    assert isinstance(listed, (cst.Tuple, cst.List))
    values = [element.value for element in listed.elements]
    comma = isinstance(listed, cst.Tuple) and len(values) == 2
    if isinstance(listed.elements[-1].comma, cst.Comma):
        comma = False
    if index + 1 < len(values):
        draft.replace_between(draft.start(values[index]), draft.start(values[index + 1]), "")
        if comma:
            draft.behind(values[-1], ",")
    else:
        start = draft.end(values[index - 1])
        draft.replace_between(start, draft.end(values[index]), "," if comma else "")


def _drop_argument(draft: Draft, call: cst.Call, arg: cst.Arg) -> bool:
    """Take an argument out of a call; ``partial(jax.jit)`` is written as ``jax.jit``."""
    index = call.args.index(arg)
    if index == 0:
        return False
    before = call.args[index - 1]
    is_decorator = isinstance(draft.parent(call), cst.Decorator)
    if len(call.args) == 2 and is_decorator and (dotted(call.func) or "").endswith("partial"):
        draft.replace_between(draft.start(call), draft.end(call), draft.text(before.value))
    else:
        draft.replace_between(draft.end(before.value), draft.end(arg.value), "")
    return True


def _is_of_this_function(draft: Draft, call: cst.Call, application: Application) -> bool:
    """Whether a call applies the transform to this function alone, not to whatever it is given."""
    code = application.code
    if isinstance(draft.parent(call), cst.Decorator):
        # `@partial(jax.jit, ...)`, `@jax.jit(...)`: no call of something that does more.
        return dotted(call.func) is not None and _names_transform(call, application)
    if not call.args or call.args[0].keyword is not None:
        return False
    positional = [arg for arg in call.args if arg.keyword is None]
    function = positional[0].value
    if function is code.node:
        return len(positional) == 1
    named = dotted(function)
    if named is None or named.rpartition(".")[2] != code.name or len(positional) > 1:
        return False
    return "." in named or not _is_parameter(draft, named)


def _names_transform(call: cst.Call, application: Application) -> bool:
    last = application.transform.rpartition(".")[2]
    names = [dotted(call.func), *(dotted(arg.value) for arg in call.args[:1])]
    return any(name is not None and name.rpartition(".")[2] == last for name in names)


def _is_parameter(draft: Draft, name: str) -> bool:
    function = draft.function
    return function is not None and any(it.name == name for it in function.parameters)


def _extend(draft: Draft, listed: cst.BaseExpression, item: str) -> bool:
    """Put one more entry into an option; False where it is no display or constant."""
    if isinstance(listed, (cst.SimpleString, cst.Integer)):
        draft.before(listed, "(")
        draft.behind(listed, f", {item})")
        return True
    if not isinstance(listed, (cst.Tuple, cst.List)) or not listed.elements:
        return False
    if isinstance(listed, cst.Tuple) and not listed.lpar:
        return False
    last = listed.elements[-1]
    if isinstance(last, cst.StarredElement):
        return False
    if (
        len(listed.elements) == 1
        and draft.between(draft.end(last.value), draft.end(listed)) == ",)"
    ):
        end = draft.end(listed)
        draft.insert(Location(end.row, end.column - 1), f" {item}")
        return True
    draft.behind(last.value, f", {item}")
    return True


def _append(draft: Draft, call: cst.Call, argument: str) -> None:
    """Put one more argument into a call, in a row of its own where the others stand so."""
    if not call.args:
        draft.insert(draft.before_end(call), argument)
        return
    last, end = call.args[-1], draft.before_end(call)
    where = draft.start(last if last.keyword is None else last.keyword)
    bare = not draft.between(Location(end.row, 1), end).strip()
    if bare and where.row > draft.end(call.func).row and isinstance(last.comma, cst.Comma):
        draft.insert(Location(end.row, 1), f"{' ' * (where.column - 1)}{argument},\n")
    else:
        draft.behind(last.value, f", {argument}")
