"""A checkout of the core of Haiku."""

from haiku._src.base import get_parameter, get_state, set_state, transform_with_state
from haiku._src.module import Linear, Module

__all__ = ["Linear", "Module", "get_parameter", "get_state", "set_state", "transform_with_state"]
