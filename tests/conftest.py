"""What holds for all tests: how they are spread over processes, and what these start with."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says more of what else the machine does than of the code.
settings.register_profile("jitlint", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("jitlint")

#: more workers win little: one module takes a third of the time, and spreads it by itself
MOST_WORKERS = 4
#: What is compiled here runs once or twice, so what spares the compiler spares time: no
#: optimisation, no fusions by way of MLIR, and one module for LLVM instead of several.
QUICK_COMPILATION = (
    "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
    " --xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1"
)


def pytest_configure(config: pytest.Config) -> None:
    """Set what workers and all other child processes inherit."""
    # Trees of syntax and values have no cycles; looking through them again and again takes a fifth
    # of the time of an analysis, which the commands spare themselves too.
    gc.set_threshold(1_000_000, 50, 100)
    # Child processes are hundreds, and would compile what they import each time.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    # A shell starts what it runs in the background deaf to interrupts, and children inherit that:
    # those that tests interrupt would never hear of it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if "XLA_FLAGS" not in os.environ and _starts_with(QUICK_COMPILATION, config):
        os.environ["XLA_FLAGS"] = QUICK_COMPILATION
    _keep_compilations(config)


def _keep_compilations(config: pytest.Config) -> None:
    """Let all processes share what they compile, and keep it for the next run.

    The programs that are run for their labels are run again for their fixes and their verdicts.
    """
    cache = getattr(config, "cache", None)  # unless the plugin is turned off
    if cache is not None:
        os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(cache.mkdir("jax")))
        os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
        os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")


def _starts_with(flags: str, config: pytest.Config) -> bool:
    """Whether the installed JAX starts with flags of XLA: one that it does not know ends it."""
    try:
        tried = [version("jaxlib"), flags]
    except PackageNotFoundError:
        return False
    cache = getattr(config, "cache", None)  # unless the plugin is turned off
    last = cache and cache.get("jitlint/flags", None)
    if last and last["tried"] == tried:
        return bool(last["starts"])
    command = [sys.executable, "-c", "import jax; jax.devices()"]
    environment = {**os.environ, "XLA_FLAGS": flags}
    starts = not subprocess.run(command, env=environment, capture_output=True).returncode
    if cache:
        cache.set("jitlint/flags", {"tried": tried, "starts": starts})
    return starts


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One for each processor; none for chosen files, which are done before workers have started.

    On two, a third one was tried: it takes a tenth more time, and more of the processors'.
    """
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return 0
    affinity = getattr(os, "sched_getaffinity", None)
    processors = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(processors, MOST_WORKERS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what is slow, so that no worker is left with it at the end."""
    if find_spec("jax") is None:
        for item in items:
            if item.get_closest_marker("jax"):
                item.add_marker(pytest.mark.skip("JAX is not installed"))
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
