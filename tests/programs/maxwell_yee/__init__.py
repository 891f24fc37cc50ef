"""Electromagnetic waves on a staggered line."""

from .cavity import Cavity
from .run import ring

__all__ = ["Cavity", "ring"]
