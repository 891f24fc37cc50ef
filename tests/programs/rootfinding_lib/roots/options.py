"""What a user may choose."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Options:
    tolerance: float = 1e-5
    limit: int = 30
    damping: float | None = None
    polish: bool = False
    strict: bool = False
