"""Names of libraries: what they stand for, and which parameters it takes."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Mapping
from typing import Any


def resolve(qualified: str) -> Any:
    """Import what a dotted name means.

    Raises:
      AttributeError: when a part of the name does not exist.
      ImportError: when the root module cannot be imported.
    """
    parts = qualified.split(".")
    found: Any = importlib.import_module(parts[0])
    for index, part in enumerate(parts[1:], start=1):
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(".".join(parts[: index + 1]))
            except ImportError:
                raise AttributeError(qualified) from None
    return found


def spelled(parameters: Iterable[inspect.Parameter]) -> str:
    """Write parameters in the compact form that ``functions.parse_signature`` reads."""
    tokens: list[str] = []
    positional_only = star = False
    for parameter in parameters:
        if positional_only and parameter.kind is not parameter.POSITIONAL_ONLY:
            tokens.append("/")
        positional_only = parameter.kind is parameter.POSITIONAL_ONLY
        if parameter.kind is parameter.VAR_POSITIONAL:
            tokens.append(f"*{parameter.name}")
            star = True
        elif parameter.kind is parameter.VAR_KEYWORD:
            tokens.append(f"**{parameter.name}")
        else:
            if parameter.kind is parameter.KEYWORD_ONLY and not star:
                tokens.append("*")
                star = True
            has_default = parameter.default is not parameter.empty
            tokens.append(parameter.name + ("=" if has_default else ""))
    if positional_only:
        tokens.append("/")
    return " ".join(tokens)


def by_name(samples: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The samples of a table by qualified name; in the table they stand by package and names."""
    return {
        f"{package}.{name}": sample
        for package, found in samples.items()
        for names, sample in found.items()
        for name in names.split()
    }
