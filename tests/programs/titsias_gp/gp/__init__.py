from .kernels import Matern, Scaled, SquaredExponential
from .model import *
from .model import SparseModel as Model
