"""A small library of Runge-Kutta integrators."""

from .control import Controller, accept, propose
from .solve import solve, solve_dense, solve_until
from .tableau import TABLEAUS, Tableau

__all__ = [
    "TABLEAUS",
    "Controller",
    "Tableau",
    "accept",
    "propose",
    "solve",
    "solve_dense",
    "solve_until",
]
