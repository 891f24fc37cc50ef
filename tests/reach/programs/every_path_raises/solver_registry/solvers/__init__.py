"""Linear solvers by name."""

from solvers import direct, iterative  # registers them
from solvers.registry import get, names

__all__ = ["direct", "get", "iterative", "names"]
