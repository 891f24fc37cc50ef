"""Filters for photographs, compiled once when they are registered."""

from .darkroom import Darkroom
from .registry import FILTERS

__all__ = ["FILTERS", "Darkroom"]
