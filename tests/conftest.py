"""What holds for all tests: how they are spread over processes, and how JAX compiles for them."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says more of what else the machine does than of the code.
settings.register_profile("jitlint", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("jitlint")

#: more of them win little: the longest module takes a quarter of the time
MOST_WORKERS = 4
#: What the tests compile runs once or twice, so that what saves compilation saves time: no
#: optimisation, plain loops instead of fusions by MLIR, one module for LLVM instead of several.
QUICK_COMPILATION = (
    "--xla_backend_optimization_level=0",
    "--xla_llvm_disable_expensive_passes=true",
    "--xla_cpu_use_fusion_emitters=false",
    "--xla_cpu_parallel_codegen_split_count=1",
)


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the environment that JAX will start in, here, in workers and in child processes."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    if "XLA_FLAGS" not in os.environ:
        os.environ["XLA_FLAGS"] = _accepted_flags(config)


def _accepted_flags(config: pytest.Config) -> str:
    """The flags, unless the installed JAX refuses to start with them; an unknown one is fatal."""
    try:
        release = version("jaxlib")
    except PackageNotFoundError:
        return ""
    flags = " ".join(QUICK_COMPILATION)
    tried, accepted = config.cache.get("jitlint/quick_compilation", None) or (None, False)
    if tried != [release, flags]:
        start = [sys.executable, "-c", "import jax; jax.devices()"]
        environment = {**os.environ, "XLA_FLAGS": flags}
        accepted = not subprocess.run(start, env=environment, capture_output=True).returncode
        config.cache.set("jitlint/quick_compilation", ([release, flags], accepted))
    return flags if accepted else ""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker for each processor; none where only some files are asked for, as they start faster."""
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return 0
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(processors or 1, MOST_WORKERS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow ones come first, so that no worker begins one when the others are done."""
    if find_spec("jax") is None:
        for item in items:
            if item.get_closest_marker("jax"):
                item.add_marker(pytest.mark.skip("JAX is not installed"))
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
