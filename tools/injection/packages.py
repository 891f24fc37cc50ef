"""The packages that faults are put into, and where their recordings and drivers are."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@dataclass(frozen=True, slots=True)
class Package:
    """A package.

    Args:
      name: that it is installed by.
      module: that it is imported by.
      tuned: whether the analysis was improved with its misses in sight.
    """

    name: str
    module: str
    tuned: bool = True

    @property
    def driver(self) -> Path:
        """The code that runs it."""
        return _BENCHMARKS / "drivers" / f"{self.name.replace('-', '_')}_driver.py"

    @property
    def recording(self) -> Path:
        """What was seen of it."""
        return _BENCHMARKS / "recordings" / f"{self.name}.json"

    def folder(self) -> Path | None:
        """Where it is installed, None if it is not."""
        spec = importlib.util.find_spec(self.module)
        if spec is None or not spec.submodule_search_locations:
            return None
        return Path(next(iter(spec.submodule_search_locations)))

    def version(self) -> str:
        """The installed release."""
        return importlib.metadata.version(self.name)


PACKAGES: Mapping[str, Package] = {
    package.name: package
    for package in (
        Package("optax", "optax"),
        Package("flax", "flax"),
        Package("equinox", "equinox"),
        Package("chex", "chex"),
        Package("dm-haiku", "haiku"),
        Package("distrax", "distrax"),
        Package("rlax", "rlax"),
        Package("lineax", "lineax"),
        Package("optimistix", "optimistix"),
        Package("diffrax", "diffrax"),
        Package("numpyro", "numpyro"),
        Package("jraph", "jraph"),
        # Chosen and recorded when all tuning was over.
        Package("blackjax", "blackjax", tuned=False),
        Package("jaxopt", "jaxopt", tuned=False),
        Package("mctx", "mctx", tuned=False),
        Package("evosax", "evosax", tuned=False),
        Package("flowjax", "flowjax", tuned=False),
        Package("dynamax", "dynamax", tuned=False),
    )
}
