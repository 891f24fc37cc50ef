"""Which names of a text have no meaning: nothing binds them, and Python has none of that name."""

from __future__ import annotations

import builtins
import symtable
from collections.abc import Iterator
from functools import lru_cache

#: what a module has besides its own names
_OF_MODULES = frozenset(
    "__annotations__ __builtins__ __cached__ __doc__ __file__ __loader__ __name__ __package__ "
    "__path__ __spec__ __class__ __module__ __qualname__".split()
)
_BUILT_IN = frozenset(dir(builtins)) | _OF_MODULES


@lru_cache(maxsize=16)
def unbound_names(text: str) -> frozenset[str]:
    """The names that code reads and nothing around it binds, neither there nor in the module.

    Args:
      text: Python.

    Returns:
      The names; none where the text cannot be parsed.
    """
    try:
        module = symtable.symtable(text, "<text>", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    tables = [*_tables(module)]
    bound = {
        symbol.get_name()
        for table in tables
        for symbol in table.get_symbols()
        if (table is module or symbol.is_declared_global())
        and (symbol.is_assigned() or symbol.is_imported())
    }
    read = {
        symbol.get_name()
        for table in tables
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (table is module or symbol.is_global())
    }
    return frozenset(read - bound - _BUILT_IN)


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """A table and those of all that is nested in it."""
    yield table
    for child in table.get_children():
        yield from _tables(child)
