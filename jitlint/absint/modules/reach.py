"""Which modules the code of a module may run: itself and what it leads to by imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex


def leads_to(it: Interpreter, module: ModuleIndex, other: ModuleIndex) -> bool:
    """Whether a module is another one, or imports it, perhaps by way of further ones."""
    seen = {module.path}
    todo = [module]
    for current in todo:
        if current.path == other.path:
            return True
        it.reads.read(current)
        for name in current.imported:
            for whole in _with_packages(name):
                found = it.project.find_module(whole, current)
                if found is not None and found.path not in seen:
                    seen.add(found.path)
                    todo.append(found)
    return False


def _with_packages(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
