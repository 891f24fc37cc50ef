"""Heat flow along a rod."""

from .marching import march, relax, settle
from .rod import Rod, bump

__all__ = ["Rod", "bump", "march", "relax", "settle"]
