"""Torsion angles of a chain molecule."""

from .relax import Relaxation, relax_all
from .torsion import Torsions

__all__ = ["Relaxation", "Torsions", "relax_all"]
