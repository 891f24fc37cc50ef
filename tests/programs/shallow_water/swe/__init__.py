"""Shallow water equations on a periodic grid."""

from swe.limiter import limiter
from swe.state import Water, mound
from swe.stepping import Integrator as Integrator

__all__ = ["Integrator", "Water", "limiter", "mound"]
