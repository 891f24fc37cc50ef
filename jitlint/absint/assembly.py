"""The interpreter put together: to import a room is to register what it handles."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jitlint.absint.activations import activation  # noqa: F401
from jitlint.absint.code.functions import Code
from jitlint.absint.detectors.compilation import (  # noqa: F401
    cache_clearing,
    captured_constants,
    donations,
    eager_control_flow,
    handed_to_libraries,
    jit_lifetimes,
    noted_calls,
    traced_arguments,
    unrolled_loops,
    varying_shapes,
)
from jitlint.absint.detectors.effects import (  # noqa: F401
    cached_tracers,
    host_effects,
    iterators,
    lost_changes,
    stores,
)
from jitlint.absint.detectors.idioms import dropped_results, type_tests  # noqa: F401
from jitlint.absint.detectors.measurement import (  # noqa: F401
    compile_spans,
    timing,
    wide_dtypes,
)
from jitlint.absint.detectors.staleness import (  # noqa: F401
    constant_keys,
    repeated_draws,
    stale_steps,
    stale_values,
)
from jitlint.absint.detectors.statics import (  # noqa: F401
    static_arguments,
    static_arrays,
    static_fields,
    varying_arguments,
)
from jitlint.absint.library import (  # noqa: F401
    concretization,
    constructors,
    containers,
    expectations,
    functional,
    heaps,
    iteration,
    single_dispatch,
    strings,
    threads,
)
from jitlint.absint.limits import Limits
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules import pushed_objects  # noqa: F401
from jitlint.absint.objects import (  # noqa: F401
    annotated_results,
    construction,
    dispatch,
    makers,
    sketching,
    unfollowed,
)
from jitlint.absint.packages import (  # noqa: F401
    attributes,
    caches,
    calls as package_calls,
    clocks,
    companions,
    distributions,
    former_jax,
    haiku as package_haiku,
    own_source,
    primitives,
    probabilistic,
    pytrees,
    random_keys,
    replication,
    trace_state,
    tree_arithmetic,
)
from jitlint.absint.program import members, scopes  # noqa: F401
from jitlint.absint.python import (  # noqa: F401
    attributes as python_attributes,
    branches,
    calls,
    contexts,
    displays,
    exceptions,
    expressions,
    functions,
    loops,
    parameters,
    patterns,
    statements,
)
from jitlint.absint.transforms import (  # noqa: F401
    applications,
    branches as transform_branches,
    calling,
    derivatives,
    haiku,
    hyperparameters,
    loops as transform_loops,
    lowering,
    solvers,
    tree_maps,
    wrapping,
)
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
