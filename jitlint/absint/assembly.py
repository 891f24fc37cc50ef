"""The interpreter put together: to import a room is to register what it handles."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jitlint.absint.code.functions import Code
from jitlint.absint.detectors import compilation, dropped_results, host_effects, stores  # noqa: F401
from jitlint.absint.library import (  # noqa: F401
    builtin_models,
    containers,
    dispatch,
    externals,
    optax_models,
)
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.limits import Limits
from jitlint.absint.program import construction, members, scopes  # noqa: F401
from jitlint.absint.python import calls, expressions, statements  # noqa: F401
from jitlint.absint.transforms import transforms  # noqa: F401
from jitlint.jaxmodel.transforms import Transform
from jitlint.project.project import Project


def interpreter(
    project: Project,
    limits: Limits,
    may_follow: Callable[[Code], bool],
    rows: Mapping[str, Transform],
) -> Interpreter:
    """An interpreter that knows Python, the libraries and JAX.

    Args:
      project: gives modules by name.
      limits: the budgets.
      may_follow: whether host code may be followed into a function of the project.
      rows: transforms that the project declares in its configuration.
    """
    return Interpreter(project, limits, may_follow, rows)
