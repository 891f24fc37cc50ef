"""Vendored parts of Chex."""

from third_party.chex._src.asserts import assert_equal_shape, assert_rank, disable_asserts
from third_party.chex._src.dataclass import dataclass

__all__ = ["assert_equal_shape", "assert_rank", "dataclass", "disable_asserts"]
