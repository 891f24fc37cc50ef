"""The tables of optax, Flax, Equinox, Haiku and Chex: what they do with traced values."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import logging
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib.metadata import version
from typing import Any

from tools.probes import framework_samples as samples
from tools.probes.documents import Document, Row
from tools.probes.framework_calls import Prober, parameters
from tools.probes.framework_programs import classes, transforms
from tools.probes.framework_transform_samples import TRANSFORM_ALIASES
from tools.probes.names import by_name, resolve, spelled
from tools.probes.quiet import quiet

_PACKAGES = ("jax", "optax", "flax", "equinox", "dm-haiku", "chex", "jmp")
_ROOTS = ("optax", "flax", "equinox", "haiku", "chex", "jmp")

#: Modules whose public names are looked through for aliases.
_ALIAS_MODULES = (
    "optax optax.losses optax.schedules optax.tree optax.tree_utils optax.projections"
    " optax.transforms optax.assignment optax.perturbations optax.contrib optax.microbatching"
    " optax.second_order flax.linen flax.linen.activation flax.linen.attention flax.linen.linear"
    " flax.linen.normalization flax.linen.pooling flax.linen.recurrent flax.linen.stochastic"
    " flax.linen.combinators flax.linen.transforms flax.linen.initializers flax.linen.module"
    " flax.linen.spmd flax.linen.partitioning flax.linen.batch_apply flax.nnx flax.nnx.nn"
    " flax.nnx.initializers flax.nnx.transforms flax.core flax.core.frozen_dict flax.training"
    " flax.training.common_utils flax.training.lr_schedule flax.training.train_state"
    " flax.training.dynamic_scale flax.struct flax.serialization flax.traverse_util"
    " flax.jax_utils equinox equinox.nn equinox.debug equinox.internal haiku haiku.nets"
    " haiku.initializers haiku.experimental haiku.data_structures haiku.pad chex jmp"
).split()

#: Modules whose functions the frameworks re-export under their own names.
_SAME_AS_MODULES = (
    "jax.nn jax.nn.initializers jax.numpy jax.lax jax.random jax.tree_util jax.scipy.special jax"
).split()


def versions() -> dict[str, str]:
    """Versions of the packages the rows are measured with."""
    return {name: version(name) for name in _PACKAGES}


def facts_document(stored: Document, only: str = "") -> dict[str, Any]:
    """Measure what ``data/frameworks.json`` holds.

    Args:
      stored: the stored document.
      only: prefix of the names to measure.
    """
    with quiet(), _unlogged():
        functions, held = _functions(only), classes(only)
        _, same_as = _public_names()
        return {
            "meta": versions(),
            "aliases": _aliases([*functions, *held]),
            "same_as": same_as,
            "classes": held,
            "functions": functions,
        }


def transforms_document(stored: Document, only: str = "") -> dict[str, Any]:
    """Measure what ``data/framework_transforms.json`` holds; the same arguments."""
    with quiet(), _unlogged():
        rows = transforms(stored.get("transforms", {}), only)
        aliases = _aliases(rows)
        aliases.update({k: v for k, v in TRANSFORM_ALIASES.items() if v in rows})
        return {"meta": versions(), "aliases": aliases, "transforms": rows}


@contextlib.contextmanager
def _unlogged() -> Iterator[None]:
    """Let the frameworks log nothing of their own use."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


def _functions(only: str) -> dict[str, Row]:
    """Measure all functions and layers whose name starts with ``only``."""
    prober = Prober()
    plans: list[tuple[str, Callable[[], Row]]] = []
    for table, measure in (
        (samples.FUNCTIONS, prober.function),
        (samples.HAIKU_FUNCTIONS, prober.haiku_function),
        (samples.SCHEDULES, prober.schedule),
        (samples.LAYERS, prober.layer),
        (samples.GRADIENT_TRANSFORMATIONS, prober.gradient_transformation),
    ):
        plans += [(name, partial(measure, name, text)) for name, text in by_name(table).items()]
    rows: dict[str, Row] = {}
    for name, plan in plans:
        if name.startswith(only):
            row = plan()
            if signature := spelled(parameters(resolve(name))):
                row["parameters"] = signature
            row.update(samples.CORRECTIONS.get(name, {}))
            rows[name] = {key: value for key, value in row.items() if value != ""}
    for name, (like, note) in samples.LIKE.items():
        if name.startswith(only) and like in rows:
            signature = spelled(parameters(resolve(name)))
            rows[name] = {**rows[like], "evidence": "doc", "note": note, "parameters": signature}
    return rows


@cache
def _public_names() -> tuple[dict[int, set[str]], dict[str, str]]:
    """Public names by object identity, and the names that are plainly JAX's own."""
    jax_names: dict[int, str] = {}
    for module_name in _SAME_AS_MODULES:
        module = importlib.import_module(module_name)
        for name in dir(module):
            value = getattr(module, name, None)
            if not name.startswith("_") and callable(value):
                jax_names.setdefault(id(value), f"{module_name}.{name}")
    by_object: dict[int, set[str]] = {}
    same_as: dict[str, str] = {}
    for module_name in _ALIAS_MODULES:
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            continue
        for name in dir(module):
            if name.startswith("_"):
                continue
            value = getattr(module, name, None)
            if not callable(value) or inspect.ismodule(value):
                continue
            spelling = f"{module_name}.{name}"
            if id(value) in jax_names:
                same_as[spelling] = jax_names[id(value)]
                continue
            origin = str(getattr(value, "__module__", "") or "")
            if origin.split(".")[0] not in _ROOTS:
                continue
            names = by_object.setdefault(id(value), set())
            names.add(spelling)
            qualname = str(getattr(value, "__qualname__", ""))
            if qualname.isidentifier() and origin.split(".")[0] == module_name.split(".")[0]:
                names.add(f"{origin}.{qualname}")
    return by_object, same_as


def _aliases(canonical: Iterable[str]) -> dict[str, str]:
    """Every further public spelling of the canonical names."""
    by_object, _ = _public_names()
    found: dict[str, str] = {}
    for name in canonical:
        try:
            target = resolve(name)
        except (ImportError, AttributeError):
            continue
        for alias in by_object.get(id(target), ()):
            found.setdefault(alias, name)
    for name in canonical:
        found.pop(name, None)
    return found
