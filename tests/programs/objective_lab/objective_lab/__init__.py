"""Objectives by name, and a lab that minimises them."""

from .losses import huber, quantile, tempered, with_temperature
from .registry import OBJECTIVES, objective

__all__ = ["OBJECTIVES", "huber", "objective", "quantile", "tempered", "with_temperature"]
