"""Import all that a command line imports by and by, so that children that are forked have it.

Nothing is run, so that each child begins as a new process does.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import pkgutil
from collections.abc import Iterable

import jitlint

#: what runs JAX, is loaded by pytest, or is the program itself
_LEFT_OUT = ("jitlint.verify", "jitlint.integrations.pytest", "jitlint.__main__")
#: what the standard library and libcst import when it is needed
_OTHERS = ("importlib.metadata", "importlib.resources", "libcst.native", "zipfile")


def preload(more: Iterable[str] = ()) -> None:
    """Import jitlint, but for what runs JAX, and keep all of it out of collections of garbage.

    Args:
      more: other modules.
    """
    own = pkgutil.walk_packages(jitlint.__path__, "jitlint.", onerror=lambda name: None)
    for name in (*(module.name for module in own), *_OTHERS, *more):
        if not name.startswith(_LEFT_OUT):
            with contextlib.suppress(ImportError):  # of what is optional
                importlib.import_module(name)
    gc.collect()
    gc.freeze()
