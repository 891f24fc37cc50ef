"""Several devices for code that wants them: virtual ones, on the CPU.

Runs in a child process only, before JAX has made its devices.  A machine with one CPU can so run
what is written for a mesh; everything else keeps the one device that it would have.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

#: as many as the meshes of most examples ask for
VIRTUAL_DEVICES = 8
_FLAG = "--xla_force_host_platform_device_count"
# What only code for several devices names.  `jax.devices()` alone does not count: much code prints
# it.
_NAMES = re.compile(
    r"\b(pmap|shard_map|Mesh|AbstractMesh|make_mesh|create_device_mesh|mesh_utils|NamedSharding|"
    r"PositionalSharding|filter_pmap|filter_shard|local_device_count|device_count|"
    r"make_array_from_single_device_arrays|psum_scatter|ppermute|all_to_all)\b"
)


def wants_several(filenames: Iterable[str]) -> bool:
    """Whether one of some files is written for several devices.

    Args:
      filenames: they are read until one is.
    """
    for filename in filenames:
        try:
            text = Path(filename).read_text(encoding="utf-8")
        except (OSError, ValueError):
            continue
        if _NAMES.search(text):
            return True
    return False


def give_virtual_devices(jax: Any) -> bool:
    """Let JAX make several devices of the CPU.

    Args:
      jax: the module, which has not made its devices.

    Returns:
      Whether it will; not where the user's environment says how many.
    """
    if _FLAG in os.environ.get("XLA_FLAGS", "") or "JAX_NUM_CPU_DEVICES" in os.environ:
        return False
    try:
        jax.config.update("jax_num_cpu_devices", VIRTUAL_DEVICES)
    except (AttributeError, RuntimeError):
        # Releases before 0.5 have the flag of XLA only.
        flags = os.environ.get("XLA_FLAGS", "")
        os.environ["XLA_FLAGS"] = f"{flags} {_FLAG}={VIRTUAL_DEVICES}".strip()
    return True


def choose_backend(jax: Any, platform: str, cache: str) -> None:
    """Have JAX run on one backend, and keep what it compiles.

    Args:
      jax: the module, which has not made its devices.
      platform: the backend.
      cache: a folder for compiled programs.
    """
    # Callbacks of programs on an accelerator run on the CPU.
    jax.config.update("jax_platforms", platform if platform == "cpu" else f"{platform},cpu")
    # The same programs are compiled again and again: caches are cleared between cases.
    jax.config.update("jax_compilation_cache_dir", cache)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    jax.config.update("jax_traceback_filtering", "off")
