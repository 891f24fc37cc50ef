"""What imported names stand for."""

from __future__ import annotations

from msgspec import Struct


class ImportTarget(Struct, frozen=True):
    """What an imported name stands for: ``module`` or, with ``name``, an attribute of it."""

    module: str
    name: str | None = None

    @property
    def qualified(self) -> str:
        """The dotted name."""
        return self.module if self.name is None else f"{self.module}.{self.name}"
