"""What the caller of an analysis may choose."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

if TYPE_CHECKING:
    from jitlint.jaxmodel.transforms import Transform


class AnalysisOptions(Struct, frozen=True):
    """What the caller may choose.

    Args:
      prefilter: look only at files that mention JAX or are reached; False parses every target.
      src: further import roots.
      traced_callables: a project's own transforms, from the configuration.
      budget_scale: multiplies every budget of the interpreter.
      everything: interpret every function, not only the selected ones (to measure the selection).
      jobs: how many processes share the work, if there is enough of it and the platform can fork.
      assume_traced: patterns of functions that somebody else will jit, to their static parameters.
      listing: gather which functions JAX will trace; else they are found out when asked for.
      omissions: gather what was left out.
      early: take what earlier runs said of what starts elsewhere than in the targets, although it
        may be outdated, where finding that out takes long; the outcome says whether it was.
    """

    prefilter: bool = True
    src: tuple[Path, ...] = ()
    traced_callables: Mapping[str, Any] = field(default_factory=dict)
    budget_scale: float = 1
    everything: bool = False
    jobs: int = 1
    assume_traced: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    listing: bool = False
    omissions: bool = False
    early: bool = False

    @property
    def transforms(self) -> dict[str, Transform]:
        """The project's own transforms, as rows of the model of JAX."""
        from jitlint.jaxmodel.transforms import configured

        return {
            name: configured(name, entry.argument, entry.static)
            for name, entry in self.traced_callables.items()
        }
