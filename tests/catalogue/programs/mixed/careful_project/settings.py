"""Settings, hashable and frozen."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    rate: float = 0.1
    layers: int = 3
    batch: int = 4
