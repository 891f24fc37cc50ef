from heat.operators import laplacian
from heat.solver import Solver, solve

__all__ = ["Solver", "laplacian", "solve"]
