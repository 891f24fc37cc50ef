"""Potts and Ising models on a square lattice."""

from . import moves
from .lattice import Lattice, energy, magnetisation
from .moves import MOVES, sweep

__all__ = ["MOVES", "Lattice", "energy", "magnetisation", "moves", "sweep"]
