"""Search for motifs in DNA by position weight matrices."""

from .scan import best_hits
from .weights import WeightMatrix

__all__ = ["WeightMatrix", "best_hits"]
