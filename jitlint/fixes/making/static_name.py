"""JIT305: the misspelt name of a static or donated parameter; a name in place of its position."""

from __future__ import annotations

import ast
from difflib import get_close_matches

import libcst as cst

from jitlint.absint.code.syntax import walk
from jitlint.absint.events import Event, UnknownStaticArgument
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft


def fix(event: Event) -> Fix | None:
    """Name the parameter that is meant, where only one can be."""
    assert isinstance(event, UnknownStaticArgument)
    draft = Draft(event)
    wrong = ast.literal_eval(event.wrong)
    if isinstance(wrong, int):
        return _by_name(draft, event, wrong)
    strings = [
        node
        for node in walk(draft.node)
        if isinstance(node, cst.SimpleString) and node.evaluated_value == wrong
    ]
    if len(strings) != 1 or "\\" in strings[0].value:
        return None
    (string,) = strings
    quote = string.value[-1]
    listed = [part.strip() for part in wrong.split(",")]
    if len(listed) > 1 and all(part in event.parameters for part in listed):
        if string is not draft.node:
            return None
        text = f"({', '.join(f'{quote}{part}{quote}' for part in listed)})"
        draft.replace(string, text)
        return draft.fix(f"List the names: `{text}`", Applicability.UNSAFE)
    if wrong in event.parameters:
        return _by_position(draft, event, wrong)
    known = {it.evaluated_value for it in walk(draft.node) if isinstance(it, cst.SimpleString)}
    free = [name for name in event.parameters if name not in known]
    close = get_close_matches(wrong, free, n=2, cutoff=0.7)
    if len(close) != 1:
        return None
    draft.replace(string, string.value.replace(wrong, close[0]))
    return draft.fix(f"Name `{close[0]}`", Applicability.UNSAFE)


def _option(draft: Draft, event: UnknownStaticArgument) -> cst.Name | None:
    """The keyword of the option, if it lists nothing but what is wrong."""
    arg = draft.parent(draft.node)
    alone = isinstance(draft.node, (cst.SimpleString, cst.Integer))
    if isinstance(draft.node, (cst.Tuple, cst.List)):
        alone = len(draft.node.elements) == 1
    keyword = arg.keyword if isinstance(arg, cst.Arg) else None
    return keyword if alone and keyword is not None and keyword.value == event.option else None


def _by_name(draft: Draft, event: UnknownStaticArgument, position: int) -> Fix | None:
    """A position that counts keyword-only parameters, too, which are known by name alone."""
    keyword = _option(draft, event)
    if keyword is None or not 0 <= position < len(event.parameters):
        return None
    name = event.parameters[position]
    option = event.option.replace("argnums", "argnames")
    draft.replace(keyword, option)
    draft.replace(draft.node, f'("{name}",)')
    return draft.fix(f'Use the name: `{option}=("{name}",)`', Applicability.UNSAFE)


def _by_position(draft: Draft, event: UnknownStaticArgument, name: str) -> Fix | None:
    """The name of a parameter that has none for callers."""
    keyword = _option(draft, event)
    if keyword is None:
        return None
    position = event.parameters.index(name)
    option = event.option.replace("argnames", "argnums")
    draft.replace(keyword, option)
    draft.replace(draft.node, f"({position},)")
    return draft.fix(f"Use the position: `{option}=({position},)`", Applicability.UNSAFE)
