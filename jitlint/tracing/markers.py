"""Whether code may have to do with JAX: what its text must mention."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jitlint.project.reading import Subject

#: a file that mentions none of these cannot hold or reach a transform by itself
MARKERS: Final = (
    "jax",
    "flax",
    "haiku",
    "equinox",
    "eqx",
    "optax",
    "chex",
    "diffrax",
    "optimistix",
    "lineax",
    "numpyro",
    "distrax",
    "rlax",
)


def mentions_jax(subject: Subject) -> bool:
    """Whether code may have to do with JAX."""
    return has_marker(subject.code)


def has_marker(text: str, extra: Iterable[str] = ()) -> bool:
    """Whether a file may have to do with JAX."""
    return any(marker in text for marker in MARKERS) or any(name in text for name in extra)
